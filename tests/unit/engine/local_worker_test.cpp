#include <algorithm>
#include <memory>

#include "core/limits.hpp"
#include "support/test_node.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::TestNode;
using test::VirtualEnv;

NodeOptions with_concurrency(int concurrency) {
    NodeOptions options;
    options.concurrency = concurrency;
    return options;
}

// Of all commits from now on.
std::shared_ptr<std::ptrdiff_t> most_taken_at_once(TestNode& t) {
    auto most = std::make_shared<std::ptrdiff_t>(0);
    t.store.before_save = [most](const Changes& changes) -> Result<void> {
        const auto is_taken = [](const auto& job) { return job.after->status == Status::running; };
        *most = std::max(*most, std::ranges::count_if(changes.jobs, is_taken));
        return {};
    };
    return most;
}

TEST(LocalWorker, RunsAHandlerAndStoresItsOutput) {
    TestNode t;
    t.node.add_handler("a", {});
    t.env.on_handler = [](VirtualEnv::Call& call) { call.done(done(R"({"ok":true})")); };
    t.node.start();
    const Job job = t.schedule(R"({"type":"a","payload":7})");
    t.env.settle();
    EXPECT_EQ(t.env.calls.front().job.payload, "7");
    EXPECT_EQ(t.get(job.id).view.job.status, Status::completed);
    EXPECT_EQ(t.get(job.id).view.result.output, R"({"ok":true})");
}

TEST(LocalWorker, FailuresAreRetriedByTheirBackoff) {
    TestNode t;
    t.node.add_handler("a", {});
    t.env.on_handler = [](VirtualEnv::Call& call) { call.done(failed("no")); };
    t.node.start();
    const Job job = t.schedule(R"({"type":"a"})");
    t.env.advance(5min + 10min);
    EXPECT_EQ(t.env.calls.size(), 3U);
    EXPECT_EQ(t.get(job.id).view.job.status, Status::failed);
    EXPECT_EQ(t.get(job.id).view.result.error_message, "no");
}

// Contract section 9, number 5: a saturated worker polled hot, 389 queries in 3 s.
TEST(SeedDefects, N05_ASaturatedWorkerDoesNotPoll) {
    TestNode t(with_concurrency(2));
    t.node.add_handler("a", {.timeout = 1h});
    t.node.start();
    for (int i = 0; i < 10; ++i) t.schedule(R"({"type":"a"})");
    t.env.settle();
    ASSERT_EQ(t.env.calls.size(), 2U);
    const int before = t.store.ready_queries;
    t.env.advance(60s);
    EXPECT_EQ(t.store.ready_queries, before);
    t.env.calls.front().done(done());
    t.env.settle();
    EXPECT_EQ(t.env.calls.size(), 3U);
}

TEST(LocalWorker, SlotsThatBecomeFreeBeforeATakesBatchBeginsAreFilledByIt) {
    TestNode t(with_concurrency(8));
    t.node.add_handler("a", {.timeout = 1h});
    for (int i = 0; i < 20; ++i) t.schedule(R"({"type":"a"})");
    t.node.start();
    t.env.settle();
    ASSERT_EQ(t.env.calls.size(), 8U);
    const auto most = most_taken_at_once(t);
    for (std::size_t i = 0; i < 3; ++i) t.env.calls[i].done(done());
    t.env.settle();
    EXPECT_EQ(t.env.calls.size(), 11U);
    EXPECT_EQ(*most, 3);
}

TEST(LocalWorker, WhileATakeIsOnItsWayAnotherStreamTakesForSlotsThatBecomeFree) {
    TestNode t(with_concurrency(16), 2);
    t.node.add_handler("a", {.timeout = 1h});
    for (int i = 0; i < 40; ++i) t.schedule(R"({"type":"a"})");
    t.node.start();
    t.env.settle();
    ASSERT_EQ(t.env.calls.size(), 16U);
    const int before = t.store.ready_queries;
    std::size_t ended = 0;
    const auto end = [&](std::size_t count) {
        for (; count > 0; --count) t.env.calls[ended++].done(done());
    };
    t.store.before_save = [&](const Changes& changes) -> Result<void> {
        const auto is_taken = [](const auto& job) { return job.after->status == Status::running; };
        if (ended == 3 && std::ranges::any_of(changes.jobs, is_taken)) end(2);
        return {};
    };
    int takes = 0;  // when the first of them is answered
    t.env.on_handler = [&](VirtualEnv::Call&) {
        if (takes == 0) takes = t.store.ready_queries - before;
    };
    end(3);
    t.env.settle();
    EXPECT_EQ(takes, 2);
    EXPECT_EQ(t.env.calls.size(), 16U + 3U + 2U);
}

