// Cron: when a cron expression runs, in a time zone.
//
// Where the hour is fixed, a run belongs to a wall time: one that the clock jumps over runs at the
// first instant after the gap (several of them together once), one that comes twice runs the first
// time. Where the hour is `*` or has a step, it runs at each instant whose wall time matches:
// through a gap without those that are not there, and through an overlap both times.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/time.hpp"
#include "core/cron_fields.hpp"
#include "core/time_zone.hpp"

namespace semel {

class Cron {
public:
    [[nodiscard]] static Result<Cron> parse(std::string_view text);

    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] const CronFields& fields() const { return fields_; }

    // Nothing: not before the end of time (year 9999), or not since its beginning (1970).
    [[nodiscard]] std::optional<Time> next_after(Time time, const TimeZone& zone) const;
    [[nodiscard]] std::optional<Time> last_at_or_before(Time time, const TimeZone& zone) const;

    // Means the same; the texts may differ.
    bool operator==(const Cron& other) const { return fields_ == other.fields_; }

private:
    Cron(std::string text, CronFields fields) : text_(std::move(text)), fields_(fields) {}

    std::string text_;
    CronFields fields_;
};

}  // namespace semel
