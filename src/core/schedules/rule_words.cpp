#include "core/schedules/rule_words.hpp"

#include <array>
#include <bit>

#include <fmt/format.h>

#include "core/schedules/interval.hpp"
#include "core/time/cron_calendar.hpp"

namespace semel {
namespace {

using std::chrono::local_seconds;

constexpr std::array<std::string_view, 7> kWeekdayNames = {
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 13> kMonthNames = {
    "",     "January", "February",  "March",   "April",    "May",     "June",
    "July", "August",  "September", "October", "November", "December"};
constexpr std::array<std::string_view, 6> kFieldNames = {"second",       "minute", "hour",
                                                         "day of month", "month",  "day of week"};
constexpr std::size_t kDayField = 3;
constexpr std::size_t kWeekdayField = 5;

constexpr std::uint64_t kSixty = (std::uint64_t{1} << 60U) - 1;
constexpr std::uint64_t kEveryHour = (std::uint64_t{1} << 24U) - 1;
constexpr std::uint64_t kEveryDay = (std::uint64_t{1} << 32U) - 2;
constexpr std::uint64_t kEveryMonth = (std::uint64_t{1} << 13U) - 2;
constexpr std::uint64_t kEveryWeekday = (std::uint64_t{1} << 7U) - 1;
constexpr std::uint64_t kSundayLast = std::uint64_t{1} << 7U;
constexpr std::size_t kTimesMax = 4;      // more make the sentence too long
constexpr std::chrono::years kAhead{28};  // then the calendar repeats

bool is_one(std::uint64_t bits) {
    return std::has_single_bit(bits);
}

std::vector<int> values_of(std::uint64_t bits) {
    std::vector<int> values;
    for (; bits != 0; bits &= bits - 1) values.push_back(std::countr_zero(bits));
    return values;
}

// Returns n if the bits are 0, n, 2n … below `size` and n divides `size`, so all are n apart.
std::optional<int> even_step(std::uint64_t bits, int size) {
    for (int step = 1; step < size; ++step) {
        std::uint64_t pattern = 0;
        for (int value = 0; value < size; value += step)
            pattern |= std::uint64_t{1} << static_cast<unsigned>(value);
        if (size % step == 0 && pattern == bits) return step;
    }
    return std::nullopt;
}

// At least three values with equal distances.
struct Steps {
    int first;
    int last;
    int step;
};

std::optional<Steps> steps_of(std::uint64_t bits) {
    const std::vector<int> values = values_of(bits);
    if (values.size() < 3) return std::nullopt;
    const int step = values[1] - values[0];
    for (std::size_t index = 2; index < values.size(); ++index) {
        if (values[index] - values[index - 1] != step) return std::nullopt;
    }
    return Steps{values.front(), values.back(), step};
}

// "a", "a and b", "a, b and c"
std::string listed(const std::vector<std::string>& items) {
    std::string text;
    for (std::size_t index = 0; index < items.size(); ++index) {
        const bool is_last = index + 1 == items.size();
        text += (index == 0 ? "" : is_last ? " and " : ", ") + items[index];
    }
    return text;
}

// Returns the values by name: three or more in a row as "first to last", and many with equal
// distances by their step.
template <typename Name>
std::string named(std::uint64_t bits, const Name& name) {
    const std::vector<int> values = values_of(bits);
    const auto steps = steps_of(bits);
    if (steps && (steps->step == 1 || values.size() > kTimesMax)) {
        const std::string range = name(steps->first) + " to " + name(steps->last);
        return steps->step == 1 ? range : fmt::format("{} in steps of {}", range, steps->step);
    }
    std::vector<std::string> items;
    items.reserve(values.size());
    for (const int value : values) items.push_back(name(value));
    return listed(items);
}

std::string every(int count, std::string_view unit) {
    return count == 1 ? fmt::format("every {}", unit) : fmt::format("every {} {}s", count, unit);
}

std::string in_minutes(std::uint64_t bits) {
    return (is_one(bits) ? " of minute " : " in the minutes ") +
           named(bits, [](int minute) { return std::to_string(minute); });
}

std::string in_hours(std::uint64_t bits) {
    return (is_one(bits) ? " of the hour " : " in the hours ") +
           named(bits, [](int hour) { return fmt::format("{:02}", hour); });
}

// Describes a rule that repeats within the hour.
std::optional<std::string> within_hour(const CronFields& fields) {
    const bool by_seconds = fields.seconds != 1;
    const auto step = even_step(by_seconds ? fields.seconds : fields.minutes, 60);
    if (!step) return std::nullopt;
    const std::string often = every(*step, by_seconds ? "second" : "minute");
    if (!by_seconds || fields.minutes == kSixty) return often;
    const std::string minutes = in_minutes(fields.minutes);
    const bool is_short = std::popcount(fields.minutes) <= static_cast<int>(kTimesMax) ||
                          minutes.find(" to ") != std::string::npos;
    return is_short ? std::optional(often + minutes) : std::nullopt;
}

// Describes a rule that repeats through the day.
std::optional<std::string> through_the_day(const CronFields& fields) {
    const auto hours_step = even_step(fields.hours, 24);
    if (fields.seconds == 1 && is_one(fields.minutes) && hours_step) {
        const int minute = std::countr_zero(fields.minutes);
        return every(*hours_step, "hour") +
               (minute == 0 ? " on the hour" : fmt::format(" at minute {}", minute));
    }
    auto often = within_hour(fields);
    if (!often || fields.hours == kEveryHour) return often;
    return *often + in_hours(fields.hours);
}

std::optional<std::string> at_times(const CronFields& fields) {
    std::vector<std::string> times;
    for (const int hour : values_of(fields.hours)) {
        for (const int minute : values_of(fields.minutes)) {
            if (times.size() == kTimesMax || !is_one(fields.seconds)) return std::nullopt;
            const int second = std::countr_zero(fields.seconds);
            times.push_back(second == 0 ? fmt::format("{:02}:{:02}", hour, minute)
                                        : fmt::format("{:02}:{:02}:{:02}", hour, minute, second));
        }
    }
    return "at " + listed(times);
}

// Describes equal steps between two times of the day, or within each hour or minute.
std::optional<std::string> in_steps(const CronFields& fields) {
    const bool at_full_minutes = fields.seconds == 1;
    const auto minutes = steps_of(fields.minutes);
    if (at_full_minutes && is_one(fields.minutes)) {
        const auto hours = steps_of(fields.hours);
        const int minute = std::countr_zero(fields.minutes);
        if (!hours) return std::nullopt;
        return fmt::format("{} from {:02}:{:02} to {:02}:{:02}", every(hours->step, "hour"),
                           hours->first, minute, hours->last, minute);
    }
    if (at_full_minutes && minutes && is_one(fields.hours)) {
        const int hour = std::countr_zero(fields.hours);
        return fmt::format("{} from {:02}:{:02} to {:02}:{:02}", every(minutes->step, "minute"),
                           hour, minutes->first, hour, minutes->last);
    }
    if (fields.hours != kEveryHour) return std::nullopt;
    if (at_full_minutes && minutes) {
        return fmt::format("{} from minute {} to {} of every hour", every(minutes->step, "minute"),
                           minutes->first, minutes->last);
    }
    if (at_full_minutes && std::popcount(fields.minutes) <= static_cast<int>(kTimesMax)) {
        return fmt::format("in the minutes {} of every hour",
                           named(fields.minutes, [](int one) { return std::to_string(one); }));
    }
    const auto seconds = steps_of(fields.seconds);
    if (!seconds || fields.minutes != kSixty) return std::nullopt;
    return fmt::format("{} from second {} to {} of every minute", every(seconds->step, "second"),
                       seconds->first, seconds->last);
}

// Names weekdays from Monday on, unless the days are a row from Sunday on.
std::string named_weekdays(std::uint64_t bits) {
    const auto name = [](int day) {
        return std::string(kWeekdayNames.at(static_cast<std::size_t>(day) % kWeekdayNames.size()));
    };
    const auto row = steps_of(bits);
    const bool has_sunday = (bits & 1U) != 0 && !(row && row->step == 1);
    return named(has_sunday ? (bits & ~std::uint64_t{1}) | kSundayLast : bits, name);
}

// Returns the days, or "" for every day.
std::string on_days(const CronFields& fields) {
    const std::string weekdays = "every " + named_weekdays(fields.weekdays);
    const std::string days =
        fmt::format("on {} {} of the month", is_one(fields.days) ? "day" : "days",
                    named(fields.days, [](int day) { return std::to_string(day); }));
    const bool any_day = fields.days == kEveryDay;
    const bool any_weekday = fields.weekdays == kEveryWeekday;
    std::string text;
    if (fields.either_day && !any_day && !any_weekday) {
        text = days + " and " + weekdays;
    } else if (fields.either_day || (any_day && any_weekday)) {
        text = "";
    } else if (any_day) {
        text = weekdays;
    } else if (any_weekday) {
        text = days;
    } else {
        text = fmt::format("{} that is {} {} of the month", weekdays,
                           is_one(fields.days) ? "day" : "one of the days",
                           named(fields.days, [](int day) { return std::to_string(day); }));
    }
    if (fields.months == kEveryMonth) return text;
    return (text.empty() ? "every day" : text) + " in " + named(fields.months, [](int month) {
               return std::string(kMonthNames.at(static_cast<std::size_t>(month)));
           });
}

std::optional<std::string> in_words(const CronFields& fields) {
    const std::string days = on_days(fields);
    if (const auto often = through_the_day(fields)) {
        return days.empty() ? *often : *often + ", " + days;
    }
    if (const auto times = at_times(fields)) {
        return (days.empty() ? "every day" : days) + " " + *times;
    }
    const auto steps = in_steps(fields);
    if (!steps || days.empty()) return steps;
    return *steps + ", " + days;
}

// Describes each field of the expression by its text and its name.
std::string by_fields(std::string_view text, bool either_day) {
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find_first_of(" \t", begin), text.size());
        if (end > begin) words.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    std::vector<std::string> items;
    std::vector<std::string> days;  // if one of the two suffices
    const std::size_t first = kFieldNames.size() - words.size();
    for (std::size_t index = 0; index < words.size(); ++index) {
        if (words[index] == "*") continue;
        const std::size_t field = first + index;
        const bool is_day = either_day && (field == kDayField || field == kWeekdayField);
        (is_day ? days : items)
            .push_back(fmt::format("{} is {}", kFieldNames.at(field), words[index]));
    }
    const std::string often =
        words.front() == "*" ? fmt::format("every {} ", kFieldNames.at(first)) : "";
    if (days.empty()) return often + "when " + listed(items);
    const std::string either = fmt::format("either {} or {}", days.front(), days.back());
    return often + "when " + (items.empty() ? either : listed(items) + ", and " + either);
}

// Returns true if one of the times is in [begin, end).
bool has_time_in(const CronFields& fields, local_seconds begin, local_seconds end) {
    const auto match = first_match(fields, begin);
    return match && *match < end;
}

std::string at_clock_changes(const Rule::InZone& rule, Time now) {
    const CronFields& fields = rule.cron.fields();
    if (fields.by_elapsed_time) return "";
    bool in_gap = false;
    bool in_overlap = false;
    const auto begin = std::chrono::floor<std::chrono::seconds>(now);
    OffsetSpan span = rule.zone->span_at(begin);
    while (span.end < begin + kAhead && !(in_gap && in_overlap)) {
        const OffsetSpan next = rule.zone->span_at(span.end);
        const local_seconds before(span.end.time_since_epoch() + span.offset);
        const local_seconds after(span.end.time_since_epoch() + next.offset);
        in_gap = in_gap || (before < after && has_time_in(fields, before, after));
        in_overlap = in_overlap || (after < before && has_time_in(fields, after, before));
        span = next;
    }
    return std::string(in_gap ? ", right after the gap" : "") +
           (in_overlap ? ", the first time in the overlap" : "");
}

}  // namespace

std::string rule_in_words(const Rule& rule, Time now) {
    if (const auto interval = rule.interval()) {
        const std::string words = interval_in_words(*interval);
        const bool is_single = words.starts_with("1 ") && words.find(' ', 2) == std::string::npos;
        return "every " + (is_single ? words.substr(2) : words);
    }
    const Rule::InZone& cron = *rule.in_zone();
    const CronFields& fields = cron.cron.fields();
    const std::string words =
        in_words(fields).value_or(by_fields(cron.cron.text(), fields.either_day));
    return fmt::format("{} {}{}", words, cron.zone->name(), at_clock_changes(cron, now));
}

}  // namespace semel
