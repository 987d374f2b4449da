// Schedules as users of the library see them: real threads, a real file.
#include <gtest/gtest.h>
#include <semel/semel.hpp>

#include "support/countdown.hpp"
#include "support/temp_folder.hpp"

namespace semel {
namespace {

RecurringSpec report() {
    return {.name = "report", .type = "report:build", .every = "PT1S"};
}

class SchedulesTest : public testing::Test {
protected:
    void SetUp() override {
        auto opened = Engine::open({.store = folder_.file("semel.db"), .concurrency = 2});
        ASSERT_TRUE(opened.has_value()) << opened.error().message();
        engine_ = std::move(*opened);
    }

    // The problem's code, or nothing: done.
    static std::optional<ProblemCode> code(const Result<std::optional<Problem>>& answer) {
        EXPECT_TRUE(answer.has_value());
        return *answer ? std::optional((*answer)->code) : std::nullopt;
    }

    test::TempFolder folder_;
    std::unique_ptr<Engine> engine_;
};

TEST_F(SchedulesTest, AnOccurrenceIsTriedAgainAndFollowedByTheNext) {
    test::Countdown completed(2);
    engine_->handle("report:build", [&](const Work& work) {
        EXPECT_EQ(work.payload, R"({"format":"pdf"})");
        if (work.attempt == 1) return failed("jammed");
        completed.one();
        return done();
    });
    engine_->start();
    RecurringSpec spec = report();
    spec.payload = R"({"format":"pdf"})";
    spec.backoff = R"({"kind":"fixed","delayMs":1})";
    const auto put = engine_->schedules().put(spec);
    ASSERT_TRUE(put.has_value() && *put);
    EXPECT_TRUE(put->is_new);
    EXPECT_TRUE(put->next_at.has_value());
    EXPECT_TRUE(completed.wait());
}

TEST_F(SchedulesTest, AnEqualOneStaysAsItIs) {
    engine_->start();
    EXPECT_TRUE(engine_->schedules().put(report())->is_new);
    EXPECT_FALSE(engine_->schedules().put(report())->is_new);
    RecurringSpec elsewhere = report();
    elsewhere.tenant = "other";
    EXPECT_TRUE(engine_->schedules().put(elsewhere)->is_new);
}

TEST_F(SchedulesTest, ATriggeredActionRunsAlsoWhileTheScheduleIsPaused) {
    test::Countdown handled(1);
    engine_->handle("report:build", [&](const Work&) {
        handled.one();
        return done();
    });
    engine_->start();
    RecurringSpec spec = report();
    spec.every = {};
    spec.cron = "0 0 1 1 *";
    spec.timezone = "Europe/Berlin";
    ASSERT_TRUE(*engine_->schedules().put(spec));
    EXPECT_EQ(code(engine_->schedules().pause("report")), std::nullopt);
    const auto triggered = engine_->schedules().trigger("report");
    ASSERT_TRUE(triggered.has_value() && *triggered);
    ASSERT_TRUE(handled.wait());
    EXPECT_EQ(code(engine_->schedules().resume("report")), std::nullopt);
    engine_->stop();
    EXPECT_EQ((*engine_->get(triggered->id))->status, Status::completed);
}

TEST_F(SchedulesTest, OneThatIsRemovedIsGone) {
    engine_->start();
    ASSERT_TRUE(*engine_->schedules().put(report()));
    EXPECT_EQ(code(engine_->schedules().remove("report")), std::nullopt);
    EXPECT_EQ(code(engine_->schedules().remove("report")), ProblemCode::not_found);
    EXPECT_EQ(code(engine_->schedules().pause("report")), ProblemCode::not_found);
    EXPECT_EQ(engine_->schedules().trigger("report")->problem->code, ProblemCode::not_found);
}

TEST_F(SchedulesTest, BadInputIsNamed) {
    engine_->start();
    const auto pointer_of = [&](auto change) {
        RecurringSpec spec = report();
        change(spec);
        const auto answer = engine_->schedules().put(spec);
        return answer.has_value() && answer->problem ? answer->problem->pointer : "accepted";
    };
    EXPECT_EQ(pointer_of([](RecurringSpec& spec) { spec.name = ""; }), "/name");
    EXPECT_EQ(pointer_of([](RecurringSpec& spec) { spec.tenant = "a\n"; }), "/tenant");
    EXPECT_EQ(pointer_of([](RecurringSpec& spec) { spec.type = ""; }), "/type");
    EXPECT_EQ(pointer_of([](RecurringSpec& spec) { spec.payload = R"(1,"cron":"")"; }), "/payload");
    EXPECT_EQ(pointer_of([](RecurringSpec& spec) { spec.backoff = "fast"; }), "/backoff");
    EXPECT_EQ(pointer_of([](RecurringSpec& spec) { spec.every = "sometimes"; }), "/every");
    EXPECT_EQ(engine_->schedules().trigger("")->problem->pointer, "/name");
    EXPECT_EQ((*engine_->schedules().pause("report", ""))->pointer, "/tenant");
}

TEST_F(SchedulesTest, CallsOutsideStartAndStopSaySo) {
    EXPECT_EQ(engine_->schedules().put(report()).error().code(), ErrorCode::stopped);
}

}  // namespace
}  // namespace semel