TEST(LocalWorker, TakesOfSeveralStreamsTogetherTakeNoMoreThanThereAreSlots) {
    constexpr std::size_t kSlots = 4;
    TestNode t(with_concurrency(kSlots), 3);
    t.node.add_handler("a", {.timeout = 1h});
    for (int i = 0; i < 60; ++i) t.schedule(R"({"type":"a"})");
    std::size_t ended = 0;
    const auto end_one = [&] {
        if (ended < t.env.calls.size()) t.env.calls[ended++].done(done());
    };
    t.store.before_save = [&](const Changes&) -> Result<void> {
        end_one();
        return {};
    };
    std::size_t most = 0;
    t.env.on_handler = [&](VirtualEnv::Call&) {
        most = std::max(most, t.env.calls.size() - ended);
    };
    t.node.start();
    for (t.env.settle(); ended < t.env.calls.size(); t.env.settle()) end_one();
    EXPECT_EQ(ended, 60U);
    EXPECT_LE(most, kSlots);
}

// Of two streams the later commit may be heard of first.
TEST(LocalWorker, WhatIsHeardLateOfAnAttemptBeforeDoesNotFenceTheNextOne) {
    TestNode t(with_concurrency(4), 2);
    t.node.add_handler("a", {.timeout = 1h});
    t.node.start();
    t.env.settle();
    t.schedule(R"({"type":"a","backoff":{"kind":"fixed","delayMs":0}})");
    ASSERT_EQ(t.env.calls.size(), 1U);
    t.store.hold_answer = true;
    t.env.calls[0].done(failed("no"));
    t.env.settle();
    t.store.poll();
    t.env.settle();
    ASSERT_EQ(t.env.calls.size(), 2U);
    ASSERT_TRUE(t.store.held_answer);
    t.store.held_answer();
    t.env.settle();
    EXPECT_FALSE(t.env.calls[1].stop_requested);
}

TEST(LocalWorker, StopWaitsForTheTakesOfAllStreams) {
    TestNode t(with_concurrency(16), 2);
    t.node.add_handler("a", {.timeout = 1h});
    for (int i = 0; i < 40; ++i) t.schedule(R"({"type":"a"})");
    t.node.start();
    t.env.settle();
    bool stopped = false;
    for (std::size_t i = 0; i < 3; ++i) t.env.calls[i].done(done());
    t.node.stop(1min, [&] { stopped = true; });
    for (std::size_t i = 3; i < 16; ++i) t.env.calls[i].done(done());
    t.env.settle();
    EXPECT_TRUE(stopped);
    EXPECT_EQ(t.env.calls.size(), 16U);
    for (const ActionView& view : t.jobs()) EXPECT_NE(view.job.status, Status::running);
}

TEST(LocalWorker, WhatWasTakenTogetherEndsTogether) {
    TestNode t(with_concurrency(8), 2);
    t.node.add_handler("a", {});
    for (int i = 0; i < 8; ++i) t.schedule(R"({"type":"a"})");
    t.node.start();
    t.env.settle();
    ASSERT_EQ(t.env.calls.size(), 8U);
    int endings = 0;  // commits that end jobs
    t.store.before_save = [&](const Changes& changes) -> Result<void> {
        const auto is_end = [](const auto& job) { return job.after->status == Status::completed; };
        endings += std::ranges::any_of(changes.jobs, is_end) ? 1 : 0;
        return {};
    };
    for (VirtualEnv::Call& call : std::exchange(t.env.calls, {})) call.done(done());
    t.env.settle();
    EXPECT_EQ(endings, 1);
}

