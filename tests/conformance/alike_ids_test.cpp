// Ids that callers choose may begin alike, as those do that a generator with a counter makes within
// a millisecond: two different ids are two jobs, whatever their bits.
#include "conformance/chain_fixture.hpp"

namespace semel::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// All with the same first half.
JobId alike(int number) {
    JobId id = id_at(kStart - std::chrono::hours(1), 7);
    id.bytes[14] = static_cast<std::uint8_t>(number >> 8);
    id.bytes[15] = static_cast<std::uint8_t>(number);
    return id;
}

Job job_alike(int number) {
    Job job = ready_job(1);
    job.id = job.chain = alike(number);
    return job;
}

class AlikeIds : public ChainConformance {
protected:
    std::vector<JobId> list(const ActionFilter& filter = {}, std::optional<JobId> before = {},
                            int limit = 100) {
        return ids_of(driver.list_actions("acme", filter, before, limit));
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, AlikeIds, all_stores(), name_of_store);

TEST_P(AlikeIds, EachHasWhatIsItsOwn) {
    const std::string large(5'000, 'x');
    Changes changes = inserting({job_alike(1), job_alike(2), job_alike(3)});
    for (auto& [id, body] : changes.bodies) body.payload = id.to_string() + large;
    for (auto& change : changes.jobs) {
        const JobId& id = change.after->id;
        change.after->has_result = true;
        changes.results.emplace_back(id, JobResult{id.to_string(), {}, {}});
        changes.attempts.push_back(full_attempt(id, 1));
    }
    const Job second = *changes.jobs[1].after;
    write(changes);
    Changes deleting;
    deleting.jobs.push_back(deleted(second));
    write(deleting);
    EXPECT_EQ(driver.get_action("acme", second.id), std::nullopt);
    for (const int number : {1, 3}) {
        const auto details = driver.get_action("acme", alike(number));
        ASSERT_TRUE(details.has_value()) << number;
        EXPECT_EQ(details->view.body.payload, alike(number).to_string() + large);
        EXPECT_EQ(details->view.result.output, alike(number).to_string());
        EXPECT_THAT(details->history, SizeIs(1));
    }
    Changes again;
    again.jobs.push_back(inserted(job_alike(2)));
    write(again);
    const auto details = driver.get_action("acme", second.id);
    ASSERT_TRUE(details.has_value());
    EXPECT_EQ(details->view.body.payload, "");
    EXPECT_EQ(details->view.result, JobResult{});
    EXPECT_THAT(details->history, IsEmpty());
}

TEST_P(AlikeIds, OneOfThemChangesAlone) {
    write(inserting({job_alike(2), job_alike(1)}));
    Job ended = job_alike(1);
    ended.status = Status::completed;
    ended.place = Place::done;
    ended.completed_at = kStart;
    Changes changes;
    changes.jobs.push_back(changed(job_alike(1), ended));
    changes.bodies.emplace_back(alike(2), JobBody{"2"});
    write(changes);
    EXPECT_EQ(find_job(alike(1)), ended);
    EXPECT_EQ(find_job(alike(2)), job_alike(2));
    EXPECT_EQ(driver.get_action("acme", alike(2))->view.body.payload, "2");
    EXPECT_NE(driver.get_action("acme", alike(1))->view.body.payload, "2");
}

TEST_P(AlikeIds, ListsAndWalksAreInTheOrderOfIds) {
    // Between two that begin otherwise; inserted in another order.
    Job before = job_alike(0);
    before.id = before.chain = id_at(kStart - std::chrono::hours(1), 6);
    Job behind = before;
    behind.id = behind.chain = id_at(kStart - std::chrono::hours(1), 8);
    write(inserting({job_alike(3), behind, job_alike(1), before, job_alike(300)}));
    write(inserting({job_alike(2)}));
    const std::vector<JobId> newest_first = {behind.id, alike(300), alike(3),
                                             alike(2),  alike(1),   before.id};
    EXPECT_EQ(list(), newest_first);
    EXPECT_EQ(list({.from = kStart}), newest_first) << "also by createdAt";
    std::vector<JobId> walked;
    std::optional<JobId> last;
    for (auto page = list({}, last, 2); !page.empty(); page = list({}, last, 2)) {
        walked.insert(walked.end(), page.begin(), page.end());
        last = page.back();
    }
    EXPECT_EQ(walked, newest_first);
    EXPECT_THAT(driver.walk_actions("acme", {}, alike(1), alike(300), 100),
                ElementsAre(alike(2), alike(3)));
    EXPECT_EQ(driver.count_actions("acme", {.to = kStart + Millis(1)}),
              (MatchedActions{6, behind.id}));
}

TEST_P(AlikeIds, TheNewestOfThoseThatMatchIsKnown) {
    write(inserting({job_alike(5), job_alike(9), job_alike(7)}));
    EXPECT_EQ(driver.count_actions("acme", {}), (MatchedActions{3, alike(9)}));
}

TEST_P(AlikeIds, WorkIsInTheOrderOfIds) {
    write(inserting({job_alike(3), job_alike(1), job_alike(2)}));
    ReadyQuery query;
    query.tenant = "acme";
    query.types = {"mail"};
    query.limit = 10;
    EXPECT_THAT(ask(query).jobs, ElementsAre(alike(1), alike(2), alike(3)));
}

TEST_P(AlikeIds, ABatchStartsEachOfThem) {
    std::vector<std::string> requests;
    requests.reserve(500);
    for (int i = 0; i < 500; ++i) requests.push_back(named(alike(i), "step"));
    for (const auto& item : start_all(requests)) {
        ASSERT_TRUE(std::holds_alternative<StartedChain>(item));
        EXPECT_FALSE(std::get<StartedChain>(item).deduplicated);
    }
    // Each is its own when it is asked for again.
    for (const auto& item : start_all({named(alike(499), "step"), named(alike(500), "step")})) {
        const auto& started = std::get<StartedChain>(item);
        EXPECT_EQ(started.deduplicated, started.chain.first.id == alike(499));
    }
    EXPECT_EQ(code_of(start_all({named(alike(3), "other")}).front()), ProblemCode::conflict);
    EXPECT_EQ(driver.list_chains(kTenant).size(), 501U);
}

TEST_P(AlikeIds, ChainsOfThemGoOnEndAndAreDeleted) {
    const JobId one = start_id(named(alike(1), "step"));
    const JobId two = start_id(named(alike(2), "step"));
    const JobId waiting = start_id(behind("wait", {one, two}, R"(,"lockGroup":"g")"));
    work_on("step", R"({"type":"next"})");
    work("next", "1");
    EXPECT_EQ(status(one), Status::completed);
    EXPECT_EQ(status(two), Status::pending);
    EXPECT_EQ(status(waiting), Status::blocked);
    EXPECT_THAT(types_of(one), ElementsAre("step", "next"));
    expect_ok(fail(take_one("step"), true));
    tell();
    EXPECT_EQ(status(waiting), Status::failed);
    EXPECT_THAT(driver.list_chains(kTenant, {.status = Status::completed}), SizeIs(1));
    EXPECT_THAT(driver.list_chains(kTenant, {.status = Status::failed}), SizeIs(2));
    expect_ok(erase(waiting, true));
    EXPECT_THAT(driver.list_chains(kTenant), IsEmpty());
    EXPECT_EQ(start_id(named(alike(2), "step")), two) << "nothing of it is left";
    EXPECT_EQ(status(two), Status::pending);
}

}  // namespace
}  // namespace semel::test
