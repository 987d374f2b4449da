#include "support/recurring.hpp"

#include <random>
#include <set>

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::code_of;
using test::ok;
using test::Recurring;
using test::Tabletop;

TEST_F(Recurring, TheFirstSlotOfAnIntervalIsNowAndEachNextOneAnIntervalLater) {
    const Time start = t.now;
    const ScheduleView made = put(R"({"type":"a","every":"hourly","payload":{"n":1}})");
    EXPECT_TRUE(made.is_new);
    EXPECT_EQ(made.current->occurrence->slot, start);
    const TakenJob first = take_due();
    EXPECT_EQ(first.payload, R"({"n":1})");
    t.advance(10min);
    ok(t.complete(first));
    EXPECT_EQ(slot(), start + 1h);
    EXPECT_EQ(schedule().last_slot, start);
    EXPECT_TRUE(t.take({"a"}).empty()) << "nothing starts early";
    ok(t.complete(take_due()));
    EXPECT_EQ(slot(), start + 2h);
}

TEST_F(Recurring, ARollingOneCountsFromTheEnd) {
    put(R"({"type":"a","every":"PT15M","recurrenceType":"rolling"})");
    const TakenJob first = take_due();
    t.advance(7s);
    ok(t.complete(first));
    EXPECT_EQ(slot(), t.now + 15min);
}

TEST_F(Recurring, StartAtIsTheFirstSlot) {
    put(R"({"type":"a","every":"daily","startAt":"2026-03-05T09:00:00Z"})");
    EXPECT_EQ(slot(), *parse_rfc3339("2026-03-05T09:00:00Z"));
}

TEST_F(Recurring, ACronRuleRunsAtItsMatches) {
    put(R"({"type":"a","cron":"30 9 * * *"})");
    EXPECT_EQ(slot(), *parse_rfc3339("2026-03-02T09:30:00Z"));
    ok(t.complete(take_due()));
    EXPECT_EQ(slot(), *parse_rfc3339("2026-03-03T09:30:00Z"));
}

// However it ends, the next one is there in the same commit.
TEST_F(Recurring, EveryEndHasASuccessor) {
    put(R"({"type":"a","every":"PT1H","maxRetries":1})");
    const auto expect_next = [&](Time before) {
        EXPECT_EQ(slot(), before + 1h);
        EXPECT_EQ(current().status, Status::pending);
    };
    Time before = slot();
    ok(t.fail(take_due()));
    expect_next(before);
    before = slot();
    t.operate(Operation::cancel, *schedule().current);
    expect_next(before);
    before = slot();
    take_due();
    t.operate(Operation::cancel, *schedule().current);
    expect_next(before);
    before = slot();
    take_due();
    t.advance(16s);
    t.rescue();  // lost, with no attempt left
    expect_next(before);
}

// Contract section 9, number 14: a recurring action died with its last failure, lost maxRetries and
// drifted after a retry.
TEST(SeedDefects, N14_AScheduleSurvivesFailuresKeepsItsOptionsAndDoesNotDrift) {
    Tabletop t;
    const auto document = json::Document::parse(
        R"({"type":"a","every":"PT1H","maxRetries":2,"priority":7,"backoff":{"kind":"fixed","delayMs":60000}})");
    const auto spec = std::get<ScheduleSpec>(read_schedule_request(document->root(), t.settings));
    const Time start = t.now;
    auto view = std::get<ScheduleView>(t.run(PutSchedule{{"default", "s"}, spec}));
    JobId id = view.current->id;
    for (int run = 0; run < 5; ++run) {
        for (int attempt = 1; attempt <= 2; ++attempt) {
            t.now = std::max(t.now, t.job(id).scheduled_at);
            t.promote();
            const TakenJob job = t.take_one("a");
            EXPECT_EQ(job.job.id, id);
            EXPECT_EQ(job.job.max_retries, 2);
            EXPECT_EQ(job.job.priority, 7);
            EXPECT_EQ(job.job.occurrence->slot, start + run * 1h) << "a retry keeps its slot";
            t.advance(13s);
            ok(t.fail(job));
        }
        EXPECT_EQ(t.status(id), Status::failed);
        id = t.list().front().job.id;
        EXPECT_EQ(t.job(id).occurrence->slot, start + (run + 1) * 1h);
    }
}

