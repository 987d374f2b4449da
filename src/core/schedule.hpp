// A schedule: a rule that makes actions again and again, one at a time. Each of them, an
// occurrence, has its slot: the time on the rule's grid that it stands for.
#pragma once

#include <compare>
#include <optional>
#include <string>

#include "core/job.hpp"
#include "core/recurrence.hpp"

namespace semel {

struct ScheduleKey {
    std::string tenant;
    std::string name;

    auto operator<=>(const ScheduleKey&) const = default;
};

// What its owner asked for.
struct ScheduleSpec {
    std::string type;
    std::string payload = "{}";  // JSON bytes as they came
    std::string every;           // this or `cron`
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

    // As it was written: the interval or the expression.
    [[nodiscard]] const std::string& rule_text() const { return every.empty() ? cron : every; }
    [[nodiscard]] Result<Rule> rule(ZoneSource& zones) const;
};

struct Schedule {
    Uuid id;  // a deleted schedule and a later one of its name are two
    ScheduleKey key;
    ScheduleSpec spec;
    Time created_at;
    Time updated_at;
    bool is_paused = false;
    std::optional<JobId> current;   // its one unfinished occurrence
    std::optional<Time> last_slot;  // the latest of those before that whose time had come
    SpentSlots spent;               // those that ended before their time and lie ahead
    std::string fault;              // why there is no next occurrence, where there should be one

    bool operator==(const Schedule&) const = default;

    // The spec's rule, for what it has not spent.
    [[nodiscard]] Result<Rule> rule(ZoneSource& zones) const;
    // The occurrence of this slot has ended.
    void spend(Time slot, Time now);
    [[nodiscard]] bool had_slots() const { return last_slot || !spent.is_empty(); }
    // The latest slot that has come.
    [[nodiscard]] std::optional<Time> last_come(Time now) const;
};

}  // namespace semel

template <>
struct std::hash<semel::ScheduleKey> {
    std::size_t operator()(const semel::ScheduleKey& key) const noexcept {
        return std::hash<std::string>()(key.tenant) * 31 + std::hash<std::string>()(key.name);
    }
};