TEST(LocalWorker, WhatTheStoreDoesNotTakeWithOthersItIsToldAlone) {
    TestNode t(with_concurrency(8));
    t.node.add_handler("a", {.timeout = 1h});
    for (int i = 0; i < 8; ++i) t.schedule(R"({"type":"a"})");
    t.node.start();
    t.env.settle();
    const JobId bad = t.env.calls.front().job.job.id;
    bool is_refused = true;
    t.store.before_save = [&](const Changes& changes) -> Result<void> {
        const auto is_bad = [&](const auto& job) { return job.after->id == bad; };
        if (is_refused && std::ranges::any_of(changes.jobs, is_bad)) {
            return Error(ErrorCode::invalid, "no");
        }
        return {};
    };
    for (VirtualEnv::Call& call : std::exchange(t.env.calls, {})) call.done(done());
    t.env.advance(2s);
    for (const ActionView& view : t.jobs()) {
        EXPECT_EQ(view.job.status, view.job.id == bad ? Status::running : Status::completed);
    }
    is_refused = false;
    t.env.advance(2s);
    EXPECT_EQ(t.get(bad).view.job.status, Status::completed);
}

TEST(LocalWorker, AnEndWhoseRowSomebodyHoldsIsSaidUntilItIsFree) {
    TestNode t(with_concurrency(8));
    t.node.add_handler("a", {.timeout = 1h});
    for (int i = 0; i < 8; ++i) t.schedule(R"({"type":"a"})");
    t.node.start();
    t.env.settle();
    const JobId held = t.env.calls.front().job.job.id;
    bool is_held = true;
    t.store.change_load = [&](const LoadSpec&, Loaded& loaded) {
        const auto is_it = [&](const Job& job) { return job.id == held; };
        if (is_held && std::erase_if(loaded.jobs, is_it) > 0)
            loaded.locked_elsewhere.jobs.push_back(held);
    };
    for (VirtualEnv::Call& call : std::exchange(t.env.calls, {})) call.done(done());
    t.env.advance(3s);
    for (const ActionView& view : t.jobs()) {
        EXPECT_EQ(view.job.status, view.job.id == held ? Status::running : Status::completed);
    }
    is_held = false;
    t.env.advance(3s);
    EXPECT_EQ(t.get(held).view.job.status, Status::completed);
}

TEST(LocalWorker, WhereOneTakeBringsAllThereIsNoSecondOne) {
    TestNode t(with_concurrency(4), 2);
    t.node.add_handler("a", {});
    t.node.start();
    t.env.settle();
    const int before = t.store.ready_queries;
    t.schedule(R"({"type":"a"})");
    EXPECT_EQ(t.env.calls.size(), 1U);
    EXPECT_EQ(t.store.ready_queries, before + 1);
}

// A claim is bounded by what its jobs are given to work on.
TEST(LocalWorker, WhatAClaimHadNoRoomForIsTakenByTheNext) {
    TestNode t;
    t.node.add_handler("a", {});
    const std::string large(kTakeBytesMax * 2 / 3, 'x');
    for (int i = 0; i < 3; ++i) t.schedule(R"({"type":"a","payload":")" + large + R"("})");
    t.node.start();
    t.env.settle();
    EXPECT_EQ(t.env.calls.size(), 3U);
}

TEST(LocalWorker, AnIdleWorkerDoesNotPollEither) {
    TestNode t;
    t.node.add_handler("a", {});
    t.node.start();
    t.env.advance(1s);
    const int before = t.store.ready_queries;
    t.env.advance(1h);
    EXPECT_EQ(t.store.ready_queries, before);
}

TEST(LocalWorker, HeartbeatsKeepALongHandler) {
    TestNode t;
    t.node.add_handler("a", {.timeout = 1h});
    t.node.start();
    const Job job = t.schedule(R"({"type":"a"})");
    t.env.advance(10min);
    EXPECT_EQ(t.get(job.id).view.job.status, Status::running);
    t.env.calls.front().done(done());
    t.env.settle();
    EXPECT_EQ(t.get(job.id).view.job.status, Status::completed);
    EXPECT_EQ(t.get(job.id).view.job.attempts, 1);
}

