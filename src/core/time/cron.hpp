// Cron: computes when a cron expression runs in a time zone.
//
// Changes of the clock, if the hour is fixed: a run belongs to a wall time. If the clock skips it,
// the run is at the first instant after the gap, and several skipped times give one run. If the
// clock shows it twice, the run is at the first time.
//
// Changes of the clock, if the hour is `*` or has a step: the expression runs at each instant whose
// wall time matches. A gap has no such instant, an overlap has both.
//
// Pure and immutable. Threads: any.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/time.hpp"
#include "core/time/cron_fields.hpp"
#include "core/time/time_zone.hpp"

namespace semel {

class Cron {
public:
    // Returns the error `invalid` with the reason if the text is not a cron expression. The grammar
    // is in core/time/cron_fields.hpp.
    [[nodiscard]] static Result<Cron> parse(std::string_view text);

    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] const CronFields& fields() const { return fields_; }

    // Return the first run after `time`, and the last run at or before it. Return nullopt if no run
    // is left up to the year 9999, or if the first run since 1970 is later than `time`.
    [[nodiscard]] std::optional<Time> next_after(Time time, const TimeZone& zone) const;
    [[nodiscard]] std::optional<Time> last_at_or_before(Time time, const TimeZone& zone) const;

    // Compares the meaning, not the text.
    bool operator==(const Cron& other) const { return fields_ == other.fields_; }

private:
    Cron(std::string text, CronFields fields) : text_(std::move(text)), fields_(fields) {}

    std::string text_;
    CronFields fields_;
};

}  // namespace semel
