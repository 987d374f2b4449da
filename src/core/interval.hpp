// The interval of a schedule: one of the contract's words, or an ISO 8601 duration of exact units.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/time.hpp"

namespace semel {

inline constexpr Millis kIntervalMin = std::chrono::seconds(1);

// `every-30-minutes`, `hourly`, `daily`, `weekly`, or P[nW][nD][T[nH][nM][n[.nnn]S]]. A day is 24
// hours. Months and years have no exact length and are refused. From a second to a century.
[[nodiscard]] Result<Millis> parse_interval(std::string_view text);

// "30 minutes", "1 day 12 hours"; one day is "24 hours", because that is what it is.
[[nodiscard]] std::string interval_in_words(Millis interval);

}  // namespace semel