// Contract section 9, number 11: a timeout left the handler running beside its retry.
TEST(SeedDefects, N11_ATimedOutHandlerIsToldToStopAndItsLateResultIsRefused) {
    TestNode t;
    t.node.add_handler("a", {.timeout = 2s});
    t.node.start();
    const Job job = t.schedule(R"({"type":"a","backoff":{"kind":"fixed","delayMs":1000}})");
    t.env.advance(1999ms);
    EXPECT_FALSE(t.env.calls.front().stop_requested);
    t.env.advance(2001ms);
    EXPECT_TRUE(t.env.calls.front().stop_requested);
    ASSERT_EQ(t.env.calls.size(), 2U) << "the retry runs";
    t.env.calls[0].done(done(R"("late")"));
    t.env.settle();
    EXPECT_EQ(t.get(job.id).view.job.status, Status::running);
    t.env.calls[1].done(done(R"("in time")"));
    t.env.settle();
    EXPECT_EQ(t.get(job.id).view.result.output, R"("in time")");
}

TEST(LocalWorker, ACancelledActionsHandlerIsToldToStop) {
    TestNode t;
    t.node.add_handler("a", {.timeout = 1h});
    t.node.start();
    const Job job = t.schedule(R"({"type":"a"})");
    t.node.submit(OperateAction{.tenant = "default", .id = job.id, .operation = Operation::cancel},
                  [](Result<Reply<OperateAction>>) {});
    t.env.settle();
    EXPECT_TRUE(t.env.calls.front().stop_requested);
}

TEST(LocalWorker, StopWaitsForHandlersAndLosesNothing) {
    TestNode t;
    t.node.add_handler("a", {.timeout = 1h});
    t.node.start();
    const Job job = t.schedule(R"({"type":"a"})");
    bool stopped = false;
    t.node.stop(10s, [&] { stopped = true; });
    t.env.advance(5s);
    EXPECT_FALSE(stopped);
    t.env.calls.front().done(done());
    t.env.settle();
    EXPECT_TRUE(stopped);
    EXPECT_EQ(t.get(job.id).view.job.status, Status::completed);
}

TEST(LocalWorker, AfterTheGraceWhatStillRunsIsReleased) {
    TestNode t;
    t.node.add_handler("a", {.timeout = 1h});
    t.node.start();
    const Job job = t.schedule(R"({"type":"a"})");
    bool stopped = false;
    t.node.stop(10s, [&] { stopped = true; });
    t.env.advance(10s);
    EXPECT_TRUE(stopped);
    EXPECT_TRUE(t.env.calls.front().stop_requested);
    EXPECT_EQ(t.get(job.id).view.job.status, Status::pending);
    EXPECT_EQ(t.get(job.id).view.job.attempts, 0);
}

TEST(LocalWorker, AHandlerThatOutlivesTheGraceSaysNothingMore) {
    TestNode t;
    t.node.add_handler("a", {.timeout = 1h});
    t.node.start();
    const Job job = t.schedule(R"({"type":"a"})");
    t.node.stop(1s, [] {});
    t.env.advance(1s);
    const int before = t.store.loads;
    t.env.calls.front().done(done());
    t.env.settle();
    EXPECT_EQ(t.store.loads, before);
    EXPECT_EQ(t.get(job.id).view.job.status, Status::pending);
}

TEST(LocalWorker, AJobTakenWhileStoppingIsReleasedAndNotRun) {
    TestNode t;
    t.node.add_handler("a", {.timeout = 1h});
    t.node.start();
    t.env.settle();
    t.submit(R"({"type":"a"})");
    bool stopped = false;
    t.store.before_commit = [&, once = true]() mutable {
        if (t.store.ready_queries > 1 && std::exchange(once, false)) {
            t.node.stop(10s, [&] { stopped = true; });  // while the take commits
        }
    };
    t.env.settle();
    EXPECT_TRUE(t.env.calls.empty());
    EXPECT_TRUE(stopped);
    const auto jobs = t.jobs();
    ASSERT_EQ(jobs.size(), 1U);
    EXPECT_EQ(jobs.front().job.status, Status::pending);
    EXPECT_EQ(jobs.front().job.attempts, 0);
}

