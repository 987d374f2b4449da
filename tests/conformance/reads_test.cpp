// Lists and look-ups.
#include "conformance/store_conformance.hpp"

namespace semel::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ReadsOf : public StoreConformance {
protected:
    std::vector<JobId> list(const ActionFilter& filter, std::optional<JobId> before = {},
                            int limit = 100) {
        return ids_of(driver.list_actions("acme", filter, before, limit));
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, ReadsOf, all_stores(), name_of_store);

TEST_P(ReadsOf, AnActionComesWithPayloadResultHistoryAndItsGroupsHead) {
    Job job = waiting_job(1, "g");
    job.has_result = true;
    const Job head = ready_job(2);
    const JobResult result{{}, "broken", "failed"};
    Changes changes = inserting({job, head});
    changes.results.emplace_back(job.id, result);
    changes.groups.push_back(inserted(LockGroup{{"acme", "g"}, head.id}));
    // Written out of order; a later attempt has a larger token.
    changes.attempts = {full_attempt(job.id, 3), full_attempt(job.id, 1), full_attempt(job.id, 2),
                        full_attempt(head.id, 1)};
    write(changes);
    const auto details = driver.get_action("acme", job.id);
    ASSERT_TRUE(details.has_value());
    EXPECT_EQ(details->view.job, job);
    EXPECT_EQ(details->view.body.payload, payload_of(job.id));
    EXPECT_EQ(details->view.result, result);
    EXPECT_EQ(details->group_head, head.id);
    ASSERT_EQ(details->history.size(), 3U);
    EXPECT_EQ(details->history[0].number, 1);
    EXPECT_EQ(details->history[1].number, 2);
    EXPECT_EQ(details->history[2].number, 3);
}

TEST_P(ReadsOf, AnActionOfAnotherTenantIsNotThere) {
    write(inserting({ready_job(1)}));
    EXPECT_FALSE(driver.get_action("zeta", number(1)).has_value());
    EXPECT_FALSE(driver.get_action("acme", number(2)).has_value());
    EXPECT_THAT(driver.list_actions("zeta"), IsEmpty());
}

TEST_P(ReadsOf, ListsAreNewestFirstWhateverTheStatus) {
    write(inserting({finished_job(1, Status::completed, kStart), ready_job(2),
                     finished_job(3, Status::failed, kStart), running_job(4, kStart),
                     finished_job(5, Status::superseded, kStart), full_job(6, Status::uncertain),
                     full_job(7, Status::blocked), finished_job(8, Status::cancelled, kStart)}));
    EXPECT_THAT(list({}), ElementsAre(number(8), number(7), number(6), number(5), number(4),
                                      number(3), number(2), number(1)));
    EXPECT_THAT(list({}, number(5)), ElementsAre(number(4), number(3), number(2), number(1)));
    EXPECT_THAT(list({}, number(5), 2), ElementsAre(number(4), number(3)));
    EXPECT_THAT(list({}, number(1)), IsEmpty());
}

TEST_P(ReadsOf, AListHasEverythingThatIsShown) {
    Job job = full_job(1, Status::completed);
    Changes changes = inserting({job});
    const JobResult result{"[1]", {}, {}};
    changes.results.emplace_back(job.id, result);
    write(changes);
    const auto views = driver.list_actions("acme");
    ASSERT_EQ(views.size(), 1U);
    EXPECT_EQ(views[0].job, job);
    EXPECT_EQ(views[0].body.payload, payload_of(job.id));
    EXPECT_EQ(views[0].result, result);
}

TEST_P(ReadsOf, EachStatusHasItsList) {
    constexpr std::array kStatuses = {Status::blocked,    Status::pending,  Status::running,
                                      Status::completed,  Status::failed,   Status::cancelled,
                                      Status::superseded, Status::uncertain};
    std::vector<Job> jobs;
    for (int round = 0; round < 2; ++round) {
        for (const Status status : kStatuses) {
            jobs.push_back(full_job(static_cast<int>(jobs.size()), status));
        }
    }
    write(inserting(jobs));
    for (std::size_t i = 0; i < kStatuses.size(); ++i) {
        ActionFilter filter;
        filter.status = kStatuses[i];
        const int first = static_cast<int>(i);
        EXPECT_THAT(list(filter), ElementsAre(number(first + 8), number(first)));
        EXPECT_THAT(list(filter, {}, 1), ElementsAre(number(first + 8)));
        EXPECT_THAT(list(filter, number(first + 8)), ElementsAre(number(first)));
    }
}

TEST_P(ReadsOf, FiltersMayBeCombined) {
    Job a = ready_job(1);
    a.type = "a";
    a.lock_group = "g";
    Job b = ready_job(2);
    b.type = "b";
    b.lock_group = "g";
    Job c = ready_job(3);
    c.type = "b";
    c.chain = number(1);
    c.chain_index = 1;
    write(inserting({a, b, c}));
    ActionFilter by_type;
    by_type.type = "b";
    EXPECT_THAT(list(by_type), ElementsAre(number(3), number(2)));
    ActionFilter by_group;
    by_group.lock_group = "g";
    EXPECT_THAT(list(by_group), ElementsAre(number(2), number(1)));
    ActionFilter by_chain;
    by_chain.chain = number(1);
    EXPECT_THAT(list(by_chain), ElementsAre(number(3), number(1)));
    ActionFilter all = by_group;
    all.type = "b";
    all.status = Status::pending;
    all.chain = number(2);
    all.from = kStart;
    all.to = kStart + Millis(1);
    EXPECT_THAT(list(all), ElementsAre(number(2)));
    all.status = Status::running;
    EXPECT_THAT(list(all), IsEmpty());
}

TEST_P(ReadsOf, FromIsInclusiveAndToIsExclusive) {
    std::vector<Job> jobs;
    for (int n = 0; n < 5; ++n) {
        Job job = ready_job(n);
        job.created_at = kStart + Millis(n);
        job.id = id_at(job.created_at, n);
        job.chain = job.id;
        jobs.push_back(job);
    }
    // An id may run a little ahead of the clock.
    jobs[1].id = jobs[1].chain = id_at(kStart + Millis(3), 0);
    write(inserting(jobs));
    ActionFilter filter;
    filter.from = kStart + Millis(1);
    filter.to = kStart + Millis(3);
    EXPECT_THAT(list(filter), ElementsAre(jobs[1].id, jobs[2].id));
    filter.from = kStart + Millis(3);
    filter.to.reset();
    EXPECT_THAT(list(filter), ElementsAre(jobs[4].id, jobs[3].id));
}

TEST_P(ReadsOf, AWalkByIdsIsOldestFirstBetweenItsBounds) {
    write(
        inserting({finished_job(1, Status::completed, kStart), ready_job(2), running_job(3, kStart),
                   finished_job(4, Status::failed, kStart), ready_job(5)}));
    const auto walk = [&](const ActionFilter& filter, std::optional<JobId> after, int limit = 100) {
        return driver.walk_actions("acme", filter, after, number(5), limit);
    };
    EXPECT_THAT(walk({}, {}), ElementsAre(number(1), number(2), number(3), number(4)));
    EXPECT_THAT(walk({}, number(1), 2), ElementsAre(number(2), number(3)));
    EXPECT_THAT(walk({.status = Status::running}, {}), ElementsAre(number(3)));
    EXPECT_THAT(walk({}, number(4)), IsEmpty());
    EXPECT_THAT(driver.walk_actions("zeta", {}, {}, number(5), 9), IsEmpty());
}

TEST_P(ReadsOf, CountsWhatMatches) {
    write(
        inserting({finished_job(1, Status::completed, kStart), ready_job(2), running_job(3, kStart),
                   finished_job(4, Status::failed, kStart), ready_job(5)}));
    const auto count = [&](const ActionFilter& filter) {
        return driver.count_actions("acme", filter);
    };
    EXPECT_EQ(count({}), (MatchedActions{5, number(5)}));
    EXPECT_EQ(count({.status = Status::pending}), (MatchedActions{2, number(5)}));
    EXPECT_EQ(count({.status = Status::running}), (MatchedActions{1, number(3)}));
    EXPECT_EQ(count({.type = "no such"}), MatchedActions{});
    EXPECT_EQ(driver.count_actions("zeta", {}), MatchedActions{});
}

TEST_P(ReadsOf, AWalkShowsWhatMatchesThroughoutExactlyOnce) {
    std::vector<Job> jobs;
    jobs.reserve(50);
    for (int n = 0; n < 50; ++n) {
        jobs.push_back(ready_job(2 * n));
    }
    write(inserting(jobs));
    std::vector<JobId> seen;
    std::optional<JobId> before;
    for (int page = 0;; ++page) {
        const auto ids = list({}, before, 7);
        if (ids.empty()) break;
        seen.insert(seen.end(), ids.begin(), ids.end());
        before = ids.back();
        // Meanwhile others come, and some change their status.
        write(inserting({ready_job(1001 + page)}));
        Job& job = jobs[static_cast<std::size_t>(page)];
        const Job finished = finished_job(2 * page, Status::failed, kStart);
        Changes changes;
        changes.jobs.push_back(changed(job, finished));
        write(changes);
    }
    std::vector<JobId> expected;
    expected.reserve(50);
    for (int n = 49; n >= 0; --n) {
        expected.push_back(number(2 * n));
    }
    EXPECT_EQ(seen, expected);
}

TEST_P(ReadsOf, DecisionsAreListedNewestFirstPerTenant) {
    Changes changes;
    changes.decisions = {full_decision(1), full_decision(2, "zeta"), full_decision(3)};
    write(changes);
    Changes more;
    more.decisions = {full_decision(4)};
    write(more);
    const auto all = driver.list_decisions("acme");
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[0].entry.at, kStart + Millis(4));
    EXPECT_EQ(all[1].entry.at, kStart + Millis(3));
    EXPECT_EQ(all[2].entry.at, kStart + Millis(1));
    EXPECT_GT(all[0].sequence, all[1].sequence);
    EXPECT_GT(all[1].sequence, all[2].sequence);
    const auto older = driver.list_decisions("acme", all[0].sequence, 1);
    ASSERT_EQ(older.size(), 1U);
    EXPECT_EQ(older[0].sequence, all[1].sequence);
    EXPECT_EQ(driver.list_decisions("zeta").size(), 1U);
}

