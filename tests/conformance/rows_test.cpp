// Rows come back as they were written: every field of every kind, after insert, change and delete.
#include "conformance/store_conformance.hpp"

namespace semel::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<std::string> kOddStrings = {
    "",         "'; drop table job; --", "\xF0\x9F\xA6\x8A", std::string("a\0b", 3),
    "\xFF\xFE", std::string(255, 'x')};

// Control characters and what is not UTF-8 are refused in names.
const std::vector<std::string> kOddNames = {
    "'; drop table job; --", "\xF0\x9F\xA6\x8A",   " a b ", "\\x00",
    "{\"a\",NULL}",          std::string(255, 'x')};

constexpr std::array kStatuses = {Status::blocked,    Status::pending,  Status::running,
                                  Status::completed,  Status::failed,   Status::cancelled,
                                  Status::superseded, Status::uncertain};

class Rows : public StoreConformance {};

INSTANTIATE_TEST_SUITE_P(Stores, Rows, all_stores(), name_of_store);

TEST_P(Rows, AJobOfEachStatusComesBackWithEveryField) {
    std::vector<Job> jobs;
    jobs.reserve(kStatuses.size());
    for (const Status status : kStatuses) {
        jobs.push_back(full_job(static_cast<int>(jobs.size()), status));
    }
    write(inserting(jobs));
    for (const Job& job : jobs) {
        EXPECT_EQ(find_job(job.id), job);
    }
}

TEST_P(Rows, AJobMayChangeFromAnyStatusToAnyOther) {
    int number = 0;
    for (const Status from : kStatuses) {
        for (const Status to : kStatuses) {
            const Job before = full_job(++number, from);
            Job after = ready_job(number);
            after.status = to;
            after = full_job(number, to);
            after.token = Token{to_ms(kStart) + 5000};
            write(inserting({before}));
            Changes changes;
            changes.jobs.push_back(changed(before, after));
            write(changes);
            EXPECT_EQ(find_job(before.id), after);
        }
    }
}

TEST_P(Rows, FieldsThatBecomeEmptyComeBackEmpty) {
    const Job before = full_job(1, Status::running);
    const Job after = ready_job(1);
    write(inserting({before}));
    Changes changes;
    changes.jobs.push_back(changed(before, after));
    write(changes);
    EXPECT_EQ(find_job(before.id), after);
}

TEST_P(Rows, BackoffsComeBackExactly) {
    std::vector<Job> jobs;
    for (const auto kind : {Backoff::Kind::linear, Backoff::Kind::exponential,
                            Backoff::Kind::jitter, Backoff::Kind::fixed}) {
        for (const double factor : {1.0, 2.0, 1.1, 1e300, 0.1 + 0.2}) {
            Job job = ready_job(static_cast<int>(jobs.size()));
            job.backoff = Backoff{kind, Millis(1), factor, Millis(kTimeMaxMs)};
            jobs.push_back(job);
        }
    }
    write(inserting(jobs));
    for (const Job& job : jobs) {
        EXPECT_EQ(find_job(job.id), job);
    }
}

TEST_P(Rows, OddStringsComeBackByteForByte) {
    int number = 0;
    for (const std::string& odd : kOddStrings) {
        Job job = running_job(++number, kStart);
        job.lease->worker = odd;
        job.has_result = true;
        Changes changes;
        changes.jobs.push_back(inserted(job));
        changes.bodies.emplace_back(job.id, JobBody{odd});
        changes.results.emplace_back(job.id, JobResult{odd, odd, odd});
        write(changes);
        const Loaded loaded = driver.look({.jobs = {{.id = job.id, .body = true}}});
        EXPECT_THAT(loaded.jobs, ElementsAre(job));
        EXPECT_THAT(loaded.bodies, ElementsAre(std::pair(job.id, JobBody{odd})));
        EXPECT_THAT(loaded.results, ElementsAre(std::pair(job.id, JobResult{odd, odd, odd})));
    }
}

