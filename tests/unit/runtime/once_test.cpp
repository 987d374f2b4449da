// engine.once: claim, effect, seal.
#include <atomic>
#include <latch>
#include <thread>

#include "unit/runtime/own_tables.hpp"

namespace semel::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

struct Once : OwnTables {
    void SetUp() override { engine->start(); }

    // Runs it and counts.
    OnceAnswer run(const OnceSpec& spec, const std::string& receipt = "null") {
        const auto answer = engine->once(spec, [&](const OnceWork&) {
            ++effects;
            return OnceEffect{.effect_id = "e", .receipt = receipt};
        });
        EXPECT_TRUE(answer.has_value()) << answer.error().message();
        return answer.value();
    }
    OnceAnswer run(const std::string& key, const std::string& receipt = "null") {
        return run(OnceSpec{.key = key}, receipt);
    }
    static ProblemCode code_of(const OnceAnswer& answer) {
        EXPECT_NE(answer.problem(), nullptr);
        return answer.problem() != nullptr ? answer.problem()->code : ProblemCode::invalid;
    }

    std::atomic<int> effects = 0;
};

TEST_F(Once, TheEffectRunsInTheFirstCallAndEveryoneGetsItsReceipt) {
    const OnceAnswer first = run("k", R"({"n": 1})");
    const OnceAnswer second = run("k", R"({"n":2})");
    EXPECT_TRUE(std::holds_alternative<RanHere>(first.outcome()));
    EXPECT_TRUE(first.ran_here());
    EXPECT_TRUE(std::holds_alternative<RanBefore>(second.outcome()));
    EXPECT_FALSE(second.ran_here());
    ASSERT_NE(first.sealed(), nullptr);
    ASSERT_NE(second.sealed(), nullptr);
    EXPECT_EQ(first.sealed()->receipt, R"({"n": 1})");
    EXPECT_EQ(second.sealed()->receipt, first.sealed()->receipt);
    EXPECT_EQ(second.sealed()->sealed_at, first.sealed()->sealed_at);
    EXPECT_EQ(second.sealed()->expires_at - second.sealed()->sealed_at, Millis(48h));
    EXPECT_EQ(effects, 1);
    EXPECT_TRUE(run("other").ran_here());
}

TEST_F(Once, ReadersSeeWhatIsSealedAndClaimNothing) {
    EXPECT_EQ(engine->sealed("k")->has_value(), false);
    const auto answer = engine->once("k", [&](const OnceWork&) {
        EXPECT_EQ(engine->sealed("k")->has_value(), false) << "it is not done yet";
        return OnceEffect{.effect_id = "e", .receipt = "7"};
    });
    ASSERT_TRUE(answer.has_value());
    EXPECT_TRUE(answer->ran_here()) << "a reader has claimed the key";
    const auto read = engine->sealed("k");
    ASSERT_TRUE(read.has_value() && read->has_value());
    EXPECT_EQ((*read)->effect_id, "e");
    EXPECT_EQ((*read)->receipt, "7");
    EXPECT_EQ((*read)->sealed_at, answer->sealed()->sealed_at);
    EXPECT_EQ((*read)->expires_at, answer->sealed()->expires_at);
    EXPECT_EQ(engine->sealed("k", "other")->has_value(), false) << "another tenant's";
    EXPECT_EQ(engine->sealed("")->has_value(), false);
}

