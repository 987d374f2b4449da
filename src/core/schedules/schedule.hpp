// Schedule: a rule that makes actions repeatedly, one at a time.
//
// Each action is an occurrence of the schedule and has one slot, a time of the rule. No two
// occurrences use the same slot. core/schedules/recurrence.hpp computes slots,
// core/schedules/occurrence.hpp makes the actions. All types here are plain values.
#pragma once

#include <compare>
#include <optional>
#include <string>

#include "core/actions/job.hpp"
#include "core/schedules/recurrence.hpp"

namespace semel {

struct ScheduleKey {
    std::string tenant;
    std::string name;

    auto operator<=>(const ScheduleKey&) const = default;
};

// The request that made or last changed the schedule.
struct ScheduleSpec {
    std::string type;
    std::string payload = "{}";  // JSON, the bytes of the request
    std::string every;           // an interval, or empty if `cron` is given
    std::string cron;
    std::string timezone;  // of cron
    RecurrenceType recurrence_type = RecurrenceType::fixed;
    Missed missed = Missed::latest;
    std::string lock_group;  // empty: none
    int max_retries = kMaxRetriesDefault;
    Backoff backoff;
    std::optional<Millis> timeout;
    int priority = 0;
    std::optional<Time> start_at;

    bool operator==(const ScheduleSpec&) const = default;

    // Returns the interval or the cron expression as written.
    [[nodiscard]] const std::string& rule_text() const { return every.empty() ? cron : every; }
    // Returns the rule. Errors: `invalid`, or an error of ZoneSource::find.
    [[nodiscard]] Result<Rule> rule(ZoneSource& zones) const;
};

struct Schedule {
    Uuid id;  // differs between a deleted schedule and a later one of the same name
    ScheduleKey key;
    ScheduleSpec spec;
    Time created_at;
    Time updated_at;
    bool is_paused = false;
    std::optional<JobId> current;   // the one unfinished occurrence
    std::optional<Time> last_slot;  // the latest used slot whose time has come
    SpentSlots spent;               // slots ahead that were used before their time
    std::string fault;              // the reason if the next occurrence is missing, or empty

    bool operator==(const Schedule&) const = default;

    // Returns the spec's rule, which skips the spent slots. Errors: as ScheduleSpec::rule.
    [[nodiscard]] Result<Rule> rule(ZoneSource& zones) const;
    // Records that the occurrence of this slot has ended, so that no other one uses the slot.
    void spend(Time slot, Time now);
    [[nodiscard]] bool had_slots() const { return last_slot || !spent.is_empty(); }
    // Returns the latest used slot that is not after `now`, or nullopt without one.
    [[nodiscard]] std::optional<Time> last_come(Time now) const;
};

}  // namespace semel

template <>
struct std::hash<semel::ScheduleKey> {
    std::size_t operator()(const semel::ScheduleKey& key) const noexcept {
        return std::hash<std::string>()(key.tenant) * 31 + std::hash<std::string>()(key.name);
    }
};
