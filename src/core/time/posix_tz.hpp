// PosixTz: the last line of a TZif file, like "CET-1CEST,M3.5.0,M10.5.0/3".
//
// The line is the rule for all times after the file's last transition. The form is POSIX's with the
// extensions of RFC 9636: names in angle brackets, and times of day from -167 to 167 hours.
// Immutable. Threads: any.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "base/result.hpp"

namespace semel {

// A time span [begin, end) with one offset of a zone's clock from UTC (east is positive).
struct OffsetSpan {
    std::chrono::sys_seconds begin;
    std::chrono::sys_seconds end;
    std::chrono::seconds offset;
};

// The begin of a zone's first span and the end of its last one. Adding an offset cannot overflow.
inline constexpr std::chrono::sys_seconds kSpanBegin{
    std::chrono::seconds(-(std::int64_t{1} << 60))};
inline constexpr std::chrono::sys_seconds kSpanEnd{std::chrono::seconds(std::int64_t{1} << 60)};

// The offsets that RFC 9636 allows in a file.
inline constexpr std::chrono::seconds kOffsetMin =
    -(std::chrono::hours(25) - std::chrono::seconds(1));
inline constexpr std::chrono::seconds kOffsetMax = std::chrono::hours(26) - std::chrono::seconds(1);

class PosixTz {
public:
    // Returns the error `corrupt` for any text that is not such a line.
    [[nodiscard]] static Result<PosixTz> parse(std::string_view text);

    // Returns the span that contains `time`, as if the rule had always been in force.
    [[nodiscard]] OffsetSpan span_at(std::chrono::sys_seconds time) const;

    // One day of each year, and a wall time counted from its midnight (-167 to 167 hours).
    struct Change {
        enum class Day {
            of_year,       // Jn: 1 to 365, February 29 is never counted
            of_leap_year,  // n: 0 to 365, February 29 counts
            of_week,       // Mm.w.d: weekday d of week w (5: the last) of month m
        };
        Day kind = Day::of_week;
        int month = 1;
        int week = 1;
        int day = 0;
        std::chrono::seconds time = std::chrono::hours(2);
    };

private:
    struct Summer {
        std::chrono::seconds offset;
        Change begin;
        Change end;
    };

    std::chrono::seconds standard_{0};
    std::optional<Summer> summer_;
};

}  // namespace semel