TEST_F(Recurring, TenThousandRunsWithDelaysAndFailuresDoNotDrift) {
    const Time start = t.now;
    t.settings.job_retention = 1h;
    put(R"({"type":"a","every":"PT1M","missed":"all","maxRetries":3,"backoff":{"kind":"fixed","delayMs":5000}})");
    std::mt19937 random(5);
    std::int64_t runs = 0;
    while (runs < 10'000) {
        const Time slot_now = slot();
        ASSERT_EQ(slot_now, start + runs * 1min);
        const TakenJob job = take_due();
        t.advance(Millis(random() % 50'000));
        switch (random() % 4) {
            case 0: ok(t.fail(job)); break;
            case 1:
                t.advance(16s);
                t.rescue();
                break;
            default: ok(t.complete(job)); break;
        }
        runs += slot() != slot_now ? 1 : 0;
        t.prune();
    }
}

// ---- slots only grow ----------------------------------------------------------------------------

TEST_F(Recurring, SlotsGrowWhateverHappens) {
    std::mt19937 random(11);
    const std::vector<std::string> rules = {R"("every":"PT1H")",
                                            R"("every":"PT7M","recurrenceType":"rolling")",
                                            R"("cron":"*/20 * * * *")",
                                            R"("cron":"0 */3 * * *","recurrenceType":"rolling")",
                                            R"("cron":"30 9 * * *","missed":"skip")",
                                            R"("every":"PT25M","missed":"all")"};
    put(R"({"type":"a",)" + rules[0] + "}");
    std::optional<Time> high;
    std::set<JobId> seen;
    for (int step = 0; step < 3000; ++step) {
        const Job job = current();
        const bool is_new = seen.insert(job.id).second;
        if (is_new && high) {
            ASSERT_GT(*job.occurrence->slot, *high) << step;
        }
        switch (random() % 7) {
            case 0: t.advance(Millis(random() % 20'000'000)); break;
            case 1: put(R"({"type":"a",)" + rules[random() % rules.size()] + "}"); break;
            case 2: t.operate(Operation::run_now, job.id); break;
            case 3: t.operate(Operation::cancel, job.id); break;
            case 4: pause(random() % 2 == 0); break;
            default:
                t.promote();
                for (const TakenJob& taken : t.take({"a"})) {
                    ok(t.complete(taken));
                }
        }
        if (schedule().last_slot) {
            ASSERT_GE(*schedule().last_slot, high.value_or(*schedule().last_slot));
            high = schedule().last_slot;
        }
        ASSERT_TRUE(schedule().current.has_value());
    }
}

TEST_F(Recurring, AScheduleThatCouldNotGoOnIsTakenUpByAnEqualPutOrResumed) {
    class Forgetful final : public ZoneSource {
    public:
        bool knows = true;
        Result<std::shared_ptr<const TimeZone>> find(std::string_view) override {
            if (knows) {
                return TimeZone::utc();
            }
            return Error(ErrorCode::io_error, "the zone cannot be read");
        }
    } zones;
    t.settings.zones = &zones;
    const std::string body = R"({"type":"a","cron":"0 * * * *","timezone":"Europe/Berlin"})";
    put(body);
    const TakenJob job = take_due();
    zones.knows = false;
    ok(t.complete(job));
    EXPECT_FALSE(schedule().current.has_value());
    EXPECT_EQ(schedule().fault, "the zone cannot be read");
    EXPECT_EQ(code_of(t.run(PauseSchedule{{"default", "s"}, false})), ProblemCode::invalid);
    zones.knows = true;
    pause(false);
    EXPECT_TRUE(schedule().fault.empty());
    EXPECT_EQ(slot(), *job.job.occurrence->slot + 1h);
    const TakenJob next = take_due();
    zones.knows = false;
    ok(t.complete(next));
    zones.knows = true;
    put(body);
    EXPECT_TRUE(schedule().fault.empty());
    EXPECT_EQ(slot(), *next.job.occurrence->slot + 1h);
}

// ---- missed slots -------------------------------------------------------------------------------

struct MissedCase {
    const char* policy;
    Millis first;   // of the occurrence that becomes due, from the start
    Millis second;  // of the one after it
};

class MissedSlots : public Recurring, public testing::WithParamInterface<MissedCase> {};

INSTANTIATE_TEST_SUITE_P(Policies, MissedSlots,
                         testing::Values(MissedCase{"latest", 5h, 6h}, MissedCase{"skip", 6h, 7h},
                                         MissedCase{"all", 1h, 2h}),
                         [](const auto& each) { return std::string(each.param.policy); });

TEST_P(MissedSlots, AreJudgedWhenAnOccurrenceBecomesDue) {
    const Time start = t.now;
    put(std::string(R"({"type":"a","every":"PT1H","missed":")") + GetParam().policy + R"("})");
    ok(t.complete(take_due()));
    t.now = start + 5h + 20min;  // nobody was there
    t.promote();
    EXPECT_EQ(slot(), start + GetParam().first);
    ok(t.complete(take_due()));
    EXPECT_EQ(slot(), start + GetParam().second);
}

TEST_P(MissedSlots, AreJudgedWhenOneIsResumed) {
    const Time start = t.now;
    put(std::string(R"({"type":"a","every":"PT1H","missed":")") + GetParam().policy + R"("})");
    ok(t.complete(take_due()));
    pause();
    t.now = start + 5h + 20min;
    EXPECT_TRUE(t.take({"a"}).empty());
    pause(false);
    EXPECT_EQ(slot(), start + GetParam().first);
}

TEST_P(MissedSlots, AreJudgedWhenTheNextIsMade) {
    const Time start = t.now;
    put(std::string(R"({"type":"a","every":"PT1H","missed":")") + GetParam().policy + R"("})");
    const TakenJob job = take_due();
    t.now = start + 5h + 20min;  // it took that long
    ok(t.complete(job));
    EXPECT_EQ(slot(), start + GetParam().first);
}

TEST_F(Recurring, AWeekOfMissedSecondsIsOneStep) {
    put(R"({"type":"a","every":"PT1S"})");
    t.advance(24h * 7);
    const Time now = t.now;
    ok(t.complete(take_due()));
    EXPECT_LE(slot(), now + 1s);
    EXPECT_GE(slot(), now);
}

TEST_F(Recurring, ThoseThatWaitedPastTheirSlotsOvertakeNobody) {
    t.schedule(R"({"type":"z","lockGroup":"g"})");
    const TakenJob holder = t.take_one("z");
    for (const char* name : {"s", "u", "v"}) {
        put(R"({"type":"a","every":"PT1H","lockGroup":"g"})", name);
    }
    const JobId other =
        t.schedule(R"({"type":"b","lockGroup":"g","delayMs":1800000})").action.job.id;
    t.advance(2h + 10min);  // their slots are those of ten minutes ago now
    ok(t.complete(holder));
    EXPECT_EQ(t.take_one("b").job.id, other);
}

// ---- edits --------------------------------------------------------------------------------------

TEST_F(Recurring, AnEqualPutChangesNothing) {
    const ScheduleView first = put(R"({"type":"a","every":"PT1H","payload":{"a":1,"b":2}})");
    t.advance(1s);
    const ScheduleView again = put(R"({"every":"PT1H","type":"a","payload":{"b":2,"a":1}})");
    EXPECT_FALSE(again.is_new);
    EXPECT_EQ(again.schedule, first.schedule);
    EXPECT_EQ(t.list().size(), 1U);
}

TEST_F(Recurring, EightPutsTogetherMakeOneOccurrence) {
    const std::vector<PutSchedule> puts(
        8, PutSchedule{{"default", "s"}, spec(R"({"type":"a","every":"PT1H"})")});
    int made = 0;
    for (const auto& reply : t.run_batch(puts)) {
        made += std::get<ScheduleView>(reply).is_new ? 1 : 0;
    }
    EXPECT_EQ(made, 1);
    EXPECT_EQ(t.list().size(), 1U);
}

TEST_F(Recurring, AnEditChangesThePendingOccurrenceInPlace) {
    put(R"({"type":"a","every":"PT1H","payload":1,"startAt":"2026-03-02T00:00:00Z"})");
    const JobId id = *schedule().current;
    const Time before = slot();
    put(R"({"type":"b","every":"PT1H","payload":2,"lockGroup":"g","priority":3,"startAt":"2026-03-02T00:00:00Z"})");
    const Job job = current();
    EXPECT_EQ(job.id, id);
    EXPECT_EQ(job.type, "b");
    EXPECT_EQ(job.lock_group, "g");
    EXPECT_EQ(job.priority, 3);
    EXPECT_EQ(job.occurrence->slot, before) << "the rule is as it was";
    EXPECT_EQ(t.get(id).view.body.payload, "2");
}

TEST_F(Recurring, AnotherRuleMovesThePendingSlot) {
    const Time start = t.now;
    put(R"({"type":"a","every":"PT1H"})");
    ok(t.complete(take_due()));
    t.advance(10min);
    put(R"({"type":"a","every":"PT15M"})");
    EXPECT_EQ(slot(), start + 15min) << "the last slot and the new interval";
    put(R"({"type":"a","cron":"0 18 * * *"})");
    EXPECT_EQ(slot(), *parse_rfc3339("2026-03-01T18:00:00Z"));
}

TEST_F(Recurring, AnEditWhileOneRunsCountsFromItsSuccessor) {
    const Time start = t.now;
    put(R"({"type":"a","every":"PT1H","payload":1})");
    const TakenJob running = take_due();
    put(R"({"type":"a","every":"PT2H","payload":2})");
    EXPECT_EQ(t.get(running.job.id).view.body.payload, "1");
    ok(t.complete(running));
    EXPECT_EQ(slot(), start + 2h);
    EXPECT_EQ(take_due().payload, "2");
}

TEST_F(Recurring, AnEditMovesTheOccurrenceToItsNewLockGroup) {
    t.schedule(R"({"type":"z","lockGroup":"new"})");
    put(R"({"type":"a","every":"PT1H","lockGroup":"old"})");
    const JobId waiting = t.schedule(R"({"type":"b","lockGroup":"old"})").action.job.id;
    put(R"({"type":"a","every":"PT1H","lockGroup":"new"})");
    EXPECT_EQ(t.take_one("b").job.id, waiting) << "its old group goes on";
    EXPECT_TRUE(t.take({"a"}).empty()) << "its new one has another head";
    ok(t.complete(t.take_one("z")));
    EXPECT_EQ(t.take_one("a").job.lock_group, "new");
}

// ---- pause, trigger, delete ---------------------------------------------------------------------

TEST_F(Recurring, PauseHoldsThePendingOneAndResumeLetsItGo) {
    put(R"({"type":"a","every":"PT1H"})");
    EXPECT_TRUE(pause().schedule.is_paused);
    EXPECT_EQ(current().place, Place::paused);
    EXPECT_TRUE(t.take({"a"}).empty());
    t.operate(Operation::run_now, *schedule().current);
    EXPECT_TRUE(t.take({"a"}).empty()) << "run does not skip a pause";
    pause(false);
    ok(t.complete(t.take_one("a")));
}

TEST_F(Recurring, ARunningOneFinishesAndItsSuccessorIsHeld) {
    put(R"({"type":"a","every":"PT1S"})");
    const TakenJob running = take_due();
    pause();
    ok(t.complete(running));
    EXPECT_EQ(current().place, Place::paused);
    t.advance(1h);
    t.promote();
    EXPECT_TRUE(t.take({"a"}).empty());
}

TEST_F(Recurring, APausedMemberDoesNotHoldItsLockGroup) {
    put(R"({"type":"a","every":"PT1H","lockGroup":"g"})");
    const JobId other = t.schedule(R"({"type":"b","lockGroup":"g"})").action.job.id;
    EXPECT_TRUE(t.take({"b"}).empty());
    pause();
    EXPECT_EQ(t.take_one("b").job.id, other);
}

TEST_F(Recurring, TriggerMakesAnExtraActionOutsideTheLineAlsoWhilePaused) {
    put(R"({"type":"a","every":"PT1H","startAt":"2026-03-02T00:00:00Z"})");
    pause();
    const auto extra = std::get<ActionView>(t.run(TriggerSchedule{{"default", "s"}}));
    EXPECT_EQ(extra.job.occurrence->name, "s");
    EXPECT_FALSE(extra.job.occurrence->slot.has_value());
    ok(t.complete(t.take_one("a")));
    EXPECT_EQ(t.list().size(), 2U) << "it has no successor";
}

TEST_F(Recurring, DeleteCancelsThePendingOne) {
    put(R"({"type":"a","every":"PT1H"})");
    const JobId id = *schedule().current;
    std::get<Schedule>(t.run(DeleteSchedule{{"default", "s"}}));
    EXPECT_EQ(t.status(id), Status::cancelled);
    EXPECT_EQ(t.list().size(), 1U);
    EXPECT_EQ(code_of(t.run(DeleteSchedule{{"default", "s"}})), ProblemCode::not_found);
}

TEST_F(Recurring, OneThatRunsWhenItsScheduleIsDeletedHasNoSuccessor) {
    put(R"({"type":"a","every":"PT1H"})");
    const TakenJob running = take_due();
    t.run(DeleteSchedule{{"default", "s"}});
    put(R"({"type":"c","every":"PT1H"})");  // another of the same name
    ok(t.complete(running));
    EXPECT_EQ(t.list().size(), 2U);
    EXPECT_EQ(current().type, "c");
}

TEST_F(Recurring, ARetriedOldOccurrenceMakesNoSecondLine) {
    put(R"({"type":"a","every":"PT1H","maxRetries":1})");
    const TakenJob failed = take_due();
    ok(t.fail(failed));
    const std::size_t before = t.list().size();
    t.operate(Operation::retry, failed.job.id);
    ok(t.complete(t.take_one("a")));
    EXPECT_EQ(t.list().size(), before);
}

TEST_F(Recurring, TenantsHaveTheirOwnNames) {
    put(R"({"type":"a","every":"PT1H"})");
    EXPECT_TRUE(std::get<ScheduleView>(
                    t.run(PutSchedule{{"zeta", "s"}, spec(R"({"type":"a","every":"PT2H"})")}))
                    .is_new);
    EXPECT_EQ(code_of(t.run(TriggerSchedule{{"acme", "s"}})), ProblemCode::not_found);
}

// ---- requests -----------------------------------------------------------------------------------

TEST(ScheduleRequest, WhatIsWrongIsNamed) {
    const Settings settings;
    const std::vector<std::pair<std::string, std::string>> cases = {
        {R"({"every":"hourly"})", "/type"},
        {R"({"type":"a"})", "/every"},
        {R"({"type":"a","every":"hourly","cron":"* * * * *"})", "/cron"},
        {R"({"type":"a","every":"hourly","timezone":"UTC"})", "/timezone"},
        {R"({"type":"a","every":"P1M"})", "/every"},
        {R"({"type":"a","every":"PT0.5S"})", "/every"},
        {R"({"type":"a","cron":"61 * * * *"})", "/cron"},
        {R"({"type":"a","cron":"0 0 30 2 *"})", "/cron"},
        {R"({"type":"a","cron":"* * * * *","timezone":"Mars/Base"})", "/timezone"},
        {R"({"type":"a","every":"hourly","recurrenceType":"sliding"})", "/recurrenceType"},
        {R"({"type":"a","every":"hourly","missed":"some"})", "/missed"},
        {R"({"type":"a","every":"hourly","startAt":"soon"})", "/startAt"},
        {R"({"type":"a","every":"hourly","backoff":{"kind":"x"}})", "/backoff/kind"},
        {R"({"type":"a","every":"hourly","deduplication":false})", "/deduplication"},
        {R"({"type":"a","every":"hourly","delayMs":1})", "/delayMs"},
    };
    for (const auto& [text, pointer] : cases) {
        const auto document = json::Document::parse(text);
        const auto read = read_schedule_request(document->root(), settings);
        ASSERT_TRUE(std::holds_alternative<Problem>(read)) << text;
        EXPECT_EQ(std::get<Problem>(read).pointer, pointer) << text;
    }
}

}  // namespace
}  // namespace semel
