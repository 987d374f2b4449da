// What users of chains rely on, on every store: keys, chains that wait for chains, and deletion.
#include "conformance/chain_fixture.hpp"

namespace semel::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

// ---- keys ---------------------------------------------------------------------------------------

class KeyBehaviour : public ChainConformance {
protected:
    static std::string keyed(const std::string& more = "", const std::string& type = "a") {
        return fmt::format(R"({{"type":"{}","deduplication":{{"key":"k"{}}}}})", type, more);
    }
    static std::string without(const JobId& id) {
        return keyed(R"(,"excludeChainIds":[")" + id.to_string() + R"("])");
    }
};
INSTANTIATE_TEST_SUITE_P(Stores, KeyBehaviour, all_stores(), name_of_store);

TEST_P(KeyBehaviour, AKeyIsOneChainsUntilThatHasEnded) {
    const JobId id = start_id(keyed());
    EXPECT_EQ(start_id(keyed()), id);
    work_on("a", R"({"type":"b"})");
    EXPECT_EQ(start_id(keyed()), id) << "its last step decides";
    work("b");
    EXPECT_EQ(start_id(keyed(R"(,"scope":"any")")), id);
    EXPECT_NE(start_id(keyed()), id);
}

TEST_P(KeyBehaviour, AWindowCountsFromTheMatch) {
    const JobId id = start_id(keyed());
    clock.now += 999ms;
    EXPECT_EQ(start_id(keyed(R"(,"windowMs":1000)")), id);
    clock.now += 1ms;
    EXPECT_NE(start_id(keyed(R"(,"windowMs":1000)")), id);
}

TEST_P(KeyBehaviour, ItIsPerType) {
    const JobId id = start_id(keyed());
    EXPECT_FALSE(start(keyed("", "b")).deduplicated);
    EXPECT_EQ(start_id(keyed()), id);
}

TEST_P(KeyBehaviour, ABatchMeetsItselfAndWhatWasThere) {
    const JobId there = start_id(keyed("", "old"));
    const auto items = start_all({keyed(), keyed("", "old"), keyed()});
    ASSERT_THAT(items, SizeIs(3));
    const JobId id = std::get<StartedChain>(items[0]).chain.first.id;
    EXPECT_EQ(std::get<StartedChain>(items[1]).chain.first.id, there);
    EXPECT_EQ(std::get<StartedChain>(items[2]).chain.first.id, id);
    EXPECT_EQ(driver.list_chains(kTenant).size(), 2U);
}

TEST_P(KeyBehaviour, ARecurringChainStartsItsNextByExcludingItself) {
    JobId round = start_id(keyed());
    for (int i = 0; i < 3; ++i) {
        const TakenJob running = take_one("a");
        const JobId next = start_id(without(round));
        EXPECT_NE(next, round);
        EXPECT_EQ(start_id(without(round)), next) << "a repeat starts no third";
        expect_ok(complete(running));
        round = next;
    }
    EXPECT_EQ(driver.list_chains(kTenant, {.status = Status::pending}).size(), 1U);
}

// ---- blockers -----------------------------------------------------------------------------------

class BlockerBehaviour : public ChainConformance {
protected:
    static std::vector<std::string> outputs_of(const TakenJob& job) {
        std::vector<std::string> outputs;
        for (const BlockerView& blocker : job.blockers) {
            outputs.push_back(blocker.output.value_or("none"));
        }
        return outputs;
    }
};
INSTANTIATE_TEST_SUITE_P(Stores, BlockerBehaviour, all_stores(), name_of_store);

TEST_P(BlockerBehaviour, AJobWaitsForAllOfThemAndGetsTheirOutputsInOrder) {
    const JobId done = start_id(R"({"type":"done"})");
    work("done", "0");
    const JobId id = start_id(fmt::format(
        R"({{"type":"join","blockers":["{}",{{"type":"x"}},{{"type":"y"}}]}})", done.to_string()));
    EXPECT_EQ(status(id), Status::blocked);
    work("y", "2");
    work_on("x", R"({"type":"x2"})");
    EXPECT_EQ(status(id), Status::blocked) << "a chain is waited for to its end";
    work("x2", "1");
    EXPECT_EQ(status(id), Status::pending);
    EXPECT_THAT(outputs_of(take_one("join")), ElementsAre("0", "1", "2"));
    EXPECT_THAT(take({"join"}), IsEmpty());
}

TEST_P(BlockerBehaviour, ALongLineOfThemIsReleasedOneByOne) {
    constexpr int kLength = 20;
    std::vector<JobId> line{start_id(R"({"type":"a"})")};
    for (int i = 1; i < kLength; ++i) line.push_back(start_id(behind("a", {line.back()})));
    for (const JobId& id : line) {
        const auto jobs = take({"a"}, kLength);
        ASSERT_THAT(jobs, SizeIs(1));
        EXPECT_EQ(jobs.front().job.id, id);
        expect_ok(complete(jobs.front()));
    }
}

