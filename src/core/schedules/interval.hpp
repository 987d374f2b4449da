// parse_interval and interval_in_words: read and show the interval of a schedule.
//
// An interval has an exact length: 1 s to a century (36 600 days). Pure. Threads: any.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/time.hpp"

namespace semel {

inline constexpr Millis kIntervalMin = std::chrono::seconds(1);

// Reads `every-30-minutes`, `hourly`, `daily`, `weekly`, or the ISO 8601 duration
// P[nW][nD][T[nH][nM][n[.nnn]S]]. A day has 24 hours.
//
// Returns the error `invalid` for any other text, with the reason and the allowed forms. Months and
// years are refused because they have no exact length.
[[nodiscard]] Result<Millis> parse_interval(std::string_view text);

// Returns "30 minutes" or "1 day 12 hours". One day is shown as "24 hours", its exact length.
[[nodiscard]] std::string interval_in_words(Millis interval);

}  // namespace semel
