// CronFields: a parsed cron expression. It says which seconds, minutes, hours, days, months and
// weekdays match, and keeps two facts about the text that change the meaning.
//
//     expression := minute hour day month weekday            seconds are 0
//                 | second minute hour day month weekday
//                 | @yearly @annually @monthly @weekly @daily @midnight @hourly
//     field      := item {"," item}
//     item       := "*" ["/" step] | value | value "-" value ["/" step]
//
// Values: 0-59, 0-59, 0-23, 1-31, 1-12 or JAN-DEC, 0-7 or SUN-SAT (0 and 7 are Sunday); names in
// any case.
//
// Pure. Threads: any.
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

    // Vixie's rule: if neither day nor weekday begins with `*`, one match of the two suffices.
    // Otherwise both must match.
    bool either_day = false;
    // True if the hour is `*` or has a step. The expression then follows the clock through its
    // changes (core/time/cron.hpp).
    bool by_elapsed_time = false;

    bool operator==(const CronFields&) const = default;

    // Returns the error `invalid` with the reason if the text is not an expression. An expression
    // that matches no day of any year (February 30) is refused too.
    [[nodiscard]] static Result<CronFields> parse(std::string_view text);
};

}  // namespace semel
