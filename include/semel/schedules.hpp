// Schedules: named rules that make actions, one after another.
// docs/guides/schedules.md is the guide.
#pragma once

#include <optional>
#include <string>

#include <semel/answer.hpp>
#include <semel/result.hpp>
#include <semel/time.hpp>

namespace semel {

class Host;

// A schedule. Each of its actions is an occurrence, and belongs to a slot: a time of the rule.
// Members that ActionSpec has too mean the same, for each occurrence.
struct RecurringSpec {
    // Names the schedule within its tenant: 1 to 255 bytes of UTF-8 without control characters.
    std::string name;
    std::string type;
    std::string payload = "{}";
    // An interval of at least 1 s: `every-30-minutes`, `hourly`, `daily`, `weekly`, or an ISO 8601
    // duration of exact units like `PT15M`. Give this or `cron`, not both.
    std::string every = {};
    // Five fields, or six with seconds in front.
    std::string cron = {};
    // IANA name of the zone for `cron`, from the tzdata of this machine. Empty: UTC.
    std::string timezone = {};
    RecurrenceType recurrence_type = RecurrenceType::fixed;
    Missed missed = Missed::latest;
    std::string lock_group = {};
    std::optional<int> max_retries = {};
    std::string backoff = {};
    std::optional<Millis> timeout = {};
    int priority = 0;
    // The first slot of a new schedule. Absent: now for an interval, the next match for cron.
    std::optional<Time> start_at = {};
    std::string tenant = "default";
};

struct PutAnswer {
    // Whether the call made the schedule.
    bool is_new = false;
    // Due time of the current occurrence, which waits or runs.
    std::optional<Time> next_at = {};
    // Why the request was refused. A refused request changed nothing.
    std::optional<Problem> problem = {};

    // False if the request was refused.
    explicit operator bool() const { return !problem; }
};

// The schedules of an engine: Engine::schedules().
//
// Threads and errors: as for Engine. Each call blocks until its answer is durable.
class Schedules {
public:
    explicit Schedules(Host& host) : host_(host) {}  // for Engine

    // Makes the schedule, or changes the one of this name. An equal schedule is not written again.
    // A change edits an occurrence that no worker has claimed yet: same id, and the same slot
    // unless the rule changes. Otherwise the change counts from the next occurrence.
    //
    // Returns an answer without a Problem if the schedule exists now. Its Problem is `invalid` or
    // `unknown_member` for a request that breaks a limit.
    // Example: schedules.put({.name = "nightly", .type = "report", .cron = "30 2 * * *"});
    [[nodiscard]] Result<PutAnswer> put(const RecurringSpec& schedule);

    // Makes an extra action that is due now and has no slot, also while the schedule is paused.
    //
    // Returns the id of the action. The Problem is `not_found`, or `invalid` for a name that breaks
    // a limit.
    [[nodiscard]] Result<ScheduleAnswer> trigger(const std::string& name,
                                                 const std::string& tenant = "default");

    // The next three return nullopt on success. Otherwise they return the Problem: `not_found`, or
    // `invalid` for a name that breaks a limit.

    // Holds the pending occurrence. A running attempt continues to its end.
    [[nodiscard]] Result<std::optional<Problem>> pause(const std::string& name,
                                                       const std::string& tenant = "default");
    // Releases the pending occurrence and applies `missed` to its slot. Also `invalid` if the rule
    // cannot continue, for example because its time zone is no longer on this machine.
    [[nodiscard]] Result<std::optional<Problem>> resume(const std::string& name,
                                                        const std::string& tenant = "default");
    // Deletes the schedule and cancels its pending occurrence. A running one is the last.
    [[nodiscard]] Result<std::optional<Problem>> remove(const std::string& name,
                                                        const std::string& tenant = "default");

private:
    Host& host_;
};

}  // namespace semel
