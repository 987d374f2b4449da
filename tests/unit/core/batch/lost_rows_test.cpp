// Rows that are named by others and are not there, as in a store that somebody or some disk has
// damaged. Whatever is asked of the rest is answered.
#include "core/schedules/schedule_request.hpp"
#include "support/tabletop.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::ok;
using test::Tabletop;

class LostRows : public testing::Test {
protected:
    Tabletop t;
    const ScheduleKey key{"default", "s"};

    ScheduleView put(const std::string& json) {
        const auto document = json::Document::parse(json);
        const auto spec =
            std::get<ScheduleSpec>(read_schedule_request(document->root(), t.settings));
        return std::get<ScheduleView>(t.run(PutSchedule{key, spec}));
    }
    ScheduleView pause(bool pause) {
        return std::get<ScheduleView>(t.run(PauseSchedule{key, pause}));
    }
    ScheduleView show() {
        std::optional<ScheduleView> found;
        t.reads().get_schedule(key, [&](auto view) { found = std::move(*view); });
        return found.value_or(ScheduleView{});
    }
    void make_without_current() { t.lose_job(put(R"({"type":"a","every":"PT1H"})").current->id); }
};

TEST_F(LostRows, AScheduleWithoutItsOccurrenceIsShownPausedTriggeredAndDeleted) {
    make_without_current();
    EXPECT_FALSE(show().current.has_value());
    EXPECT_FALSE(pause(true).current.has_value());
    EXPECT_EQ(std::get<ActionView>(t.run(TriggerSchedule{key})).job.status, Status::pending);
    EXPECT_TRUE(std::holds_alternative<Schedule>(t.run(DeleteSchedule{key})));
    EXPECT_TRUE(show().schedule.key.name.empty());
}

TEST_F(LostRows, AnEqualPutGivesItAnother) {
    make_without_current();
    const ScheduleView view = put(R"({"type":"a","every":"PT1H"})");
    ASSERT_TRUE(view.current.has_value());
    EXPECT_EQ(show().current, view.current);
    EXPECT_EQ(t.take_one("a").job.id, view.current->id);
}

TEST_F(LostRows, AnotherPutGivesItAnother) {
    make_without_current();
    EXPECT_EQ(put(R"({"type":"b","cron":"0 18 * * *"})").current->occurrence->slot,
              *parse_rfc3339("2026-03-01T18:00:00Z"));
}

TEST_F(LostRows, ResumingGivesItAnother) {
    make_without_current();
    pause(true);
    EXPECT_TRUE(pause(false).current.has_value());
    make_without_current();
    EXPECT_TRUE(pause(false).current.has_value()) << "also where it was not paused";
}

TEST_F(LostRows, AGroupWithoutItsHeadGoesOn) {
    t.lose_job(t.schedule(R"({"type":"a","lockGroup":"g"})").action.job.id);
    const JobId next = t.schedule(R"({"type":"a","lockGroup":"g"})").action.job.id;
    EXPECT_EQ(t.take_one("a").job.id, next);
}

TEST_F(LostRows, AKeyWithoutItsOwnerIsFree) {
    const std::string request = R"({"type":"a","payload":{"entityId":"e"}})";
    t.lose_job(t.schedule(request).action.job.id);
    EXPECT_EQ(t.schedule(request).decision, Decision::new_);
    EXPECT_EQ(t.schedule(request).decision, Decision::duplicate);
}

class LostSuccessor : public LostRows {
protected:
    const std::string request = R"({"type":"a","payload":{"entityId":"e"},"maxRetries":2,)"
                                R"("backoff":{"kind":"fixed","delayMs":1000}})";
    JobId first = t.schedule(request).action.job.id;
    TakenJob running = t.take_one("a");
    JobId successor = t.schedule(request).action.job.id;
};

TEST_F(LostSuccessor, DoesNotStopWhatCameBeforeIt) {
    t.lose_job(successor);
    ok(t.fail(running));
    EXPECT_EQ(t.status(first), Status::pending) << "there is none that it could give way to";
    t.advance(1s);
    t.promote();
    ok(t.complete(t.take_one("a")));
    EXPECT_EQ(t.status(first), Status::completed);
}

TEST_F(LostSuccessor, IsNotNeededToComplete) {
    t.lose_job(successor);
    ok(t.complete(running));
    EXPECT_EQ(t.status(first), Status::completed);
}

TEST_F(LostSuccessor, CanBeCancelledWithoutItsPredecessor) {
    t.lose_job(first);
    t.operate(Operation::cancel, successor);
    EXPECT_EQ(t.status(successor), Status::cancelled);
}

}  // namespace
}  // namespace semel