TEST(LocalWorker, ACancelInTheBatchOfTheTakeStopsTheHandlerToo) {
    TestNode t;
    t.node.add_handler("a", {.timeout = 1h});
    const Job job = t.schedule(R"({"type":"a"})");
    t.submit(R"({"type":"other"})");  // keeps the ledger busy, so that the next two share a batch
    t.node.start();
    t.node.submit(OperateAction{.tenant = "default", .id = job.id, .operation = Operation::cancel},
                  [](const Result<Reply<OperateAction>>&) {});
    t.env.settle();
    for (const VirtualEnv::Call& call : t.env.calls) {
        EXPECT_TRUE(call.stop_requested);
    }
    EXPECT_EQ(t.get(job.id).view.job.status, Status::cancelled);
}

TEST(LocalWorker, AResultTheStoreWouldNotTakeIsSaidBeforeTheStop) {
    TestNode t;
    t.node.add_handler("a", {.timeout = 1h});
    t.node.start();
    const Job job = t.schedule(R"({"type":"a"})");
    t.store.fail_commit = Error(ErrorCode::unavailable, "away");
    t.env.calls.front().done(done());
    t.env.settle();
    bool stopped = false;
    t.node.stop(10s, [&] { stopped = true; });
    t.env.advance(500ms);
    EXPECT_FALSE(stopped);
    t.store.fail_commit.reset();
    t.env.advance(1s);
    EXPECT_TRUE(stopped);
    EXPECT_EQ(t.get(job.id).view.job.status, Status::completed);
}

TEST(LocalWorker, WhatIsTooLargeFailsInsteadOfBeingStored) {
    TestNode t;
    t.node.add_handler("a", {});
    t.env.on_handler = [](VirtualEnv::Call& call) {
        call.done(done("\"" + std::string(1024 * 1024, 'x') + "\""));
    };
    t.node.start();
    const Job job = t.schedule(R"({"type":"a"})");
    EXPECT_EQ(t.get(job.id).view.job.status, Status::failed);
}

TEST(LocalWorker, AResultIsSaidAgainWhenTheStoreWasAway) {
    TestNode t;
    t.node.add_handler("a", {.timeout = 1h});
    t.node.start();
    const Job job = t.schedule(R"({"type":"a"})");
    t.store.fail_commit = Error(ErrorCode::unavailable, "away");
    t.env.calls.front().done(done());
    t.env.advance(3s);
    EXPECT_EQ(t.get(job.id).view.job.status, Status::running);
    t.store.fail_commit.reset();
    t.env.advance(3s);
    EXPECT_EQ(t.get(job.id).view.job.status, Status::completed);
}

// ---- rounds: what the cron trigger asks for ---------------------------------------------------

class ProcessDue : public testing::Test {
protected:
    TestNode t{with_concurrency(4)};
    std::optional<Result<Node::ProcessedWork>> answer;

    void process(int limit) {
        t.node.process_due(
            limit, [this](Result<Node::ProcessedWork> work) { answer.emplace(std::move(work)); });
        t.env.settle();
    }
};

TEST_F(ProcessDue, WaitsForWhatIsDueAndSaysHowItEnded) {
    t.node.add_handler("a", {});
    t.node.start();
    const Job good = t.schedule(R"({"type":"a"})");
    const Job bad = t.schedule(R"({"type":"a"})");
    t.schedule(R"({"type":"a","delayMs":1000})");
    process(100);
    EXPECT_FALSE(answer.has_value()) << "two handlers run";
    t.env.calls.at(0).done(done("1"));
    t.env.settle();
    EXPECT_FALSE(answer.has_value());
    t.env.calls.at(1).done(failed("no luck"));
    t.env.settle();
    ASSERT_TRUE(answer.has_value());
    const RoundReport& round = (*answer)->round;
    EXPECT_EQ(round.processed(), 2);
    EXPECT_EQ(round.succeeded, 1);
    ASSERT_EQ(round.errors.size(), 1U);
    EXPECT_EQ(round.errors[0].first, t.env.calls.at(1).job.job.id);
    EXPECT_EQ(round.errors[0].second, "no luck");
    EXPECT_EQ(t.get(good.id).view.job.attempts + t.get(bad.id).view.job.attempts, 2);
}

