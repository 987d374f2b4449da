// Handlers that prepare, work without a transaction, and complete, on a real file.
#include <atomic>
#include <stdexcept>

#include "support/countdown.hpp"
#include "unit/runtime/own_tables.hpp"

namespace semel::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class Staged : public OwnTables {};

TEST_F(Staged, PreparesWorksAndCompletes) {
    engine->handle_staged("pay", [&](const Work&, Stages& stages) {
        stages.prepare([](Tx& tx) { take(tx, 100); });
        EXPECT_EQ(cents(), 900) << "what was prepared is durable, and the engine can be called";
        return stages.complete([](Tx& tx) {
            take(tx, 50);
            return done(R"("paid")");
        });
    });
    start();
    const ChainInfo chain = run("pay");
    EXPECT_EQ(chain.status, Status::completed);
    EXPECT_EQ(chain.output, R"("paid")");
    EXPECT_EQ(cents(), 850);
}

TEST_F(Staged, NeedsNeitherOfThem) {
    engine->handle_staged("pay", [](const Work&, Stages&) { return done("1"); });
    start();
    EXPECT_EQ(run("pay").output, "1");
}

TEST_F(Staged, AnErrorInPrepareFailsTheAttempt) {
    engine->handle_staged("pay", [](const Work&, Stages& stages) {
        stages.prepare([](Tx& tx) {
            take(tx, 100);
            throw std::runtime_error("no such card");
        });
        return done();
    });
    start();
    EXPECT_THAT(run("pay").error_message.value_or(""), HasSubstr("no such card"));
    EXPECT_EQ(cents(), 1000);
}

TEST_F(Staged, AnErrorBetweenThemLeavesWhatWasPrepared) {
    engine->handle_staged("pay", [](const Work&, Stages& stages) -> HandlerResult {
        stages.prepare([](Tx& tx) { take(tx, 100); });
        throw std::runtime_error("the bank is closed");
    });
    start();
    EXPECT_EQ(run("pay").error_message, "the bank is closed");
    EXPECT_EQ(cents(), 900);
}

TEST_F(Staged, AnErrorInCompleteUndoesIt) {
    engine->handle_staged("pay", [](const Work&, Stages& stages) {
        return stages.complete([](Tx& tx) -> HandlerResult {
            take(tx, 50);
            throw std::runtime_error("no");
        });
    });
    start();
    EXPECT_EQ(run("pay").error_message, "no");
    EXPECT_EQ(cents(), 1000);
}

TEST_F(Staged, AnErrorAfterCompleteUndoesItAndWhatFollows) {
    std::atomic<int> shipped = 0;
    engine->handle_staged("pay", [](const Work& work, Stages& stages) {
        auto result = stages.complete([](Tx& tx) {
            take(tx, 50);
            return continue_with("ship");
        });
        if (work.attempt == 1) throw std::runtime_error("after all");
        return result;
    });
    engine->handle("ship", [&](const Work& work) {
        ++shipped;
        EXPECT_EQ(work.chain_index, 1);
        return done();
    });
    start();
    EXPECT_EQ(run("pay").error_message, "after all");
    EXPECT_EQ(cents(), 1000);
    EXPECT_EQ(run(ChainSpec{.type = "pay", .max_retries = 2}).chain_index, 1);
    EXPECT_EQ(shipped, 1);
    EXPECT_EQ(cents(), 950);
}

TEST_F(Staged, WhoeverWaitsForItWaitsOnAfterSuchAnError) {
    std::atomic<int> attempts = 0;
    engine->handle_staged("part", [&](const Work&, Stages& stages) {
        auto result = stages.complete([](Tx&) { return done("7"); });
        if (++attempts == 1) throw std::runtime_error("after all");
        return result;
    });
    engine->handle("merge", [&](const Work& work) {
        EXPECT_EQ(attempts, 2) << "it was blocked until then";
        return done(work.blockers.at(0).output.value_or(""));
    });
    start();
    const ChainSpec part{
        .type = "part", .max_retries = 2, .backoff = R"({"kind":"fixed","delayMs":1})"};
    EXPECT_EQ(run(ChainSpec{.type = "merge", .blockers = {part}}).output, "7");
}

TEST_F(Staged, EachStageIsCalledOnceAndInOrder) {
    const auto nothing = [](Tx&) {};
    const auto ends = [](Tx&) { return done(); };
    engine->handle_staged("prepares", [=](const Work&, Stages& stages) {
        stages.prepare(nothing);
        stages.prepare(nothing);
        return done();
    });
    engine->handle_staged("completes", [=](const Work&, Stages& stages) {
        (void)stages.complete(ends);
        return stages.complete(ends);
    });
    engine->handle_staged("late", [=](const Work&, Stages& stages) {
        auto result = stages.complete(ends);
        stages.prepare(nothing);
        return result;
    });
    engine->handle_staged("forgets", [=](const Work&, Stages& stages) {
        (void)stages.complete(ends);
        return done();
    });
    start();
    EXPECT_EQ(run("prepares").error_message, "prepare can only be called once");
    EXPECT_EQ(run("completes").error_message, "complete can only be called once");
    EXPECT_EQ(run("late").error_message, "prepare comes before complete");
    EXPECT_THAT(run("forgets").error_message.value_or(""), HasSubstr("must return its result"));
}

TEST_F(Staged, WhoeverLostItsJobPreparesNothing) {
    Countdown working(1);
    Countdown cancelled(1);
    Countdown refused(1);
    engine->handle_staged("pay", [&](const Work&, Stages& stages) {
        working.one();
        EXPECT_TRUE(cancelled.wait());
        try {
            stages.prepare([](Tx& tx) { take(tx, 100); });
        } catch (const std::exception& error) {
            EXPECT_THAT(error.what(), HasSubstr("prepare: "));
            refused.one();
        }
        return done();
    });
    start();
    const auto started = engine->chains().start({.type = "pay"});
    ASSERT_TRUE(started.has_value());
    ASSERT_TRUE(working.wait());
    ASSERT_EQ(engine->cancel(started->id).value(), std::nullopt);
    cancelled.one();
    EXPECT_TRUE(refused.wait());
    EXPECT_EQ(cents(), 1000);
    engine->stop();
}

}  // namespace
}  // namespace semel::test
