// CronFields: a cron expression, read. Which seconds, minutes, hours, days, months and weekdays
// match, and the two things about the text that change its meaning.
//
//     expression := minute hour day month weekday            seconds are 0
//                 | second minute hour day month weekday
//                 | @yearly @annually @monthly @weekly @daily @midnight @hourly
//     field      := item {"," item}
//     item       := "*" ["/" step] | value | value "-" value ["/" step]
//
// Values: 0-59, 0-59, 0-23, 1-31, 1-12 or JAN-DEC, 0-7 or SUN-SAT (0 and 7 are Sunday); names in
// any case.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.hpp"

namespace semel {

inline constexpr std::size_t kCronBytesMax = 1024;

struct CronFields {
    // Bit n: the value n matches.
    std::uint64_t seconds = 1;
    std::uint64_t minutes = 0;
    std::uint64_t hours = 0;
    std::uint64_t days = 0;
    std::uint64_t months = 0;
    std::uint64_t weekdays = 0;  // 0 is Sunday

    // Vixie's rule: where neither day nor weekday begins with `*`, one of them suffices. Otherwise
    // both must match.
    bool either_day = false;
    // The hour is `*` or has a step: the expression follows the clock through its changes.
    bool by_elapsed_time = false;

    bool operator==(const CronFields&) const = default;

    // Also refused: an expression that no day of any year matches (February 30).
    [[nodiscard]] static Result<CronFields> parse(std::string_view text);
};

}  // namespace semel