TEST_P(Rows, OddNamesComeBackByteForByte) {
    int number = 0;
    for (const std::string& odd : kOddNames) {
        Job job = ready_job(++number);
        job.tenant = odd;
        job.type = odd;
        job.lock_group = odd;
        write(inserting({job}));
        EXPECT_EQ(find_job(job.id), job);
        EXPECT_EQ(ask(ReadyQuery{.tenant = odd, .types = {odd}}).jobs, std::vector{job.id});
    }
}

TEST_P(Rows, LargePayloadsComeBackByteForByte) {
    const Job job = ready_job(1);
    std::string payload;
    for (int i = 0; i < 1'000'000; ++i) {
        payload.push_back(static_cast<char>(i * 7));
    }
    Changes changes;
    changes.jobs.push_back(inserted(job));
    changes.bodies.emplace_back(job.id, JobBody{payload});
    write(changes);
    EXPECT_EQ(driver.get_action("acme", job.id)->view.body.payload, payload);
}

TEST_P(Rows, ABodyIsReplaced) {
    const Job job = ready_job(1);
    write(inserting({job}));
    Changes changes;
    changes.bodies.emplace_back(job.id, JobBody{"[2]"});
    write(changes);
    EXPECT_EQ(driver.get_action("acme", job.id)->view.body.payload, "[2]");
}

TEST_P(Rows, ABodyMayGrowAndShrink) {
    const Job job = ready_job(1);
    write(inserting({job}));
    for (const std::size_t size : {10U, 100'000U, 20U, 512U, 513U, 200'000U, 0U}) {
        const std::string payload(size, 'x');
        Changes changes;
        changes.bodies.emplace_back(job.id, JobBody{payload});
        write(changes);
        EXPECT_EQ(driver.get_action("acme", job.id)->view.body.payload, payload);
        const Loaded loaded = driver.look({.jobs = {{.id = job.id, .body = true}}});
        EXPECT_THAT(loaded.bodies, ElementsAre(std::pair(job.id, JobBody{payload})));
    }
}

TEST_P(Rows, AJobAndItsBodyChangeTogether) {
    const Job before = ready_job(1);
    write(inserting({before}));
    Job after = before;
    after.updated_at = kStart + Millis(9);
    Changes changes;
    changes.jobs.push_back(changed(before, after));
    changes.bodies.emplace_back(before.id, JobBody{"[9]"});
    write(changes);
    const auto details = driver.get_action("acme", before.id);
    EXPECT_EQ(details->view.job, after);
    EXPECT_EQ(details->view.body.payload, "[9]");
}

TEST_P(Rows, IdsOfAnyKindComeBackAndOrderAsBytes) {
    std::vector<Job> jobs;
    for (const char* text :
         {"00000000-0000-0000-0000-000000000001", "7fffffff-ffff-ffff-ffff-ffffffffffff",
          "80000000-0000-0000-8000-000000000000", "ffffffff-ffff-ffff-ffff-fffffffffffe"}) {
        Job job = ready_job(1);
        job.id = job.chain = *Uuid::parse(text);
        jobs.push_back(job);
    }
    write(inserting(jobs));
    for (const Job& job : jobs) {
        EXPECT_EQ(find_job(job.id), job);
    }
    EXPECT_THAT(ids_of(driver.list_actions("acme")),
                ElementsAre(jobs[3].id, jobs[2].id, jobs[1].id, jobs[0].id));
    EXPECT_THAT(ask(ReadyQuery{.tenant = "acme", .types = {"mail"}, .limit = 9}).jobs,
                ElementsAre(jobs[0].id, jobs[1].id, jobs[2].id, jobs[3].id));
}