TEST_P(ReadsOf, JobsAreCountedByTypeAndStatus) {
    EXPECT_THAT(driver.count_jobs(), IsEmpty());
    Job other = ready_job(3);
    other.type = "bill";
    write(inserting({ready_job(1), ready_job(2), other}));
    Changes changes;
    changes.jobs.push_back(changed(ready_job(1), finished_job(1, Status::failed, kStart)));
    changes.jobs.push_back(deleted(other));
    write(changes);
    const auto counts = driver.count_jobs();
    ASSERT_EQ(counts.size(), 2U);
    EXPECT_EQ(counts[0].type, "mail");
    EXPECT_EQ(counts[0].status, Status::pending);
    EXPECT_EQ(counts[0].count, 1);
    EXPECT_EQ(counts[1].status, Status::failed);
    EXPECT_EQ(counts[1].count, 1);
}

// A store that is one file is copied; any other says so.
TEST_P(ReadsOf, ACopyIsAFileOrRefusedInWords) {
    std::promise<Result<OpenFile>> promise;
    store->copy([] { return true; },
                [&](Result<OpenFile> copied) { promise.set_value(std::move(copied)); });
    const auto copied = promise.get_future().get();
    if (store->info().kind == "sqlite") {
        ASSERT_TRUE(copied.has_value()) << copied.error().message();
        EXPECT_GT(copied->size(), 0U);
    } else {
        ASSERT_FALSE(copied.has_value());
        EXPECT_EQ(copied.error().code(), ErrorCode::refused);
        EXPECT_THAT(copied.error().message(), testing::HasSubstr("its own tools"));
    }
}

}  // namespace
}  // namespace semel::test
