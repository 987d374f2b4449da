// PosixTz: the last line of a TZif file ("CET-1CEST,M3.5.0,M10.5.0/3"), the rule that holds for
// ever after the file's last transition. POSIX's form with the extensions of RFC 9636: names in
// angle brackets, and times of day from -167 to 167 hours.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "base/result.hpp"

namespace semel {

// A stretch [begin, end) during which a zone's clock keeps one offset from UTC (east is positive).
struct OffsetSpan {
    std::chrono::sys_seconds begin;
    std::chrono::sys_seconds end;
    std::chrono::seconds offset;
};

// Where a zone's first span begins and its last one ends. Offsets can be added without overflow.
inline constexpr std::chrono::sys_seconds kSpanBegin{
    std::chrono::seconds(-(std::int64_t{1} << 60))};
inline constexpr std::chrono::sys_seconds kSpanEnd{std::chrono::seconds(std::int64_t{1} << 60)};

// The offsets that RFC 9636 allows a file to have.
inline constexpr std::chrono::seconds kOffsetMin =
    -(std::chrono::hours(25) - std::chrono::seconds(1));
inline constexpr std::chrono::seconds kOffsetMax = std::chrono::hours(26) - std::chrono::seconds(1);

class PosixTz {
public:
    [[nodiscard]] static Result<PosixTz> parse(std::string_view text);

    // The span that `time` lies in, as if the rule had always held.
    [[nodiscard]] OffsetSpan span_at(std::chrono::sys_seconds time) const;

    // One day of each year, and the wall time on it (which may lie days before or after).
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