TEST_P(Rows, AResultIsWrittenReplacedAndDeleted) {
    Job job = ready_job(1);
    job.has_result = true;
    Changes changes = inserting({job});
    const JobResult first{"1", std::nullopt, std::nullopt};
    changes.results.emplace_back(job.id, first);
    write(changes);
    EXPECT_EQ(driver.get_action("acme", job.id)->view.result, first);

    const JobResult second{std::nullopt, "no", "failed"};
    Changes replacing;
    replacing.results.emplace_back(job.id, second);
    write(replacing);
    EXPECT_EQ(driver.get_action("acme", job.id)->view.result, second);

    Changes deleting;
    Job without = job;
    without.has_result = false;
    deleting.jobs.push_back(changed(job, without));
    deleting.results.emplace_back(job.id, std::nullopt);
    write(deleting);
    EXPECT_EQ(driver.get_action("acme", job.id)->view.result, JobResult{});
}

TEST_P(Rows, ClaimsAreInsertedChangedAndDeleted) {
    const Claim small = small_claim(1);
    const Claim full = full_claim(1);
    const LoadSpec spec{.claims = {small.id}};
    const auto write_one = [&](Change<Claim> change) {
        Changes changes;
        changes.claims.push_back(std::move(change));
        write(changes);
    };
    write_one(inserted(small));
    EXPECT_THAT(driver.look(spec).claims, ElementsAre(small));
    write_one(changed(small, full));
    EXPECT_THAT(driver.look(spec).claims, ElementsAre(full));
    Claim other_receipt = full;
    other_receipt.receipt = Receipt{201, ""};
    write_one(changed(full, other_receipt));
    EXPECT_THAT(driver.look(spec).claims, ElementsAre(other_receipt));
    write_one(changed(other_receipt, small));
    EXPECT_THAT(driver.look(spec).claims, ElementsAre(small));
    write_one(deleted(small));
    EXPECT_THAT(driver.look(spec).claims, IsEmpty());
    write_one(inserted(full));
    EXPECT_THAT(driver.look(spec).claims, ElementsAre(full));
    write_one(deleted(full));
    write_one(inserted(full));
    EXPECT_THAT(driver.look(spec).claims, ElementsAre(full));
}

TEST_P(Rows, ClaimKeysComeBackByteForByte) {
    int number = 0;
    for (const std::string& odd : kOddStrings) {
        Claim claim = full_claim(++number);
        claim.tenant = claim.space = claim.full_key = claim.receipt->body = odd;
        Changes changes;
        changes.claims.push_back(inserted(claim));
        write(changes);
        EXPECT_THAT(driver.look({.claims = {claim.id}}).claims, ElementsAre(claim));
    }
}

TEST_P(Rows, GroupsAreInsertedChangedAndDeleted) {
    const GroupKey key{"acme", kOddNames.at(0)};
    const Job first = ready_job(1);
    const Job second = ready_job(2);
    Changes changes = inserting({first, second});
    changes.groups.push_back(inserted(LockGroup{key, first.id}));
    write(changes);
    EXPECT_THAT(driver.look({.groups = {key}}).groups, ElementsAre(LockGroup{key, first.id}));
    Changes changing;
    changing.groups.push_back(changed(LockGroup{key, first.id}, LockGroup{key, second.id}));
    write(changing);
    EXPECT_THAT(driver.look({.groups = {key}}).groups, ElementsAre(LockGroup{key, second.id}));
    Changes deleting;
    deleting.groups.push_back(deleted(LockGroup{key, second.id}));
    write(deleting);
    EXPECT_THAT(driver.look({.groups = {key}}).groups, IsEmpty());
}

TEST_P(Rows, GroupsOfTwoTenantsAreTwo) {
    Job other = ready_job(2);
    other.tenant = "zeta";
    Changes changes = inserting({ready_job(1), other});
    const LockGroup ours{{"acme", "g"}, id_at(kStart, 1)};
    const LockGroup theirs{{"zeta", "g"}, id_at(kStart, 2)};
    changes.groups = {inserted(ours), inserted(theirs)};
    write(changes);
    EXPECT_THAT(driver.look({.groups = {{"zeta", "g"}}}).groups, ElementsAre(theirs));
}

