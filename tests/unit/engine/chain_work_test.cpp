// Chains and those who work on them: who is woken by a step, and who is told that it is not theirs
// any more.
#include <map>

#include "support/chain_node.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::ChainNode;
using test::VirtualEnv;

JobCall completing(const TakenJob& job) {
    return {.id = job.job.id, .token = job.job.token, .verb = Verb::complete};
}

TEST(ChainWork, AStepWakesWhoWaitsForItsType) {
    ChainNode t;
    t.node.start();
    const JobId chain = t.start_chain(R"({"type":"a"})");
    const auto first = t.claim("a", 0s);
    const auto next = t.claim("b", 60s);
    t.env.settle();
    ASSERT_TRUE(first->has_value());
    EXPECT_FALSE(next->has_value());
    JobCall call = completing((**first)->front());
    call.continue_with = t.continuation("b");
    t.settle(std::move(call));
    ASSERT_TRUE(next->has_value());
    EXPECT_EQ((**next)->front().job.chain, chain);
}

TEST(ChainWork, AStepMadeWithoutAWorkerWakesWhoWaitsForIt) {
    ChainNode t;
    t.node.start();
    const JobId chain = t.start_chain(R"({"type":"a"})");
    const auto next = t.claim("b", 60s);
    t.env.settle();
    t.complete(chain, 0, "b");
    ASSERT_TRUE(next->has_value());
    EXPECT_EQ((**next)->front().job.chain_index, 1);
}

TEST(ChainWork, TheLastBlockerWakesWhoWaitsForTheReleasedJob) {
    ChainNode t;
    t.node.start();
    const JobId x = t.start_chain(R"({"type":"x"})");
    const JobId y = t.start_chain(R"({"type":"x"})");
    t.start_chain(R"({"type":"join","blockers":[")" + x.to_string() + R"(",")" + y.to_string() +
                  R"("]})");
    const auto join = t.claim("join", 60s);
    t.env.settle();
    t.complete(x, 0);
    EXPECT_FALSE(join->has_value());
    t.complete(y, 0);
    EXPECT_TRUE(join->has_value());
}

TEST(ChainWork, AHandlerWhoseJobWasCompletedWithoutItIsToldToStop) {
    ChainNode t;
    t.node.add_handler("a", {.timeout = 1h});
    t.node.start();
    const JobId chain = t.start_chain(R"({"type":"a"})");
    t.env.settle();
    ASSERT_EQ(t.env.calls.size(), 1U);
    t.complete(chain, 0);
    EXPECT_TRUE(t.env.calls.front().stop_requested);
    t.env.calls.front().done(done("2"));
    t.env.advance(1min);
    EXPECT_EQ(t.chain(chain).result.output, "1");
}

TEST(ChainWork, AHandlerWhoseChainWasDeletedIsToldToStopAndItsResultIsDropped) {
    ChainNode t;
    t.node.add_handler("a", {.timeout = 1h});
    t.node.start();
    const JobId chain = t.start_chain(R"({"type":"a"})");
    t.env.settle();
    ASSERT_EQ(t.env.calls.size(), 1U);
    t.erase(chain);
    EXPECT_TRUE(t.env.calls.front().stop_requested);
    t.env.calls.front().done(continue_with("b"));
    t.env.advance(1min);
    EXPECT_TRUE(t.jobs().empty());
    t.start_chain(R"({"type":"a"})");
    EXPECT_EQ(t.env.calls.size(), 2U) << "the slot is free again";
}

TEST(ChainWork, AFailedAttemptNeitherGoesOnNorReleasesAnybody) {
    ChainNode t;
    t.node.add_handler("a", {});
    t.env.on_handler = [](VirtualEnv::Call& call) { call.done(failed("boom")); };
    t.node.start();
    const JobId chain = t.start_chain(R"({"type":"a"})");
    const JobId behind = t.start_chain(R"({"type":"w","blockers":[")" + chain.to_string() + "\"]}");
    t.env.advance(15s);
    EXPECT_GE(t.env.calls.size(), 2U);
    EXPECT_EQ(t.chain(chain).last.status, Status::pending);
    EXPECT_EQ(t.chain(chain).last.chain_index, 0);
    EXPECT_EQ(t.chain(behind).last.status, Status::blocked);
}

// Every third commit fails, whoever asked for it.
TEST(ChainWork, EachStepIsDoneOnceAlthoughTheStoreFailsNowAndThen) {
    constexpr int kSteps = 20;
    ChainNode t;
    t.node.add_handler("a", {});
    std::map<std::pair<JobId, Token>, int> calls;
    t.env.on_handler = [&](VirtualEnv::Call& call) {
        ++calls[{call.job.job.id, call.job.job.token}];
        const bool is_last = call.job.job.chain_index + 1 == kSteps;
        call.done(is_last ? done("7") : continue_with("a"));
    };
    t.node.start();
    const JobId chain = t.start_chain(R"({"type":"a"})");
    int saves = 0;
    t.store.before_save = [&](const Changes&) -> Result<void> {
        return ++saves % 3 == 0 ? Result<void>(Error(ErrorCode::unavailable, "away"))
                                : Result<void>();
    };
    t.env.advance(1h);
    EXPECT_EQ(t.chain(chain).last.chain_index, kSteps - 1);
    EXPECT_EQ(t.chain(chain).result.output, "7");
    EXPECT_EQ(calls.size(), std::size_t{kSteps});
    for (const auto& [job, count] : calls) EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace semel