TEST_P(BlockerBehaviour, ManyAreWaitedForAndTheLastReleases) {
    constexpr int kBlockers = 60;
    std::vector<JobId> blockers;
    for (int i = 0; i < kBlockers; ++i) blockers.push_back(start_id(R"({"type":"x"})"));
    const JobId id = start_id(behind("join", blockers));
    const auto jobs = take({"x"}, kBlockers);
    ASSERT_THAT(jobs, SizeIs(kBlockers));
    for (const TakenJob& job : jobs) {
        EXPECT_EQ(status(id), Status::blocked);
        expect_ok(complete(job));
        expect_ok(complete(job));  // its repeat counts nothing down
    }
    EXPECT_THAT(take({"join"}, 2), SizeIs(1));
}

TEST_P(BlockerBehaviour, SeveralOfABatchMayShareOne) {
    const JobId shared = chosen(40);
    const auto items =
        start_all({named(shared, "x"), behind("join", {shared}), behind("join", {shared})});
    for (const auto& item : items) ASSERT_EQ(code_of(item), std::nullopt);
    EXPECT_THAT(take({"join"}, 2), IsEmpty());
    work("x", "9");
    const auto jobs = take({"join"}, 3);
    ASSERT_THAT(jobs, SizeIs(2));
    for (const TakenJob& job : jobs) EXPECT_THAT(outputs_of(job), ElementsAre("9"));
}

TEST_P(BlockerBehaviour, AContinuationWaitsToo) {
    const JobId x = start_id(R"({"type":"x"})");
    const JobId id = start_id(R"({"type":"a"})");
    work_on("a", behind("b", {x}));
    EXPECT_EQ(status(id), Status::blocked);
    work("x", "4");
    EXPECT_THAT(outputs_of(take_one("b")), ElementsAre("4"));
}

TEST_P(BlockerBehaviour, AReleasedJobDoesNotJumpTheQueue) {
    const JobId x = start_id(R"({"type":"x"})");
    const JobId blocked = start_id(behind("a", {x}));
    clock.now += 1s;
    const JobId other = start_id(R"({"type":"a"})");
    clock.now += 1s;
    work("x");
    EXPECT_EQ(job(blocked).scheduled_at, now());
    const auto jobs = take({"a"}, 2);
    ASSERT_THAT(jobs, SizeIs(2));
    EXPECT_EQ(jobs[0].job.id, other);
    EXPECT_EQ(jobs[1].job.id, blocked);
}

TEST_P(BlockerBehaviour, RunNowAndTimeSkipNone) {
    const JobId x = start_id(R"({"type":"x"})");
    const JobId id = start_id(behind("a", {x}, R"(,"schedule":{"afterMs":5000})"));
    expect_ok(operate(Operation::run_now, id));
    clock.now += 10s;
    promote();
    EXPECT_THAT(take({"a"}), IsEmpty());
    EXPECT_EQ(status(id), Status::blocked);
    work("x");
    EXPECT_THAT(take({"a"}), SizeIs(1));
}

TEST_P(BlockerBehaviour, OneThatFailsFailsThoseWhoWaitAndThoseInTurn) {
    const JobId x = start_id(R"({"type":"x"})");
    const JobId first = start_id(behind("a", {x}));
    const JobId second = start_id(behind("a", {first}));
    const JobId patient = start_id(behind("p", {x}, R"(,"onBlockerFailed":"wait")"));
    expect_ok(fail(take_one("x"), true));
    EXPECT_EQ(status(first), Status::blocked) << "they are told in commits of their own";
    tell();
    EXPECT_EQ(status(first), Status::failed);
    EXPECT_EQ(status(second), Status::failed);
    EXPECT_EQ(chain(second).result.error_code, "blocker_failed");
    EXPECT_EQ(status(patient), Status::blocked);
    const JobId late = start_id(behind("late", {x}));
    EXPECT_EQ(status(late), Status::failed) << "also one that has failed already";
    expect_ok(operate(Operation::retry, x));
    work("x");
    EXPECT_EQ(status(patient), Status::pending);
    expect_ok(operate(Operation::retry, late));
    EXPECT_EQ(status(late), Status::pending) << "by its blockers' present state";
    EXPECT_THAT(take({"a"}), IsEmpty());
}

TEST_P(BlockerBehaviour, ABlockedJobIsCompletedWithoutAWorkerAndReleasedNoMore) {
    const JobId x = start_id(R"({"type":"x"})");
    const JobId id = start_id(behind("a", {x}));
    const JobId further = start_id(behind("b", {id}));
    expect_ok(complete_chain(id, 0, "5"));
    EXPECT_EQ(status(further), Status::pending);
    work("x");
    EXPECT_EQ(chain(id).result.output, "5");
    EXPECT_THAT(take({"a"}), IsEmpty());
}