TEST_P(Rows, ApiTokensAreInsertedChangedAndDeleted) {
    const ApiToken token = full_api_token(1);
    ApiToken eternal = token;
    eternal.expires_at.reset();
    eternal.name = "";
    const LoadSpec spec{.api_tokens = {token.id}};
    const auto write_one = [&](Change<ApiToken> change) {
        Changes changes;
        changes.api_tokens.push_back(std::move(change));
        write(changes);
    };
    write_one(inserted(token));
    EXPECT_THAT(driver.look(spec).api_tokens, ElementsAre(token));
    write_one(changed(token, eternal));
    EXPECT_THAT(driver.look(spec).api_tokens, ElementsAre(eternal));
    write_one(inserted(full_api_token(2)));
    EXPECT_THAT(driver.list_api_tokens(), ElementsAre(eternal, full_api_token(2)));
    write_one(deleted(eternal));
    EXPECT_THAT(driver.list_api_tokens(), ElementsAre(full_api_token(2)));
    EXPECT_THAT(driver.look(spec).api_tokens, IsEmpty());
}

TEST_P(Rows, SchedulesAreInsertedChangedAndDeleted) {
    const Schedule first = full_schedule(1);
    Schedule paused = first;
    paused.is_paused = !first.is_paused;
    paused.spec.start_at.reset();
    paused.spec.timeout.reset();
    paused.last_slot.reset();
    paused.spent = {};
    const LoadSpec spec{.schedules = {first.key}};
    const auto write_one = [&](Change<Schedule> change) {
        Changes changes;
        changes.schedules.push_back(std::move(change));
        write(changes);
    };
    write(inserting({ready_job(1), ready_job(2)}));  // their current occurrences
    write_one(inserted(first));
    write_one(inserted(full_schedule(2)));
    const Loaded loaded = driver.look(spec);
    EXPECT_THAT(loaded.schedules, ElementsAre(first));
    EXPECT_THAT(ids_of(loaded.jobs), ElementsAre(*first.current));
    write_one(changed(first, paused));
    EXPECT_THAT(driver.look(spec).schedules, ElementsAre(paused));
    EXPECT_EQ(driver.get_schedule(first.key)->schedule, paused);
    EXPECT_EQ(driver.get_schedule(first.key)->current->id, *first.current);
    EXPECT_FALSE(driver.get_schedule({"zeta", first.key.name}).has_value());
    const auto listed = driver.list_schedules("acme", {}, 9);
    ASSERT_EQ(listed.size(), 2U);
    EXPECT_EQ(listed[0].schedule.id, full_schedule(2).id) << "newest first";
    EXPECT_EQ(driver.list_schedules("acme", listed[0].schedule.id, 9).size(), 1U);
    EXPECT_EQ(driver.list_schedules("acme", {}, 1).size(), 1U);
    write_one(deleted(paused));
    EXPECT_THAT(driver.look(spec).schedules, IsEmpty());
}

TEST_P(Rows, AScheduleMayBeDeletedAndMadeAnewInOneBatch) {
    const Schedule old = full_schedule(1);
    Schedule renewed = full_schedule(2);
    renewed.key = old.key;
    Changes changes;
    changes.schedules = {inserted(old)};
    write(changes);
    changes.schedules = {changed(old, renewed)};
    write(changes);
    EXPECT_THAT(driver.look({.schedules = {old.key}}).schedules, ElementsAre(renewed));
}

TEST_P(Rows, ASlotIsHadOnce) {
    const auto occurrence_at = [](int number, Time slot) {
        Job job = ready_job(number);
        job.occurrence = Occurrence{.schedule = id_at(kStart, 70),
                                    .name = "nightly",
                                    .slot = slot,
                                    .interval = "PT1H",
                                    .type = RecurrenceType::rolling};
        return job;
    };
    const Job first = occurrence_at(1, kStart);
    write(inserting({first}));
    EXPECT_FALSE(driver.write(inserting({occurrence_at(2, kStart)})).has_value());
    write(inserting({occurrence_at(2, kStart + Millis(1))}));
    Job moved = first;
    moved.occurrence->slot = kStart + Millis(2);
    Changes changes;
    changes.jobs = {changed(first, moved)};
    write(changes);
    EXPECT_EQ(find_job(first.id), moved);
    write(inserting({occurrence_at(3, kStart)}));
    EXPECT_EQ(ids_of(driver.list_actions("acme", {.schedule_name = "nightly"})).size(), 3U);
    EXPECT_THAT(driver.list_actions("acme", {.schedule_name = "daily"}), IsEmpty());
}

