#include "engine/handler_call.hpp"

#include <gmock/gmock.h>

#include "core/chains/chain_request.hpp"
#include "support/test_node.hpp"

namespace semel {
namespace {

using test::TestNode;
using test::VirtualEnv;
using testing::HasSubstr;

JobCall call_of(HandlerResult result) {
    return to_call(TakenJob{}, std::move(result), Settings{});
}

TEST(HandlerCall, AContinuationIsReadAsTheHttpApiReadsIt) {
    const JobCall call =
        call_of(continue_with("b", R"({"n":1})", R"({"schedule":{"afterMs":5},"priority":7})"));
    EXPECT_EQ(call.verb, Verb::complete);
    ASSERT_TRUE(call.continue_with);
    const StepRequest& step = call.continue_with->step;
    EXPECT_EQ(step.type, "b");
    EXPECT_EQ(step.input, R"({"n":1})");
    EXPECT_EQ(step.delay, Millis(5));
    EXPECT_EQ(step.options.priority, 7);
}

TEST(HandlerCall, WhatCannotBeContinuedWithFailsTheAttemptForGood) {
    const std::vector<std::pair<HandlerResult, std::string>> cases = {
        {continue_with("b", "{"), "input is not JSON"},
        {continue_with("b", "{},\"priority\":7"), "input is not JSON"},
        {continue_with("b", '"' + std::string(1 << 20, 'x') + '"'), "larger than 1 MiB"},
        {continue_with(""), "type"},
        {continue_with("b", "{}", "[]"), "not a JSON object"},
        {continue_with("b", "{}", R"({"nothing":1})"), "nothing"},
        {continue_with("b", "{}", R"({"type":"c"})"), "type"},
    };
    for (const auto& [result, words] : cases) {
        const JobCall call = call_of(result);
        EXPECT_EQ(call.verb, Verb::fail) << words;
        EXPECT_TRUE(call.final) << words;
        EXPECT_THAT(call.error, HasSubstr(words));
        EXPECT_FALSE(call.continue_with);
    }
    HandlerResult both = continue_with("b");
    both.output = "1";
    EXPECT_THAT(call_of(both).error, HasSubstr("not both"));
}

// Otherwise its lease would have to run out, time after time.
TEST(HandlerCall, WhatTheStoreDoesNotContinueWithFailsTheAttemptForGood) {
    TestNode t;
    t.node.add_handler("a", {});
    const std::string nobody = Uuid{}.to_string();
    t.env.on_handler = [&](VirtualEnv::Call& call) {
        call.done(continue_with("b", "{}", R"({"blockers":[")" + nobody + R"("]})"));
    };
    t.node.start();
    const Job job = t.schedule(R"({"type":"a"})");
    t.env.settle();
    EXPECT_EQ(t.get(job.id).view.job.status, Status::failed);
    EXPECT_THAT(*t.get(job.id).view.result.error_message, HasSubstr("no chain with this id"));
    EXPECT_EQ(t.env.calls.size(), 1U);
}

TEST(HandlerCall, AHandlerGoesOnWithItsChainAndGetsWhatItWaitedFor) {
    TestNode t;
    t.node.add_handler("first", {});
    t.node.add_handler("side", {});
    t.node.add_handler("last", {});
    t.env.on_handler = [](VirtualEnv::Call& call) {
        if (call.job.job.type == "first") {
            call.done(continue_with("last", "{}", R"({"blockers":[{"type":"side","input":5}]})"));
        } else if (call.job.job.type == "side") {
            call.done(done(call.job.payload));
        } else {
            call.done(done(*call.job.blockers.front().output));
        }
    };
    t.node.start();
    const Job job = t.schedule(R"({"type":"first"})");
    t.env.settle();
    std::optional<ChainView> chain;
    t.store.reads().get_chain("default", job.id, [&](auto found) { chain = *found; });
    ASSERT_TRUE(chain);
    EXPECT_EQ(chain->last.status, Status::completed);
    EXPECT_EQ(chain->last.chain_index, 1);
    EXPECT_EQ(chain->result.output, "5");
    EXPECT_EQ(t.env.calls.back().job.blockers.front().type, "side");
}

}  // namespace
}  // namespace semel
