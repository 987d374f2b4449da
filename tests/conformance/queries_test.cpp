// What the queries of a batch find, in which order, and when there will be more.
#include "conformance/store_conformance.hpp"

namespace semel::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Job ready_for(int n, const std::string& tenant, const std::string& type = "mail") {
    Job job = ready_job(n);
    job.tenant = tenant;
    job.type = type;
    return job;
}

Job ready_with(int n, int priority, Millis behind, const std::string& type = "mail") {
    Job job = ready_job(n);
    job.priority = priority;
    job.scheduled_at = kStart + behind;
    job.type = type;
    return job;
}

ReadyQuery ready_query(int limit, std::vector<std::string> types = {"mail"}) {
    return {.tenant = "acme", .types = std::move(types), .limit = limit};
}

ReadyQuery all_tenants(int limit, const std::string& after = "") {
    return {.tenant = {}, .types = {"mail"}, .limit = limit, .after_tenant = after};
}

class Queries : public StoreConformance {
protected:
    std::vector<JobId> find(const Query& query) { return ask(query).jobs; }
};

INSTANTIATE_TEST_SUITE_P(Stores, Queries, all_stores(), name_of_store);

// ---- ready ------------------------------------------------------------------------------------

TEST_P(Queries, ReadyIsOrderedByPriorityThenTimeThenId) {
    write(inserting({ready_with(1, 0, Millis(5)), ready_with(2, 0, Millis(1)),
                     ready_with(3, 9, Millis(9)), ready_with(4, 0, Millis(1)),
                     ready_with(5, -3, Millis(0))}));
    EXPECT_THAT(find(ready_query(10)),
                ElementsAre(number(3), number(2), number(4), number(1), number(5)));
    EXPECT_THAT(find(ready_query(2)), ElementsAre(number(3), number(2)));
}

TEST_P(Queries, ReadyMergesTheTypesInOneOrder) {
    write(inserting({ready_with(1, 0, Millis(1), "a"), ready_with(2, 0, Millis(2), "b"),
                     ready_with(3, 0, Millis(3), "a"), ready_with(4, 1, Millis(4), "b"),
                     ready_with(5, 5, Millis(0), "c")}));
    EXPECT_THAT(find(ready_query(10, {"b", "a", "b", "none"})),
                ElementsAre(number(4), number(1), number(2), number(3)));
}

TEST_P(Queries, ReadyFindsOnlyReadyJobsOfItsTenant) {
    write(inserting({ready_for(1, "acme"), ready_for(2, "zeta"), later_job(3, kStart),
                     running_job(4, kStart), waiting_job(5, "g"),
                     finished_job(6, Status::failed, kStart)}));
    EXPECT_THAT(find(ready_query(10)), ElementsAre(number(1)));
    EXPECT_THAT(find(ready_query(10, {})), IsEmpty());
    EXPECT_THAT(find(ready_query(0)), IsEmpty());
}

TEST_P(Queries, ReadyReachesFarIntoALongQueue) {
    std::vector<Job> jobs;
    std::vector<JobId> expected;
    for (int n = 0; n < 1000; ++n) {
        jobs.push_back(ready_for(n, "acme"));
        expected.push_back(number(n));
    }
    write(inserting(jobs));
    EXPECT_EQ(find(ready_query(1000)), expected);
}

TEST_P(Queries, TenantsAreServedInTurnFromTheOneAfter) {
    write(inserting({ready_for(1, "a"), ready_for(2, "a"), ready_for(3, "a"), ready_for(4, "b"),
                     ready_for(5, "c"), ready_for(6, "c")}));
    EXPECT_THAT(find(all_tenants(10)),
                ElementsAre(number(1), number(4), number(5), number(2), number(6), number(3)));
    EXPECT_THAT(find(all_tenants(4, "a")), ElementsAre(number(4), number(5), number(1), number(6)));
    EXPECT_THAT(find(all_tenants(2, "b")), ElementsAre(number(5), number(1)));
    EXPECT_THAT(find(all_tenants(2, "zzz")), ElementsAre(number(1), number(4)));
}

TEST_P(Queries, TenantsWithoutWorkOfTheseTypesTakeNoTurn) {
    write(inserting({ready_for(1, "a", "other"), ready_for(2, "b", "other"), ready_for(3, "c")}));
    EXPECT_THAT(find(all_tenants(1)), ElementsAre(number(3)));
    EXPECT_THAT(find(all_tenants(1, "c")), ElementsAre(number(3)));
}

TEST_P(Queries, ManyTenantsWithoutWorkOfTheseTypesHideNobody) {
    constexpr int kTenants = 2'100;
    std::vector<Job> jobs;
    jobs.reserve(kTenants + 1);
    for (int n = 0; n < kTenants; ++n) {
        jobs.push_back(ready_for(n, "tenant" + std::to_string(n), "other"));
    }
    jobs.push_back(ready_for(kTenants, "the last one"));
    write(inserting(jobs));
    EXPECT_THAT(find(all_tenants(1)), ElementsAre(number(kTenants)));
}

