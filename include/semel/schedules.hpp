// Schedules: named rules that make actions again and again, one at a time.
// See docs/guides/schedules.md.
#pragma once

#include <optional>
#include <string>

#include <semel/answer.hpp>
#include <semel/result.hpp>
#include <semel/time.hpp>

namespace semel {

class Host;

struct RecurringSpec {
    std::string name;  // one schedule a name and tenant
    std::string type;
    std::string payload = "{}";  // any JSON value
    std::string every = {};      // `hourly`, `PT15M`, …: this or `cron`
    std::string cron = {};
    std::string timezone = {};  // of cron; empty: UTC
    RecurrenceType recurrence_type = RecurrenceType::fixed;
    Missed missed = Missed::latest;
    std::string lock_group = {};
    std::optional<int> max_retries = {};  // total attempts of an occurrence
    std::string backoff = {};  // JSON, as in the HTTP API; empty: 5 minutes more each time
    std::optional<Millis> timeout = {};
    int priority = 0;
    std::optional<Time> start_at = {};
    std::string tenant = "default";
};

struct PutAnswer {
    bool is_new = false;
    std::optional<Time> next_at = {};     // of the occurrence that waits or runs
    std::optional<Problem> problem = {};  // refused: nothing was changed

    explicit operator bool() const { return !problem; }
};

// An engine's schedules. Thread-safe; each call blocks until the answer is durable. An Error is an
// operating failure.
class Schedules {
public:
    explicit Schedules(Host& host) : host_(host) {}  // for Engine

    // Makes it, or changes it; an equal one stays as it is.
    [[nodiscard]] Result<PutAnswer> put(const RecurringSpec& schedule);
    // An extra action at once, outside the line.
    [[nodiscard]] Result<ScheduleAnswer> trigger(const std::string& name,
                                                 const std::string& tenant = "default");

    // Absent: done. Otherwise what stands against it.
    [[nodiscard]] Result<std::optional<Problem>> pause(const std::string& name,
                                                       const std::string& tenant = "default");
    [[nodiscard]] Result<std::optional<Problem>> resume(const std::string& name,
                                                        const std::string& tenant = "default");
    [[nodiscard]] Result<std::optional<Problem>> remove(const std::string& name,
                                                        const std::string& tenant = "default");

private:
    Host& host_;
};

}  // namespace semel
