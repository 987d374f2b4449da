#include "core/time/cron_calendar.hpp"

#include <bit>

namespace semel {
namespace {

using std::chrono::days;
using std::chrono::local_days;
using std::chrono::local_seconds;
using std::chrono::months;
using std::chrono::seconds;
using std::chrono::year_month;
using std::chrono::year_month_day;

// At either end of time, the wall clock can be a day ahead of UTC or behind it.
constexpr std::chrono::year kYearMin{1969};
constexpr std::chrono::year kYearMax{10000};

// Return the smallest set bit at or above `from`, and the greatest at or below; nullopt without
// one.
std::optional<int> bit_from(std::uint64_t bits, int from) {
    const std::uint64_t rest = from >= 64 ? 0 : bits >> static_cast<unsigned>(from);
    return rest == 0 ? std::nullopt : std::optional(from + std::countr_zero(rest));
}

std::optional<int> bit_to(std::uint64_t bits, int to) {
    const std::uint64_t rest = to < 0 ? 0 : bits << static_cast<unsigned>(63 - to);
    return rest == 0 ? std::nullopt : std::optional(to - std::countl_zero(rest));
}

int lowest(std::uint64_t bits) {
    return std::countr_zero(bits);
}

int highest(std::uint64_t bits) {
    return 63 - std::countl_zero(bits);
}

seconds time_of_day(int hour, int minute, int second) {
    return std::chrono::hours(hour) + std::chrono::minutes(minute) + seconds(second);
}

// The first matching time of day at or after `from`.
std::optional<seconds> time_from(const CronFields& fields, seconds from) {
    const std::chrono::hh_mm_ss at(from);
    const auto hour = static_cast<int>(at.hours().count());
    const auto minute = static_cast<int>(at.minutes().count());
    const auto second = static_cast<int>(at.seconds().count());
    if (bit_from(fields.hours, hour) == hour) {
        if (bit_from(fields.minutes, minute) == minute) {
            if (const auto found = bit_from(fields.seconds, second)) {
                return time_of_day(hour, minute, *found);
            }
        }
        if (const auto found = bit_from(fields.minutes, minute + 1)) {
            return time_of_day(hour, *found, lowest(fields.seconds));
        }
    }
    if (const auto found = bit_from(fields.hours, hour + 1)) {
        return time_of_day(*found, lowest(fields.minutes), lowest(fields.seconds));
    }
    return std::nullopt;
}

// The last matching time of day at or before `to`.
std::optional<seconds> time_to(const CronFields& fields, seconds to) {
    const std::chrono::hh_mm_ss at(to);
    const auto hour = static_cast<int>(at.hours().count());
    const auto minute = static_cast<int>(at.minutes().count());
    const auto second = static_cast<int>(at.seconds().count());
    if (bit_to(fields.hours, hour) == hour) {
        if (bit_to(fields.minutes, minute) == minute) {
            if (const auto found = bit_to(fields.seconds, second)) {
                return time_of_day(hour, minute, *found);
            }
        }
        if (const auto found = bit_to(fields.minutes, minute - 1)) {
            return time_of_day(hour, *found, highest(fields.seconds));
        }
    }
    if (const auto found = bit_to(fields.hours, hour - 1)) {
        return time_of_day(*found, highest(fields.minutes), highest(fields.seconds));
    }
    return std::nullopt;
}

// The matching days of one month, bit by bit.
std::uint64_t days_in(const CronFields& fields, year_month month) {
    if ((fields.months >> static_cast<unsigned>(month.month()) & 1U) == 0) return 0;
    const unsigned last{(month / std::chrono::last).day()};
    const unsigned first_weekday = std::chrono::weekday(local_days(month / 1)).c_encoding();
    std::uint64_t weekdays = 0;
    for (unsigned day = 1; day <= last; ++day) {
        weekdays |= (fields.weekdays >> ((first_weekday + day - 1) % 7) & 1U) << day;
    }
    const std::uint64_t possible = (std::uint64_t{2} << last) - 2;
    return possible & (fields.either_day ? fields.days | weekdays : fields.days & weekdays);
}

std::optional<local_days> day_from(const CronFields& fields, local_days from) {
    const year_month_day date(from);
    auto day = static_cast<int>(static_cast<unsigned>(date.day()));
    for (year_month month = date.year() / date.month(); month.year() <= kYearMax;
         month += months(1)) {
        if (const auto found = bit_from(days_in(fields, month), day)) {
            return local_days(month / *found);
        }
        day = 1;
    }
    return std::nullopt;
}

std::optional<local_days> day_to(const CronFields& fields, local_days to) {
    const year_month_day date(to);
    auto day = static_cast<int>(static_cast<unsigned>(date.day()));
    for (year_month month = date.year() / date.month(); month.year() >= kYearMin;
         month -= months(1)) {
        if (const auto found = bit_to(days_in(fields, month), day)) {
            return local_days(month / *found);
        }
        day = 31;
    }
    return std::nullopt;
}

}  // namespace

std::optional<local_seconds> first_match(const CronFields& fields, local_seconds from) {
    const auto today = std::chrono::floor<days>(from);
    auto day = day_from(fields, today);
    if (day == today) {
        if (const auto time = time_from(fields, from - today)) return today + *time;
        day = day_from(fields, today + days(1));
    }
    if (!day) return std::nullopt;
    return *day + time_of_day(lowest(fields.hours), lowest(fields.minutes), lowest(fields.seconds));
}

std::optional<local_seconds> last_match(const CronFields& fields, local_seconds to) {
    const auto today = std::chrono::floor<days>(to);
    auto day = day_to(fields, today);
    if (day == today) {
        if (const auto time = time_to(fields, to - today)) return today + *time;
        day = day_to(fields, today - days(1));
    }
    if (!day) return std::nullopt;
    return *day +
           time_of_day(highest(fields.hours), highest(fields.minutes), highest(fields.seconds));
}

}  // namespace semel