TEST_P(Queries, OneTenantsBacklogDoesNotHideAnother) {
    std::vector<Job> jobs;
    jobs.reserve(501);
    for (int n = 0; n < 500; ++n) {
        jobs.push_back(ready_for(n, "big"));
    }
    jobs.push_back(ready_for(501, "small"));
    write(inserting(jobs));
    EXPECT_THAT(find(all_tenants(2)), ElementsAre(number(0), number(501)));
}

TEST_P(Queries, NoJobIsFoundByTwoQueriesOfABatch) {
    write(inserting({ready_for(1, "acme"), ready_for(2, "acme"), ready_for(3, "acme")}));
    LoadSpec spec;
    spec.queries = {ready_query(2), all_tenants(2), ready_query(2)};
    const auto results = driver.look(spec).queries;
    ASSERT_EQ(results.size(), 3U);
    EXPECT_THAT(results[0].jobs, ElementsAre(number(1), number(2)));
    EXPECT_THAT(results[1].jobs, ElementsAre(number(3)));
    EXPECT_THAT(results[2].jobs, IsEmpty());
}

TEST_P(Queries, AJobThatWasTakenIsReadyNoMore) {
    const Job before = ready_job(1);
    write(inserting({before, ready_job(2)}));
    Changes changes;
    changes.jobs.push_back(changed(before, running_job(1, kStart + Millis(5))));
    write(changes);
    EXPECT_THAT(find(ready_query(10)), ElementsAre(number(2)));
}

// ---- due, expired, finished --------------------------------------------------------------------

TEST_P(Queries, DueFindsWhatIsDueEarliestFirstAndSaysWhenTheNextWillBe) {
    write(inserting({later_job(1, kStart + Millis(20)), later_job(2, kStart + Millis(10)),
                     later_job(3, kStart + Millis(30)), later_job(4, kStart + Millis(10)),
                     ready_job(5)}));
    EXPECT_THAT(ask(DueQuery{}).jobs, IsEmpty());
    EXPECT_EQ(ask(DueQuery{}).next_at, kStart + Millis(10));
    clock.now = kStart + Millis(20);
    EXPECT_THAT(ask(DueQuery{}).jobs, ElementsAre(number(2), number(4), number(1)));
    EXPECT_EQ(ask(DueQuery{}).next_at, kStart + Millis(30));
    EXPECT_THAT(ask(DueQuery{.limit = 2}).jobs, ElementsAre(number(2), number(4)));
    EXPECT_EQ(ask(DueQuery{.limit = 2}).next_at, kStart + Millis(20));
    clock.now = kStart + Millis(30);
    EXPECT_EQ(ask(DueQuery{}).jobs.size(), 4U);
    EXPECT_EQ(ask(DueQuery{}).next_at, std::nullopt);
}

TEST_P(Queries, TwoDueQueriesOfABatchShareTheQueue) {
    write(inserting({later_job(1, kStart), later_job(2, kStart), later_job(3, kStart)}));
    LoadSpec spec;
    spec.queries = {DueQuery{.limit = 2}, DueQuery{.limit = 2}};
    const auto results = driver.look(spec).queries;
    EXPECT_THAT(results.at(0).jobs, ElementsAre(number(1), number(2)));
    EXPECT_EQ(results.at(0).next_at, kStart);
    EXPECT_THAT(results.at(1).jobs, ElementsAre(number(3)));
    EXPECT_EQ(results.at(1).next_at, std::nullopt);
}

TEST_P(Queries, ExpiredCountsTheLeaseOrTheTimeOutWhicheverIsEarlier) {
    Job by_lease = running_job(1, kStart + Millis(10));
    by_lease.lease->timeout_at = kStart + Millis(99);
    Job by_timeout = running_job(2, kStart + Millis(99));
    by_timeout.lease->timeout_at = kStart + Millis(5);
    const Job without_timeout = running_job(3, kStart + Millis(40));
    write(inserting({by_lease, by_timeout, without_timeout}));
    EXPECT_THAT(ask(ExpiredQuery{}).jobs, IsEmpty());
    EXPECT_EQ(ask(ExpiredQuery{}).next_at, kStart + Millis(5));
    clock.now = kStart + Millis(10);  // a lease is valid while now < until
    EXPECT_THAT(ask(ExpiredQuery{}).jobs, ElementsAre(number(2), number(1)));
    EXPECT_EQ(ask(ExpiredQuery{}).next_at, kStart + Millis(40));
    EXPECT_THAT(ask(ExpiredQuery{.limit = 1}).jobs, ElementsAre(number(2)));
    EXPECT_EQ(ask(ExpiredQuery{.limit = 1}).next_at, kStart + Millis(10));
}

TEST_P(Queries, AHeartbeatMovesTheExpiry) {
    const Job before = running_job(1, kStart + Millis(10));
    write(inserting({before}));
    Job after = before;
    after.lease->until = kStart + Millis(500);
    Changes changes;
    changes.jobs.push_back(changed(before, after));
    write(changes);
    clock.now = kStart + Millis(499);
    EXPECT_THAT(ask(ExpiredQuery{}).jobs, IsEmpty());
    EXPECT_EQ(ask(ExpiredQuery{}).next_at, kStart + Millis(500));
    EXPECT_EQ(find_job(before.id), after);
}

