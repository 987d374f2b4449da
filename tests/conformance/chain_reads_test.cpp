// Lists and look-ups of chains.
#include "conformance/store_conformance.hpp"

namespace semel::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Job chain_job(int n, const std::string& type = "mail") {
    Job job = ready_job(n);
    job.in_chain = true;
    job.type = type;
    return job;
}

void complete(Job& job, Place place) {
    job.status = Status::completed;
    job.place = place;
    job.completed_at = kStart;
}

std::vector<JobId> ids_of(const std::vector<ChainView>& chains) {
    std::vector<JobId> ids;
    for (const ChainView& chain : chains) ids.push_back(chain.first.id);
    return ids;
}

class ReadsOfChains : public StoreConformance {
protected:
    std::vector<JobId> list(const ChainFilter& filter, std::optional<JobId> before = {},
                            int limit = 100) {
        return ids_of(driver.list_chains("acme", filter, before, limit));
    }
    // Chains 1, 2 and 3: of one job, of two, and of one that failed.
    void write_three() {
        Job second = chain_job(2);
        complete(second, Place::retained);
        const Job last = next_job(second, second, 10);
        Job third = chain_job(3);
        third.status = Status::failed;
        third.place = Place::done;
        third.completed_at = kStart;
        write(inserting({chain_job(1), second, last, third}));
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, ReadsOfChains, all_stores(), name_of_store);

TEST_P(ReadsOfChains, AChainShowsItsFirstInputAndItsLastResult) {
    Job first = chain_job(1);
    complete(first, Place::retained);
    Job last = next_job(first, first, 2);
    complete(last, Place::done);
    last.has_result = true;
    const JobResult result{"[7]", {}, {}};
    Changes changes = inserting({first, last});
    changes.results.emplace_back(last.id, result);
    write(changes);
    const auto chain = driver.get_chain("acme", first.id);
    ASSERT_TRUE(chain.has_value());
    EXPECT_EQ(chain->first, first);
    EXPECT_EQ(chain->input.payload, payload_of(first.id));
    EXPECT_EQ(chain->last, last);
    EXPECT_EQ(chain->result, result);
    EXPECT_FALSE(driver.get_chain("zeta", first.id).has_value());
    EXPECT_FALSE(driver.get_chain("acme", last.id).has_value()) << "a step is no chain";
    EXPECT_FALSE(driver.get_chain("acme", number(9)).has_value());
}

TEST_P(ReadsOfChains, AnActionIsAChainOfOne) {
    Job job = ready_job(1);
    write(inserting({job}));
    const auto chain = driver.get_chain("acme", job.id);
    ASSERT_TRUE(chain.has_value());
    EXPECT_EQ(chain->first, job);
    EXPECT_EQ(chain->last, job);
    EXPECT_THAT(list({}), IsEmpty()) << "only what was started as a chain is listed";
}

TEST_P(ReadsOfChains, AStatusIsReadByItself) {
    Job first = chain_job(1);
    complete(first, Place::retained);
    const Job last = next_job(first, first, 2);
    write(inserting({first, last, ready_job(3)}));
    using Statuses = std::vector<std::optional<Status>>;
    const auto statuses = [&](const std::vector<ChainRef>& chains) {
        return driver
            .read<Statuses>([&](Reads& reads, Done<Statuses> done) {
                reads.get_chain_statuses(chains, std::move(done));
            })
            .value();
    };
    const auto status = [&](const std::string& tenant, const JobId& id) {
        return statuses({{tenant, id}}).at(0);
    };
    EXPECT_EQ(status("acme", first.id), Status::pending) << "the last job's";
    EXPECT_EQ(status("acme", number(3)), Status::pending) << "an action is a chain of one";
    EXPECT_EQ(status("acme", last.id), std::nullopt) << "a step is no chain";
    EXPECT_EQ(status("zeta", first.id), std::nullopt);
    Job ended = last;
    ended.status = Status::failed;
    ended.place = Place::done;
    ended.completed_at = kStart;
    Changes changes;
    changes.jobs.push_back(changed(last, ended));
    write(changes);
    EXPECT_EQ(status("acme", first.id), Status::failed);
    EXPECT_THAT(statuses({}), IsEmpty());
    EXPECT_THAT(
        statuses({{"acme", number(3)},
                  {"acme", number(9)},
                  {"acme", first.id},
                  {"zeta", number(3)},
                  {"acme", number(3)}}),
        ElementsAre(Status::pending, std::nullopt, Status::failed, std::nullopt, Status::pending));
}

TEST_P(ReadsOfChains, AContinuedActionIsNotListedAmongChains) {
    Job first = ready_job(1);
    complete(first, Place::retained);
    const Job last = next_job(first, first, 2);
    write(inserting({first, last}));
    EXPECT_THAT(list({}), IsEmpty());
    EXPECT_THAT(list({.status = Status::pending}), IsEmpty());
}

TEST_P(ReadsOfChains, ListsAreNewestFirstAndChainsComeOnce) {
    write_three();
    Job other = chain_job(4);
    other.tenant = "zeta";
    write(inserting({other, ready_job(5)}));
    EXPECT_THAT(list({}), ElementsAre(number(3), number(2), number(1)));
    EXPECT_THAT(list({}, number(3)), ElementsAre(number(2), number(1)));
    EXPECT_THAT(list({}, number(3), 1), ElementsAre(number(2)));
    EXPECT_THAT(list({}, {}, 2), ElementsAre(number(3), number(2)));
    EXPECT_THAT(list({}, number(1)), IsEmpty());
    EXPECT_THAT(ids_of(driver.list_chains("zeta")), ElementsAre(number(4)));
    EXPECT_THAT(driver.list_chains("nobody"), IsEmpty());
}

TEST_P(ReadsOfChains, AChainsStatusIsItsLastJobs) {
    write_three();
    EXPECT_THAT(list({.status = Status::pending}), ElementsAre(number(2), number(1)));
    EXPECT_THAT(list({.status = Status::pending}, {}, 1), ElementsAre(number(2)));
    EXPECT_THAT(list({.status = Status::pending}, number(2), 1), ElementsAre(number(1)));
    EXPECT_THAT(list({.status = Status::failed}), ElementsAre(number(3)));
    EXPECT_THAT(list({.status = Status::completed}), IsEmpty());
    EXPECT_THAT(list({.status = Status::running}), IsEmpty());
}

TEST_P(ReadsOfChains, AChainMovesBetweenListsAsItGoesOn) {
    Job first = chain_job(1);
    write(inserting({first, ready_job(30)}));
    const auto change = [&](const Job& before, const Job& after) {
        Changes changes;
        changes.jobs.push_back(changed(before, after));
        return changes;
    };
    Job running = running_job(1, kStart + Millis(50));
    running.in_chain = true;
    write(change(first, running));
    EXPECT_THAT(list({.status = Status::running}), ElementsAre(number(1)));
    EXPECT_THAT(list({.status = Status::pending}), IsEmpty());

    Job passed = chain_job(1);
    complete(passed, Place::retained);
    Job second = next_job(passed, passed, 2);
    Changes continued = change(running, passed);
    continued.jobs.push_back(inserted(second));
    write(continued);
    EXPECT_THAT(list({.status = Status::pending}), ElementsAre(number(1)));
    EXPECT_THAT(list({.status = Status::completed}), IsEmpty());

    Job second_running = second;
    second_running.status = Status::running;
    second_running.place = Place::running;
    second_running.token = Token{7};
    second_running.lease = Lease{"worker", kStart, kStart + Millis(50), std::nullopt};
    write(change(second, second_running));
    EXPECT_THAT(list({.status = Status::running}), ElementsAre(number(1)));

    Job failed = second;
    failed.status = Status::failed;
    failed.place = Place::done;
    failed.completed_at = kStart;
    write(change(second_running, failed));
    EXPECT_THAT(list({.status = Status::failed}), ElementsAre(number(1)));
    EXPECT_THAT(list({.status = Status::running}), IsEmpty());

    write(change(failed, second));  // retried
    EXPECT_THAT(list({.status = Status::pending}), ElementsAre(number(1)));
    EXPECT_THAT(list({.status = Status::failed}), IsEmpty());

    Changes gone;
    gone.jobs = {deleted(passed), deleted(second)};
    write(gone);
    EXPECT_THAT(list({}), IsEmpty());
}

TEST_P(ReadsOfChains, AContinuationThatFailedAtOnceFailsItsChain) {
    Job first = chain_job(1);
    complete(first, Place::retained);
    Job failed = next_job(first, first, 2);
    failed.status = Status::failed;
    failed.place = Place::done;
    failed.completed_at = kStart;
    write(inserting({failed, first}));
    EXPECT_THAT(list({.status = Status::failed}), ElementsAre(number(1)));
    EXPECT_THAT(list({.status = Status::pending}), IsEmpty());
}

TEST_P(ReadsOfChains, ManyChainsOfOtherStatusesHideNone) {
    std::vector<Job> jobs;
    for (int n = 0; n < 40; ++n) {
        Job job = chain_job(n);
        if (n % 8 != 0) {
            job.status = Status::blocked;
            job.place = Place::blocked;
        }
        jobs.push_back(job);
    }
    write(inserting(jobs));
    EXPECT_THAT(list({.status = Status::pending}, {}, 2), ElementsAre(number(32), number(24)));
    EXPECT_THAT(list({.status = Status::pending}, number(24), 2),
                ElementsAre(number(16), number(8)));
    EXPECT_THAT(list({.status = Status::pending}, number(8), 2), ElementsAre(number(0)));
}

TEST_P(ReadsOfChains, ATypeIsTheFirstJobs) {
    Job first = chain_job(1, "order");
    complete(first, Place::retained);
    Job last = next_job(first, first, 2);
    last.type = "ship";
    write(inserting({first, last, chain_job(3, "ship")}));
    EXPECT_THAT(list({.type = "order"}), ElementsAre(number(1)));
    EXPECT_THAT(list({.type = "ship"}), ElementsAre(number(3)));
    EXPECT_THAT(list({.status = Status::pending, .type = "order"}), ElementsAre(number(1)));
    EXPECT_THAT(list({.type = "none"}), IsEmpty());
}

// A chosen id says nothing about when its chain was made.
TEST_P(ReadsOfChains, CreatedAtCountsWhateverTheIdIs) {
    const auto made = [](const JobId& id, Millis after) {
        Job job = chain_job(0);
        job.id = job.chain = id;
        job.created_at = job.updated_at = kStart + after;
        return job;
    };
    const Job usual = made(id_at(kStart + Millis(5), 1), Millis(5));
    const Job old_id = made(id_at(kStart - std::chrono::hours(9), 1), Millis(6));
    const Job late_id = made(id_at(kStart + std::chrono::hours(9), 1), Millis(7));
    const Job early = made(id_at(kStart, 1), Millis(0));
    write(inserting({usual, old_id, late_id, early}));
    const ChainFilter filter{.from = kStart + Millis(5), .to = kStart + Millis(8)};
    EXPECT_THAT(list(filter), ElementsAre(late_id.id, usual.id, old_id.id));
    EXPECT_THAT(list(filter, late_id.id, 1), ElementsAre(usual.id));
    EXPECT_THAT(list(filter, usual.id, 1), ElementsAre(old_id.id));
    const ActionFilter actions{.status = Status::pending, .from = filter.from, .to = filter.to};
    EXPECT_THAT(test::ids_of(driver.list_actions("acme", actions)),
                ElementsAre(late_id.id, usual.id, old_id.id));
    EXPECT_THAT(test::ids_of(driver.list_actions("acme", actions, late_id.id, 1)),
                ElementsAre(usual.id));
    EXPECT_EQ(driver.count_actions("acme", actions), (MatchedActions{3, late_id.id}));
}

TEST_P(ReadsOfChains, StepsComeInOrderWithTheirBlockers) {
    Job first = chain_job(1);
    complete(first, Place::retained);
    first.has_result = true;
    Job second = next_job(first, first, 3);
    complete(second, Place::retained);
    second.blockers = 1;
    Job third = next_job(second, first, 2);
    Job other = chain_job(9, "other");
    other.has_result = true;
    Changes changes = inserting({first, second, third, other});
    changes.edges = {inserted(Edge{{second.id, 0}, number(9), true})};
    const JobResult result{"1", {}, {}};
    changes.results.emplace_back(first.id, result);
    changes.results.emplace_back(other.id, result);
    write(changes);
    const auto steps = driver.list_steps("acme", first.id);
    ASSERT_EQ(steps.size(), 3U);
    EXPECT_EQ(steps[0].view.job, first);
    EXPECT_EQ(steps[0].view.result, result);
    EXPECT_THAT(steps[0].blockers, IsEmpty());
    EXPECT_EQ(steps[1].view.job, second);
    EXPECT_EQ(steps[1].view.body.payload, payload_of(second.id));
    ASSERT_EQ(steps[1].blockers.size(), 1U);
    EXPECT_EQ(steps[1].blockers[0].id, number(9));
    EXPECT_EQ(steps[1].blockers[0].type, "other");
    EXPECT_EQ(steps[1].blockers[0].output, std::nullopt) << "which nobody is shown there";
    EXPECT_EQ(steps[2].view.job, third);
    const auto part = driver.list_steps("acme", first.id, 1, 1);
    ASSERT_EQ(part.size(), 1U);
    EXPECT_EQ(part[0].view.job, second);
    EXPECT_THAT(driver.list_steps("acme", first.id, 3), IsEmpty());
    EXPECT_THAT(driver.list_steps("zeta", first.id), IsEmpty());
    EXPECT_THAT(driver.list_steps("acme", second.id), IsEmpty()) << "a step is no chain";

    const auto details = driver.get_action("acme", second.id);
    ASSERT_TRUE(details.has_value());
    ASSERT_EQ(details->blockers.size(), 1U);
    EXPECT_EQ(details->blockers[0].status, Status::pending);
    EXPECT_EQ(details->blockers[0].output, std::nullopt);
}

}  // namespace
}  // namespace semel::test