TEST_P(Rows, BulkRunsAreInsertedChangedAndDeleted) {
    const BulkRun open = full_bulk_run(1);
    BulkRun finished = open;
    finished.finished_at = kStart + Millis(5000);
    finished.skipped["wrong_state"] = 9;
    finished.cursor.reset();
    const LoadSpec spec{.bulk_runs = {open.id}};
    const auto write_one = [&](Change<BulkRun> change) {
        Changes changes;
        changes.bulk_runs.push_back(std::move(change));
        write(changes);
    };
    write_one(inserted(open));
    write_one(inserted(full_bulk_run(2)));
    EXPECT_THAT(driver.look(spec).bulk_runs, ElementsAre(open));
    EXPECT_THAT(driver.list_open_bulk_runs(), ElementsAre(open, full_bulk_run(2)));
    write_one(changed(open, finished));
    EXPECT_THAT(driver.look(spec).bulk_runs, ElementsAre(finished));
    EXPECT_THAT(driver.list_open_bulk_runs(), ElementsAre(full_bulk_run(2)));
    EXPECT_EQ(driver.get_bulk_run("acme", open.id), finished);
    EXPECT_EQ(driver.get_bulk_run("zeta", open.id), std::nullopt);
    write_one(deleted(finished));
    EXPECT_THAT(driver.look(spec).bulk_runs, IsEmpty());
}

TEST_P(Rows, DeletingAJobDeletesAllThatIsItsOwn) {
    Job job = finished_job(1, Status::completed, kStart);
    job.has_result = true;
    const Job other = finished_job(2, Status::completed, kStart);
    Changes changes = inserting({job, other});
    changes.results.emplace_back(job.id, JobResult{"1", {}, {}});
    changes.attempts = {full_attempt(job.id, 1), full_attempt(job.id, 2),
                        full_attempt(other.id, 1)};
    write(changes);
    Changes deleting;
    deleting.jobs.push_back(deleted(job));
    write(deleting);
    EXPECT_EQ(driver.get_action("acme", job.id), std::nullopt);

    // Nothing of it is left for one who gets its id.
    Changes again;
    again.jobs.push_back(inserted(job));
    write(again);
    const auto details = driver.get_action("acme", job.id);
    ASSERT_TRUE(details.has_value());
    EXPECT_EQ(details->view.body.payload, "");
    EXPECT_EQ(details->view.result, JobResult{});
    EXPECT_THAT(details->history, IsEmpty());
    EXPECT_EQ(driver.get_action("acme", other.id)->history.size(), 1U);
}

TEST_P(Rows, AnAttemptComesBackWithEveryField) {
    const Job job = ready_job(1);
    Changes changes = inserting({job});
    changes.attempts = {full_attempt(job.id, 1)};
    write(changes);
    const auto details = driver.get_action("acme", job.id);
    ASSERT_EQ(details->history.size(), 1U);
    EXPECT_EQ(to_text(details->history[0]), to_text(full_attempt(job.id, 1)));
}

TEST_P(Rows, ADecisionComesBackWithEveryField) {
    DecisionEntry small;
    small.tenant = "acme";
    Changes changes;
    changes.decisions = {full_decision(1), small};
    write(changes);
    const auto logged = driver.list_decisions("acme");
    ASSERT_EQ(logged.size(), 2U);
    EXPECT_EQ(to_text(logged[1].entry), to_text(full_decision(1)));
    EXPECT_EQ(to_text(logged[0].entry), to_text(small));
}

}  // namespace
}  // namespace semel::test