TEST_P(Queries, FinishedFindsTheOldestAndNeverWhatIsUncertain) {
    Job uncertain = ready_job(4);
    uncertain.status = Status::uncertain;
    uncertain.place = Place::done;
    write(inserting({finished_job(1, Status::failed, kStart + Millis(3)),
                     finished_job(2, Status::completed, kStart + Millis(1)),
                     finished_job(3, Status::cancelled, kStart + Millis(2)), uncertain,
                     ready_job(5)}));
    clock.now = kStart + Millis(102);
    const auto finished = [&](Millis age, int limit) {
        std::vector<JobId> ids;
        for (const FinishedChain& chain : ask(FinishedQuery{age, limit}).chains) {
            EXPECT_THAT(chain.before, IsEmpty());
            EXPECT_TRUE(chain.is_whole);
            ids.push_back(chain.last);
        }
        return ids;
    };
    EXPECT_THAT(finished(Millis(100), 500), ElementsAre(number(2), number(3)));
    EXPECT_THAT(finished(Millis(100), 1), ElementsAre(number(2)));
    EXPECT_THAT(finished(Millis(1000), 500), IsEmpty());
    EXPECT_THAT(finished(Millis(0), 500), ElementsAre(number(2), number(3), number(1)));
}

TEST_P(Queries, ExpiredClaimsAreThoseWhoseTimeHasCome) {
    Changes changes;
    for (int n = 1; n <= 4; ++n) {
        Claim claim = full_claim(n);
        claim.expires_at = kStart + Millis(10 * n);
        if (n == 4) claim.expires_at.reset();
        changes.claims.push_back(inserted(claim));
    }
    write(changes);
    EXPECT_THAT(ask(ExpiredClaimsQuery{}).claims, IsEmpty());
    clock.now = kStart + Millis(20);
    EXPECT_THAT(ask(ExpiredClaimsQuery{}).claims, ElementsAre(hash_of(1), hash_of(2)));
    EXPECT_THAT(ask(ExpiredClaimsQuery{.limit = 1}).claims, ElementsAre(hash_of(1)));
    clock.now = kStart + std::chrono::hours(10'000);
    EXPECT_EQ(ask(ExpiredClaimsQuery{}).claims.size(), 3U);
}

constexpr Millis kDay = std::chrono::hours(24);

TEST_P(Queries, FinishedBulkRunsComeFromTheirRetentionOn) {
    Changes changes;
    BulkRun finished = full_bulk_run(1);
    finished.finished_at = clock.now;
    changes.bulk_runs = {inserted(finished), inserted(full_bulk_run(2))};
    write(changes);
    const FinishedBulkRunsQuery query{.age = std::chrono::seconds(10), .limit = 5};
    clock.now += Millis(9'999);
    EXPECT_THAT(ask(query).bulk_runs, IsEmpty());
    clock.now += Millis(1);
    EXPECT_THAT(ask(query).bulk_runs, ElementsAre(finished.id));
}

TEST_P(Queries, OldDecisionsAreFoundByTheDayTheyWereWrittenOnAndForgotten) {
    Changes changes;
    changes.decisions = {full_decision(1), full_decision(2), full_decision(3)};
    write(changes);
    clock.now += kDay;
    Changes next_day;
    next_day.decisions = {full_decision(4)};
    write(next_day);
    clock.now += kDay;
    const OldDecisionsQuery query{.age = kDay, .limit = 2};
    // A store may answer line by line, or with one that is about whole days.
    int found = 0;
    for (auto old = ask(query).decisions; !old.empty(); old = ask(query).decisions) {
        ASSERT_LE(old.size(), 2U);
        ASSERT_LE(found += static_cast<int>(old.size()), 3) << "what is forgotten is found again";
        Changes forgetting;
        forgetting.forgotten = old;
        write(forgetting);
    }
    EXPECT_GE(found, 1);
    EXPECT_EQ(driver.list_decisions(full_decision(1).tenant).size(), 1U);
}

TEST_P(Queries, TheDecisionLogReadsOnAcrossDays) {
    for (int day = 0; day < 3; ++day) {
        Changes changes;
        changes.decisions = {full_decision(1), full_decision(2)};
        write(changes);
        clock.now += kDay;
    }
    const std::string tenant = full_decision(1).tenant;
    const auto all = driver.list_decisions(tenant);
    ASSERT_EQ(all.size(), 6U);
    for (std::size_t i = 1; i < all.size(); ++i) {
        EXPECT_GT(all[i - 1].sequence, all[i].sequence);
    }
    const auto page = driver.list_decisions(tenant, all[0].sequence, 3);
    ASSERT_EQ(page.size(), 3U);
    EXPECT_EQ(page[2].sequence, all[3].sequence);
}

}  // namespace
}  // namespace semel::test
