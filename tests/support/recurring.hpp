// A tenant with schedules on the tabletop, and their occurrences one at a time.
#pragma once

#include "core/schedules/schedule_request.hpp"
#include "support/tabletop.hpp"

namespace semel::test {

class Recurring : public testing::Test {
protected:
    Tabletop t;

    ScheduleSpec spec(const std::string& json) {
        const auto document = json::Document::parse(json);
        auto read = read_schedule_request(document->root(), t.settings);
        const auto* problem = std::get_if<Problem>(&read);
        EXPECT_EQ(problem, nullptr) << problem->detail;
        return problem == nullptr ? std::get<ScheduleSpec>(read) : ScheduleSpec{};
    }
    ScheduleView put(const std::string& json, const std::string& name = "s") {
        return std::get<ScheduleView>(t.run(PutSchedule{{"default", name}, spec(json)}));
    }
    ScheduleView pause(bool pause = true) {
        return std::get<ScheduleView>(t.run(PauseSchedule{{"default", "s"}, pause}));
    }
    static Time at(const char* text) { return *parse_rfc3339(text); }
    Schedule schedule(const std::string& name = "s") {
        std::optional<ScheduleView> found;
        t.reads().get_schedule({"default", name}, [&](auto view) { found = std::move(*view); });
        EXPECT_TRUE(found.has_value());
        return found.value_or(ScheduleView{}).schedule;
    }
    Job current(const std::string& name = "s") { return t.job(*schedule(name).current); }
    Time slot(const std::string& name = "s") { return *current(name).occurrence->slot; }

    // The current occurrence ends before its time. The id is that of the next one.
    JobId run_early(const std::string& name = "s") {
        t.operate(Operation::run_now, *schedule(name).current);
        ok(t.complete(t.take_one("a")));
        return *schedule(name).current;
    }
    JobId cancel() {
        t.operate(Operation::cancel, *schedule().current);
        return *schedule().current;
    }

    // Takes the current occurrence, at its time or later.
    TakenJob take_due() {
        t.now = std::max(t.now, current().scheduled_at);
        t.promote();
        return t.take_one("a");
    }
};

}  // namespace semel::test