TEST_P(BlockerBehaviour, UnknownOnesAndCyclesAreRefusedAndNothingIsMade) {
    const JobId id = start_id(R"({"type":"a"})");
    const JobId next = start_id(behind("b", {id}));
    const JobId last = start_id(behind("c", {next}));
    EXPECT_EQ(code_of(start_all({behind("d", {chosen(9)})}).front()), ProblemCode::not_found);
    const TakenJob running = take_one("a");
    for (const JobId& blocker : {id, next, last}) {
        EXPECT_EQ(code_of(continue_with(running, behind("n", {blocker}))), ProblemCode::cycle);
    }
    EXPECT_EQ(driver.list_chains(kTenant).size(), 3U);
    EXPECT_THAT(types_of(id), ElementsAre("a"));
    expect_ok(complete(running));
    EXPECT_EQ(status(next), Status::pending);
}

TEST_P(BlockerBehaviour, StepsShowWhatTheyWaitedFor) {
    const JobId x = start_id(R"({"type":"x"})");
    const JobId id = start_id(behind("a", {x}));
    const auto blockers = [&] { return driver.list_steps(kTenant, id).at(0).blockers; };
    ASSERT_THAT(blockers(), SizeIs(1));
    EXPECT_EQ(blockers()[0].id, x);
    EXPECT_EQ(blockers()[0].status, Status::pending);
    work("x", "3");
    EXPECT_EQ(blockers()[0].status, Status::completed);
    EXPECT_THAT(driver.list_steps(kTenant, x).at(0).blockers, IsEmpty());
}

// ---- deletion -----------------------------------------------------------------------------------

class DeletionBehaviour : public ChainConformance {
protected:
    std::vector<JobId> deleted(const Reply<DeleteChain>& reply) {
        expect_ok(reply);
        const auto* gone = std::get_if<DeleteChain::Outcome>(&reply);
        return gone != nullptr ? *gone : std::vector<JobId>{};
    }
};
INSTANTIATE_TEST_SUITE_P(Stores, DeletionBehaviour, all_stores(), name_of_store);

TEST_P(DeletionBehaviour, AChainGoesWithAllItsJobsAndItsOwnerIsFenced) {
    const JobId id = start_id(R"({"type":"a"})");
    work_on("a", R"({"type":"b"})");
    const TakenJob running = take_one("b");
    EXPECT_THAT(deleted(erase(id)), ElementsAre(id));
    EXPECT_EQ(code_of(complete(running)), ProblemCode::not_found);
    EXPECT_FALSE(driver.get_chain(kTenant, id).has_value());
    EXPECT_THAT(driver.list_actions(kTenant), IsEmpty());
    EXPECT_THAT(driver.list_chains(kTenant), IsEmpty());
    EXPECT_EQ(code_of(erase(id)), ProblemCode::not_found);
}

TEST_P(DeletionBehaviour, ItIsRefusedWithTheListWhileOthersWait) {
    const auto items = start_all({named(chosen(30), "x"), behind("a", {chosen(30)})});
    const JobId x = chosen(30);
    const JobId waiting = std::get<StartedChain>(items[1]).chain.first.id;
    for (const bool cascade : {false, true}) {
        const auto refused = erase(x, cascade);
        ASSERT_EQ(code_of(refused), ProblemCode::dependants);
        EXPECT_THAT(std::get<Problem>(refused).dependants, ElementsAre(waiting));
    }
    EXPECT_EQ(status(x), Status::pending);
    EXPECT_THAT(deleted(erase(waiting)), ElementsAre(waiting));
    EXPECT_THAT(deleted(erase(x)), ElementsAre(x)) << "nobody waits any more";
}

TEST_P(DeletionBehaviour, CascadeTakesWhatItWaitedForOnce) {
    const JobId base = start_id(R"({"type":"x"})");
    const JobId left = start_id(behind("l", {base}));
    const JobId right = start_id(behind("r", {base}));
    const JobId top = start_id(behind("top", {left, right}));
    const JobId alone = start_id(R"({"type":"alone"})");
    EXPECT_THAT(deleted(erase(top, true)), UnorderedElementsAre(top, left, right, base));
    EXPECT_THAT(deleted(erase(alone, true)), ElementsAre(alone));
    EXPECT_THAT(driver.list_actions(kTenant), IsEmpty());
}

TEST_P(DeletionBehaviour, CascadeIsRefusedWhileSomebodyOutsideWaits) {
    const JobId base = start_id(R"({"type":"x"})");
    const JobId top = start_id(behind("top", {base}));
    const JobId outside = start_id(behind("outside", {base}));
    const auto refused = erase(top, true);
    ASSERT_EQ(code_of(refused), ProblemCode::dependants);
    EXPECT_THAT(std::get<Problem>(refused).dependants, ElementsAre(outside));
    EXPECT_EQ(driver.list_chains(kTenant).size(), 3U);
}

}  // namespace
}  // namespace semel::test