TEST_F(ProcessDue, GoesOnUntilNothingIsLeftAlthoughRoomIsLess) {
    t.node.add_handler("a", {});
    t.env.on_handler = [](VirtualEnv::Call& call) { call.done(done("1")); };
    for (int i = 0; i < 30; ++i) {
        t.schedule(R"({"type":"a"})");
    }
    t.node.start();
    process(100);
    ASSERT_TRUE(answer.has_value());
    EXPECT_GT((*answer)->round.succeeded, 4) << "more than fits at once";
    for (const ActionView& action : t.jobs()) {
        EXPECT_EQ(action.job.status, Status::completed);
    }
}

TEST_F(ProcessDue, WaitsForWhatAnEndMakesReady) {
    t.node.add_handler("a", {});
    t.node.start();
    t.schedule(R"({"type":"a","lockGroup":"g"})");
    t.schedule(R"({"type":"a","lockGroup":"g"})");
    process(100);
    ASSERT_EQ(t.env.calls.size(), 1U);
    t.env.calls.at(0).done(done("1"));
    t.env.settle();
    EXPECT_FALSE(answer.has_value()) << "the second has just become its group's head";
    ASSERT_EQ(t.env.calls.size(), 2U);
    t.env.calls.at(1).done(done("1"));
    t.env.settle();
    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ((*answer)->round.succeeded, 2);
}

TEST_F(ProcessDue, TwoAtOnceDeleteOnce) {
    const Job job = t.schedule(R"({"type":"a"})");
    t.node.submit(OperateAction{.tenant = "default", .id = job.id, .operation = Operation::cancel},
                  [](const auto&) {});
    t.env.settle();
    t.env.advance(24h * 31);
    process(100);
    int deleted = 0;
    for (int i = 0; i < 2; ++i) {
        t.node.process_due(100, [&](const Result<Node::ProcessedWork>& work) {
            ASSERT_TRUE(work.has_value());
            deleted += static_cast<int>(work->deleted);
        });
    }
    t.env.settle();
    EXPECT_EQ((*answer)->deleted, 1);
    EXPECT_EQ(deleted, 0);
}

TEST_F(ProcessDue, AnswersWhenEnoughWasDone) {
    t.node.add_handler("a", {});
    for (int i = 0; i < 4; ++i) {
        t.schedule(R"({"type":"a"})");
    }
    t.node.start();
    process(1);
    ASSERT_EQ(t.env.calls.size(), 4U);
    for (VirtualEnv::Call& call : t.env.calls) {
        call.done(done("1"));
    }
    t.env.settle();
    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ((*answer)->round.processed(), 1);
}

TEST_F(ProcessDue, AnAttemptThatTimesOutHasFailed) {
    t.node.add_handler("a", {.timeout = 5s});
    t.node.start();
    const Job job = t.schedule(R"({"type":"a","maxRetries":1})");
    process(100);
    t.env.advance(6s);
    ASSERT_TRUE(answer.has_value()) << "its handler hangs, and nobody waits for that";
    ASSERT_EQ((*answer)->round.errors.size(), 1U);
    EXPECT_EQ((*answer)->round.errors[0].first, job.id);
}

TEST_F(ProcessDue, WithoutHandlersThereIsNothingToDo) {
    t.node.start();
    t.schedule(R"({"type":"a"})");
    process(100);
    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ((*answer)->round.processed(), 0);
}

TEST_F(ProcessDue, DeletesWhatIsPastItsRetention) {
    const Job job = t.schedule(R"({"type":"a"})");
    t.node.submit(OperateAction{.tenant = "default", .id = job.id, .operation = Operation::cancel},
                  [](const auto&) {});
    t.env.settle();
    t.env.advance(24h * 7);  // the node has not started: nobody else deletes
    process(100);
    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ((*answer)->deleted, 1);
    EXPECT_TRUE(t.jobs().empty());
}

}  // namespace
}  // namespace semel