TEST_F(Once, ManyThreadsRunItOnce) {
    constexpr int kThreads = 16;
    std::latch all(kThreads);
    std::atomic<int> here = 0;
    std::vector<std::thread> threads;
    threads.reserve(kThreads);
    for (int i = 0; i < kThreads; ++i) {
        threads.emplace_back([&] {
            all.arrive_and_wait();
            const OnceAnswer answer = run("k");
            EXPECT_NE(answer.sealed(), nullptr);
            here += answer.ran_here() ? 1 : 0;
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(effects, 1);
    EXPECT_EQ(here, 1);
}

TEST_F(Once, TemporaryFreesTheKey) {
    EXPECT_THROW(static_cast<void>(engine->once(
                     "k", [](const OnceWork&) -> OnceEffect { throw Temporary("not now"); })),
                 Temporary);
    EXPECT_TRUE(run("k").ran_here());
}

TEST_F(Once, AnyOtherExceptionLeavesItUncertain) {
    EXPECT_THROW(
        static_cast<void>(engine->once(
            "k", [](const OnceWork&) -> OnceEffect { throw std::runtime_error("no answer"); })),
        std::runtime_error);
    EXPECT_EQ(code_of(run("k")), ProblemCode::uncertain);
    EXPECT_THROW(
        static_cast<void>(engine->once("j", [](const OnceWork&) -> OnceEffect { throw 7; })), int);
    EXPECT_EQ(code_of(run("j")), ProblemCode::uncertain);
    EXPECT_EQ(effects, 0);
}

TEST_F(Once, AReceiptThatIsNoneLeavesItUncertain) {
    for (const OnceEffect& bad : {OnceEffect{.effect_id = ""}, OnceEffect{"e", "{"},
                                  OnceEffect{"e", std::string(2 << 20, '1')}}) {
        const std::string key = "k" + std::to_string(++effects);
        EXPECT_THROW(static_cast<void>(engine->once(key, [&](const OnceWork&) { return bad; })),
                     std::invalid_argument);
        EXPECT_EQ(code_of(run(key)), ProblemCode::uncertain);
    }
}

TEST_F(Once, NumbersBeyondADoubleAreTakenAsOverHttp) {
    const OnceSpec spec{.key = "k", .content = R"({"n":1e400})"};
    const OnceAnswer first = run(spec, "123456789012345678901234567890");
    ASSERT_NE(first.sealed(), nullptr);
    EXPECT_EQ(first.sealed()->receipt, "123456789012345678901234567890");
    EXPECT_FALSE(run(spec, "1e400").ran_here());
    EXPECT_TRUE(run("j", "1e400").ran_here());
}

TEST_F(Once, OtherContentIsAConflict) {
    run(OnceSpec{.key = "k", .content = R"({"a":1})"});
    const OnceAnswer answer = run(OnceSpec{.key = "k", .content = R"({"a":2})"});
    EXPECT_EQ(code_of(answer), ProblemCode::conflict);
    EXPECT_THAT(answer.problem()->diff_json, HasSubstr("replace"));
    EXPECT_EQ(run(OnceSpec{.key = "k", .content = R"({ "a": 1 })"}).problem(), nullptr);
    EXPECT_EQ(effects, 1);
}

TEST_F(Once, WhatCannotBeAKeyIsRefused) {
    EXPECT_EQ(code_of(run("")), ProblemCode::invalid);
    EXPECT_EQ(code_of(run(OnceSpec{.key = "k", .content = "{"})), ProblemCode::invalid);
    EXPECT_EQ(code_of(run(OnceSpec{.key = "k", .lease = 1ms})), ProblemCode::invalid);
    EXPECT_EQ(code_of(run(OnceSpec{.key = "k", .tenant = ""})), ProblemCode::invalid);
    EXPECT_EQ(effects, 0);
}

TEST_F(Once, TenantsNeverMeet) {
    EXPECT_TRUE(run(OnceSpec{.key = "k"}).ran_here());
    EXPECT_TRUE(run(OnceSpec{.key = "k", .tenant = "acme"}).ran_here());
}

TEST_F(Once, WhoDoesNotWaitIsToldThatSomebodyIsAtIt) {
    std::latch began(1);
    std::latch may_end(1);
    std::thread owner([&] {
        EXPECT_TRUE(engine->once("k", [&](const OnceWork& work) {
            EXPECT_EQ(work.key, "k");
            EXPECT_GT(work.token, 0);
            EXPECT_FALSE(work.is_takeover);
            began.count_down();
            may_end.wait();
            return OnceEffect{.effect_id = "first"};
        }));
    });
    began.wait();
    EXPECT_EQ(code_of(run(OnceSpec{.key = "k", .wait = 0ms})), ProblemCode::in_progress);
    may_end.count_down();
    const OnceAnswer waited = run("k");
    owner.join();
    ASSERT_NE(waited.sealed(), nullptr);
    EXPECT_EQ(waited.sealed()->effect_id, "first");
    EXPECT_EQ(effects, 0);
}

// Another claim waits for twice the lease, and is not let in.
TEST_F(Once, TheLeaseIsKeptWhileItRuns) {
    std::latch began(1);
    std::latch may_end(1);
    std::thread owner([&] {
        const auto answer =
            engine->once(OnceSpec{.key = "k", .lease = 2s}, [&](const OnceWork& work) {
                began.count_down();
                may_end.wait();
                EXPECT_FALSE(work.stop.stop_requested());
                return OnceEffect{.effect_id = "first"};
            });
        EXPECT_TRUE(answer && answer->ran_here());
    });
    began.wait();
    EXPECT_EQ(code_of(run(OnceSpec{.key = "k", .wait = 4s})), ProblemCode::in_progress);
    may_end.count_down();
    owner.join();
    EXPECT_EQ(effects, 0);
}

TEST_F(Once, AnEngineThatDoesNotRunSaysSo) {
    engine->stop();
    const auto answer = engine->once("k", [](const OnceWork&) { return OnceEffect{"e"}; });
    ASSERT_FALSE(answer.has_value());
    EXPECT_EQ(answer.error().code(), ErrorCode::stopped);
}

TEST_F(Once, StatementsWithinACommitCannotCallIt) {
    const auto written = engine->write([&](Tx&) {
        const auto answer = engine->once("k", [](const OnceWork&) { return OnceEffect{"e"}; });
        EXPECT_FALSE(answer.has_value());
    });
    EXPECT_TRUE(written.has_value());
}

}  // namespace
}  // namespace semel::test
