// What a seed does with recurring schedules and with many actions at once, as plain data.
#pragma once

#include <optional>
#include <string>

#include "core/actions/backoff.hpp"
#include "core/batch/rows.hpp"
#include "core/time/time_zone.hpp"
#include "sim/slots.hpp"

namespace semel::sim {

// A rule as it is written, and as the checker counts its slots.
struct RulePlan {
    std::string text;
    SlotRule slots = SlotRule::every(Millis(1));
    std::string timezone = {};  // of cron

    bool operator==(const RulePlan&) const = default;
};

struct SchedulePlan {
    int number = 0;  // stands in the payload; another one is another schedule
    RulePlan rule;
    RecurrenceType recurrence = RecurrenceType::fixed;
    Missed missed = Missed::latest;
    std::string type;
    std::string lock_group;
    int max_retries = 1;
    Backoff backoff;
    std::optional<Millis> timeout;
    int priority = 0;
    std::optional<Time> start_at;

    bool operator==(const SchedulePlan&) const = default;

    // `other_bytes`: the same content, written otherwise.
    [[nodiscard]] std::string payload(const std::string& tenant, bool other_bytes) const;
    [[nodiscard]] std::string to_json(const std::string& tenant, bool other_bytes) const;
};

enum class ScheduleVerb { put, pause, resume, trigger, remove };

[[nodiscard]] std::string_view to_string(ScheduleVerb verb);

struct ScheduleOrder {
    ScheduleVerb verb = ScheduleVerb::put;
    std::string name;
    SchedulePlan plan = {};  // put
    bool other_bytes = false;
};

struct BulkPlan {
    Operation operation = Operation::run_now;
    bool dry_run = false;
    ActionFilter filter;
};

// UTC, and Berlin by its rule alone, so that a run does not depend on a machine's files.
[[nodiscard]] ZoneSource& sim_zones();

struct Plan;

// Adds to a plan what it does with schedules and bulk runs. Its dice are its own: the rest of the
// plan is what it would be without them.
void plan_schedules(Plan& plan);

}  // namespace semel::sim
