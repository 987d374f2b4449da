// The rows of chains: steps, edges, and what a load brings of them (core/batch/load_spec.hpp).
#include "conformance/store_conformance.hpp"

namespace semel::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;
using testing::UnorderedElementsAre;

Job chain_job(int n) {
    Job job = ready_job(n);
    job.in_chain = true;
    return job;
}

Job blocked_job(int n, int blockers) {
    Job job = chain_job(n);
    job.status = Status::blocked;
    job.place = Place::blocked;
    job.blockers = blockers;
    job.blockers_left = blockers;
    return job;
}

void end(Job& job, Status status, Place place) {
    job.status = status;
    job.place = place;
    job.completed_at = kStart;
}

Edge edge_of(int blocked, int position, int blocker, bool done = false) {
    return {{number(blocked), position}, number(blocker), done};
}

class ChainRows : public StoreConformance {
protected:
    void write_edges(const std::vector<Edge>& edges) {
        Changes changes;
        for (const Edge& edge : edges) changes.edges.push_back(inserted(edge));
        write(changes);
    }
    std::vector<Edge> edges_of_job(int n) {
        return driver.look({.jobs = {{.id = number(n), .stays = true, .blockers = true}}}).edges;
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, ChainRows, all_stores(), name_of_store);

// ---- edges --------------------------------------------------------------------------------------

TEST_P(ChainRows, EdgesAreWrittenChangedAndDeleted) {
    write(inserting({blocked_job(1, 2), chain_job(2), chain_job(3)}));
    write_edges({edge_of(1, 1, 2), edge_of(1, 0, 3)});
    EXPECT_THAT(edges_of_job(1), UnorderedElementsAre(edge_of(1, 0, 3), edge_of(1, 1, 2)));
    Changes changes;
    changes.edges = {changed(edge_of(1, 1, 2), edge_of(1, 1, 2, true)), deleted(edge_of(1, 0, 3))};
    write(changes);
    EXPECT_THAT(edges_of_job(1), ElementsAre(edge_of(1, 1, 2, true)));
}

TEST_P(ChainRows, AnEdgeIsWrittenOnce) {
    write(inserting({blocked_job(1, 1), chain_job(2), chain_job(3)}));
    write_edges({edge_of(1, 0, 2)});
    Changes again;
    again.edges = {inserted(edge_of(1, 0, 3))};
    EXPECT_FALSE(driver.write(again).has_value());
    EXPECT_THAT(edges_of_job(1), ElementsAre(edge_of(1, 0, 2)));
}

TEST_P(ChainRows, AJobThatAsksForItsBlockersGetsThemWithTheirLastJobs) {
    Job first = chain_job(2);
    end(first, Status::completed, Place::retained);
    const Job last = next_job(first, first, 4);
    write(inserting({blocked_job(1, 2), first, last, chain_job(3)}));
    write_edges({edge_of(1, 0, 2), edge_of(1, 1, 3)});
    const Loaded loaded =
        driver.look({.jobs = {{.id = number(1), .stays = true, .blockers = true}}});
    EXPECT_THAT(loaded.edges, UnorderedElementsAre(edge_of(1, 0, 2), edge_of(1, 1, 3)));
    EXPECT_THAT(ids_of(loaded.jobs),
                UnorderedElementsAre(number(1), number(2), number(3), number(4)));
}

TEST_P(ChainRows, AChainThatMayEndBringsThoseWhoWaitForIt) {
    Job first = chain_job(1);
    first.blocks = 3;
    end(first, Status::completed, Place::retained);
    const Job last = next_job(first, first, 2);
    Job group_member = blocked_job(11, 1);
    group_member.lock_group = "g";
    Job over = blocked_job(12, 1);
    end(over, Status::failed, Place::done);
    Job head = ready_job(20);
    head.lock_group = "g";
    Changes changes = inserting({first, last, blocked_job(10, 1), group_member, over, head});
    changes.groups.push_back(inserted(LockGroup{{"acme", "g"}, head.id}));
    changes.edges = {inserted(edge_of(10, 0, 1)), inserted(edge_of(11, 0, 1)),
                     inserted(edge_of(12, 0, 1, true))};
    write(changes);

    const Loaded loaded = driver.look({.jobs = {{.id = last.id}}});
    EXPECT_THAT(loaded.edges, UnorderedElementsAre(edge_of(10, 0, 1), edge_of(11, 0, 1),
                                                   edge_of(12, 0, 1, true)));
    EXPECT_THAT(ids_of(loaded.jobs),
                UnorderedElementsAre(number(1), number(2), number(10), number(11), number(20)));
    EXPECT_EQ(loaded.groups.size(), 1U) << "who goes on joins its line";

    const Loaded stays = driver.look({.jobs = {{.id = last.id, .stays = true}}});
    EXPECT_THAT(ids_of(stays.jobs), ElementsAre(last.id));
    EXPECT_THAT(stays.edges, IsEmpty());
}

TEST_P(ChainRows, AChainNobodyWaitsForBringsNobody) {
    write(inserting({chain_job(1), blocked_job(10, 1), chain_job(2)}));
    write_edges({edge_of(10, 0, 2)});
    EXPECT_THAT(driver.look({.jobs = {{.id = number(1)}}}).edges, IsEmpty());
}

// ---- steps --------------------------------------------------------------------------------------

TEST_P(ChainRows, AStepIsFoundByItsChainAndIndex) {
    Job first = chain_job(1);
    end(first, Status::completed, Place::retained);
    first.has_result = true;
    Job second = next_job(first, first, 5);
    Changes changes = inserting({first, second, chain_job(3)});
    const JobResult result{"1", {}, {}};
    changes.results.emplace_back(first.id, result);
    write(changes);
    LoadSpec spec;
    spec.steps = {{number(1), 0}, {number(1), 1}, {number(1), 2}, {number(3), 0}, {number(4), 0}};
    const Loaded loaded = driver.look(spec);
    EXPECT_THAT(loaded.steps, UnorderedElementsAre(Pair(StepRef{number(1), 0}, number(1)),
                                                   Pair(StepRef{number(1), 1}, number(5)),
                                                   Pair(StepRef{number(3), 0}, number(3))));
    EXPECT_THAT(loaded.results, ElementsAre(Pair(number(1), result)));
    EXPECT_THAT(ids_of(loaded.jobs), UnorderedElementsAre(number(1), number(5), number(3)));
}

TEST_P(ChainRows, AStepIsHadOnce) {
    Job first = chain_job(1);
    end(first, Status::completed, Place::retained);
    Job second = next_job(first, first, 2);
    Job rival = second;
    rival.id = number(3);
    write(inserting({first, second}));
    EXPECT_FALSE(driver.write(inserting({rival})).has_value());
    EXPECT_FALSE(find_job(rival.id).has_value());
    EXPECT_EQ(find_job(second.id), second);
}

TEST_P(ChainRows, AChainBringsItsLastJobWhereThatIsAsked) {
    Job first = chain_job(1);
    end(first, Status::completed, Place::retained);
    Job second = next_job(first, first, 2);
    end(second, Status::completed, Place::retained);
    Job third = next_job(second, first, 3);
    write(inserting({first, second, third}));
    const Loaded loaded = driver.look({.jobs = {{.id = number(1), .stays = true, .chain = true}}});
    EXPECT_THAT(loaded.jobs, UnorderedElementsAre(first, third));
}

TEST_P(ChainRows, AKeyOfAChainBringsItsLastJobWithTheResult) {
    Job first = chain_job(1);
    first.claim = hash_of(9);
    end(first, Status::completed, Place::retained);
    Job last = next_job(first, first, 2);
    end(last, Status::completed, Place::done);
    last.has_result = true;
    Claim claim = small_claim(9);
    claim.owners = {{.job = first.id, .window_from = kStart}};
    const JobResult result{"7", {}, {}};
    Changes changes = inserting({first, last});
    changes.claims.push_back(inserted(claim));
    changes.results.emplace_back(last.id, result);
    write(changes);
    LoadSpec spec;
    spec.claims = {claim.id};
    const Loaded loaded = driver.look(spec);
    EXPECT_THAT(loaded.jobs, UnorderedElementsAre(first, last));
    EXPECT_THAT(loaded.results, ElementsAre(Pair(last.id, result)));
}

TEST_P(ChainRows, AnIdThatIsHadIsTaken) {
    write(inserting({chain_job(1)}));
    LoadSpec spec;
    spec.wanted_ids = {number(1), number(2)};
    EXPECT_THAT(driver.look(spec).taken_ids, ElementsAre(number(1)));
}

// Retention takes the first jobs of a long chain first.
TEST_P(ChainRows, AnIdIsTakenAsLongAsStepsOfItsChainAreLeft) {
    Job first = chain_job(1);
    end(first, Status::completed, Place::retained);
    write(inserting({next_job(first, first, 2)}));
    LoadSpec spec;
    spec.wanted_ids = {number(1)};
    EXPECT_THAT(driver.look(spec).taken_ids, ElementsAre(number(1)));
}

// ---- who waits for whom -------------------------------------------------------------------------

TEST_P(ChainRows, WaitsAreFollowedFromChainToChain) {
    // 1 waits, with its second job, for 2 and for 3, which has completed; 2 waits for 4.
    Job first = chain_job(1);
    end(first, Status::completed, Place::retained);
    Job second = next_job(first, first, 5);
    second.status = Status::blocked;
    second.place = Place::blocked;
    second.blockers = 2;
    second.blockers_left = 1;
    Job third = chain_job(3);
    end(third, Status::completed, Place::retained);
    write(inserting({first, second, blocked_job(2, 1), third, chain_job(4), chain_job(6)}));
    write_edges({edge_of(5, 0, 2), edge_of(5, 1, 3, true), edge_of(2, 0, 4)});
    LoadSpec spec;
    spec.waits_from = {number(1), number(6)};
    const Loaded loaded = driver.look(spec);
    EXPECT_THAT(loaded.waits,
                UnorderedElementsAre(Wait{number(1), number(2)}, Wait{number(2), number(4)}));
    EXPECT_TRUE(loaded.waits_are_whole);
}

// ---- queries ------------------------------------------------------------------------------------

TEST_P(ChainRows, ReadyJobsComeWithWhatTheirBlockersHaveComeTo) {
    Job taken = chain_job(1);
    taken.blockers = 3;
    Job first = chain_job(2);
    first.type = "first";
    end(first, Status::completed, Place::retained);
    Job last = next_job(first, first, 3);
    last.type = "last";
    end(last, Status::completed, Place::retained);
    last.has_result = true;
    Job failed = chain_job(4);
    end(failed, Status::failed, Place::retained);
    Changes changes = inserting({taken, first, last, failed, chain_job(5)});
    changes.results.emplace_back(last.id, JobResult{"[2]", {}, {}});
    changes.edges = {inserted(edge_of(1, 0, 4)), inserted(edge_of(1, 1, 99, true)),
                     inserted(edge_of(1, 2, 2, true))};
    write(changes);
    const auto found = ask(ReadyQuery{.tenant = "acme", .types = {"mail"}, .limit = 10});
    ASSERT_TRUE(found.blockers.contains(number(1)));
    EXPECT_THAT(found.blockers, Not(Contains(Pair(number(5), testing::_))));
    const auto& blockers = found.blockers.at(number(1));
    ASSERT_EQ(blockers.size(), 3U);
    EXPECT_EQ(blockers[0].id, number(4));
    EXPECT_EQ(blockers[0].status, Status::failed);
    EXPECT_EQ(blockers[0].output, std::nullopt);
    EXPECT_EQ(blockers[1].id, number(99));
    EXPECT_EQ(blockers[1].status, std::nullopt) << "its rows are gone";
    EXPECT_EQ(blockers[2].id, number(2));
    EXPECT_EQ(blockers[2].type, "first") << "a chain's type is its first job's";
    EXPECT_EQ(blockers[2].status, Status::completed);
    EXPECT_EQ(blockers[2].output, "[2]");
}

TEST_P(ChainRows, WhatIsKeptIsNotFinished) {
    Job passed = chain_job(1);
    end(passed, Status::completed, Place::retained);
    Job telling = chain_job(2);
    end(telling, Status::failed, Place::failing_dependants);
    Job done = chain_job(3);
    end(done, Status::failed, Place::done);
    write(inserting({passed, telling, done}));
    const auto found = ask(FinishedQuery{Millis(0), 10});
    ASSERT_EQ(found.chains.size(), 1U);
    EXPECT_EQ(found.chains[0].last, number(3));
    // What nobody waits for any more may go.
    Job released = passed;
    released.place = Place::done;
    Changes changes;
    changes.jobs.push_back(changed(passed, released));
    write(changes);
    EXPECT_EQ(ask(FinishedQuery{Millis(0), 10}).chains.size(), 2U);
}

TEST_P(ChainRows, AFinishedChainComesWhole) {
    Job first = chain_job(1);
    first.claim = hash_of(9);
    end(first, Status::completed, Place::retained);
    Job second = next_job(first, first, 4);
    second.blockers = 1;
    end(second, Status::completed, Place::retained);
    Job third = next_job(second, first, 3);
    end(third, Status::completed, Place::done);
    Job blocker = chain_job(8);
    blocker.blocks = 1;
    end(blocker, Status::completed, Place::retained);
    Claim claim = small_claim(9);
    claim.owners = {{.job = first.id, .window_from = kStart}};
    Changes changes = inserting({first, second, third, blocker});
    changes.claims.push_back(inserted(claim));
    changes.edges = {inserted(edge_of(4, 0, 8, true))};
    write(changes);
    LoadSpec spec;
    spec.queries = {FinishedQuery{Millis(0), 10}};
    const Loaded loaded = driver.look(spec);
    ASSERT_EQ(loaded.queries.at(0).chains.size(), 1U);
    const FinishedChain& chain = loaded.queries.at(0).chains.front();
    EXPECT_EQ(chain.last, third.id);
    EXPECT_THAT(chain.before, ElementsAre(first.id, second.id));
    EXPECT_TRUE(chain.is_whole);
    EXPECT_THAT(loaded.claims, ElementsAre(claim));
    EXPECT_THAT(loaded.edges, ElementsAre(edge_of(4, 0, 8, true)));
    EXPECT_THAT(loaded.jobs, UnorderedElementsAre(first, second, third, blocker));
}

TEST_P(ChainRows, FailingDependantsFindsTheOldestWithDependants) {
    Job failed = chain_job(2);
    failed.blocks = 1;
    end(failed, Status::failed, Place::failing_dependants);
    Job older = chain_job(1);
    older.blocks = 1;
    end(older, Status::cancelled, Place::failing_dependants);
    write(inserting({failed, older, blocked_job(10, 1), blocked_job(11, 1)}));
    write_edges({edge_of(10, 0, 1), edge_of(11, 0, 2)});
    LoadSpec spec;
    spec.queries = {FailingDependantsQuery{.limit = 1}};
    const Loaded loaded = driver.look(spec);
    EXPECT_THAT(loaded.queries.at(0).jobs, ElementsAre(number(1)));
    EXPECT_THAT(loaded.edges, ElementsAre(edge_of(10, 0, 1)));
    EXPECT_THAT(ids_of(loaded.jobs), UnorderedElementsAre(number(1), number(10)));
    EXPECT_THAT(ask(FailingDependantsQuery{.limit = 9}).jobs, ElementsAre(number(1), number(2)));
    Job told = older;
    told.place = Place::retained;
    Changes changes;
    changes.jobs.push_back(changed(older, told));
    write(changes);
    EXPECT_THAT(ask(FailingDependantsQuery{.limit = 9}).jobs, ElementsAre(number(2)));
}

TEST_P(ChainRows, ADeletionFindsAChainsJobsAndWithCascadeThoseOfItsBlockers) {
    Job first = chain_job(1);
    end(first, Status::completed, Place::retained);
    Job last = next_job(first, first, 2);
    last.blockers = 1;
    Job blocker = chain_job(3);
    blocker.blocks = 1;
    write(inserting({first, last, blocker}));
    write_edges({edge_of(2, 0, 3)});
    const auto alone = ask(DeletionQuery{number(1), false}).deletion;
    ASSERT_TRUE(alone.has_value());
    EXPECT_THAT(alone->chains, ElementsAre(Pair(number(1), ElementsAre(number(1), number(2)))));
    const auto with_blockers = ask(DeletionQuery{number(1), true}).deletion;
    ASSERT_TRUE(with_blockers.has_value());
    EXPECT_THAT(with_blockers->chains,
                UnorderedElementsAre(Pair(number(1), ElementsAre(number(1), number(2))),
                                     Pair(number(3), ElementsAre(number(3)))));
}

}  // namespace
}  // namespace semel::test
