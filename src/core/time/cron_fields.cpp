#include "core/time/cron_fields.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"

namespace semel {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"JAN", "FEB", "MAR", "APR", "MAY", "JUN",
                                                      "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"};
constexpr std::array<std::string_view, 7> kWeekdays = {"SUN", "MON", "TUE", "WED",
                                                       "THU", "FRI", "SAT"};

struct FieldKind {
    std::string_view name;
    int min;
    int max;  // of the range that `*` means
    std::span<const std::string_view> names;
    std::string_view allowed;
};

constexpr std::array<FieldKind, 6> kFields = {{
    {"second", 0, 59, {}, "0-59"},
    {"minute", 0, 59, {}, "0-59"},
    {"hour", 0, 23, {}, "0-23"},
    {"day of month", 1, 31, {}, "1-31"},
    {"month", 1, 12, kMonths, "1-12 or JAN-DEC"},
    {"day of week", 0, 6, kWeekdays, "0-7 (0 and 7 are Sunday) or SUN-SAT"},
}};
constexpr int kSundayAgain = 7;

struct Macro {
    std::string_view name;
    std::string_view means;
};
constexpr std::array<Macro, 7> kMacros = {{{"@yearly", "0 0 1 1 *"},
                                           {"@annually", "0 0 1 1 *"},
                                           {"@monthly", "0 0 1 * *"},
                                           {"@weekly", "0 0 * * 0"},
                                           {"@daily", "0 0 * * *"},
                                           {"@midnight", "0 0 * * *"},
                                           {"@hourly", "0 * * * *"}}};

Error refused(std::string message) {
    return {ErrorCode::invalid, std::move(message)};
}

char upper(char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

bool same_word(std::string_view left, std::string_view right) {
    return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                      [](char a, char b) { return upper(a) == upper(b); });
}

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    for (std::size_t pos = 0; pos <= text.size(); ++pos) {
        if (pos == text.size() || separators.find(text[pos]) != std::string_view::npos) {
            parts.push_back(text.substr(begin, pos - begin));
            begin = pos + 1;
        }
    }
    return parts;
}

std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words = split(text, " \t");
    std::erase_if(words, [](std::string_view word) { return word.empty(); });
    return words;
}

// Reads one field; `fail` puts the field and what it allows around each reason.
class FieldReader {
public:
    FieldReader(const FieldKind& kind, std::string_view text) : kind_(kind), text_(text) {}

    Result<std::uint64_t> read() const {
        std::uint64_t bits = 0;
        for (const std::string_view item : split(text_, ",")) {
            SEMEL_TRY(more, read_item(item));
            bits |= more;
        }
        return bits;
    }

private:
    [[nodiscard]] Error fail(const std::string& reason) const {
        return refused(
            fmt::format("the {} `{}` of the cron expression: {}; allowed are {}, `*`, "
                        "ranges (a-b), steps (*/n, a-b/n) and lists of these (a,b)",
                        kind_.name, text_, reason, kind_.allowed));
    }

    [[nodiscard]] Result<std::uint64_t> read_item(std::string_view item) const {
        if (item.empty()) return fail("an item of the list is empty");
        const std::size_t slash = item.find('/');
        const std::string_view range = item.substr(0, slash);
        const bool stepped = slash != std::string_view::npos;
        int first = kind_.min;
        int last = kind_.max;
        if (range != "*") {
            const std::size_t dash = range.find('-');
            SEMEL_TRY(from, read_value(range.substr(0, dash)));
            first = last = from;
            if (dash != std::string_view::npos) {
                SEMEL_TRY(to, read_value(range.substr(dash + 1)));
                last = to == 0 && kind_.max == kSundayAgain - 1 && first > 0 ? kSundayAgain : to;
                if (last < first) {
                    return fail(fmt::format("the range `{}` ends before it begins", range));
                }
            } else if (stepped) {
                SEMEL_TRY(step, read_step(item.substr(slash + 1)));  // a hint must help
                return fail(fmt::format("a step needs `*` or a range: write {}-{}/{}", range,
                                        kind_.max, step));
            }
        }
        int step = 1;
        if (stepped) {
            SEMEL_TRY(given, read_step(item.substr(slash + 1)));
            step = given;
        }
        return bits_of(first, last, step);
    }

    [[nodiscard]] std::uint64_t bits_of(int first, int last, int step) const {
        std::uint64_t bits = 0;
        for (int value = first; value <= last; value += step) {
            const bool sunday_again = value == kSundayAgain && kind_.max == kSundayAgain - 1;
            bits |= std::uint64_t{1} << static_cast<unsigned>(sunday_again ? 0 : value);
        }
        return bits;
    }

    [[nodiscard]] Result<int> read_step(std::string_view text) const {
        const int size = kind_.max - kind_.min + 1;
        const auto step = parse_decimal(text);
        if (!step || *step < 1 || *step > size) {
            return fail(fmt::format("the step `{}` must be a number from 1 to {}", text, size));
        }
        return static_cast<int>(*step);
    }

    [[nodiscard]] Result<int> read_value(std::string_view text) const {
        for (std::size_t index = 0; index < kind_.names.size(); ++index) {
            if (same_word(text, kind_.names[index])) return static_cast<int>(index) + kind_.min;
        }
        const int max = kind_.max == kSundayAgain - 1 ? kSundayAgain : kind_.max;
        const auto number = parse_decimal(text);
        if (number && *number >= kind_.min && *number <= max) return static_cast<int>(*number);
        return fail(why_not(text));
    }

    // Explains syntax of other cron dialects.
    [[nodiscard]] std::string why_not(std::string_view text) const {
        if (text == "?") return "`?` is not known here, write `*`";
        if (text.find('#') != std::string_view::npos) {
            return "`#` (the nth weekday of a month) is not supported";
        }
        if (!text.empty() && upper(text.back()) == 'L' && !same_word(text, "JUL")) {
            return "`L` (the last) is not supported";
        }
        if (!text.empty() && upper(text.back()) == 'W') {
            return "`W` (the nearest working day) is not supported";
        }
        if (text.empty()) return "a range needs a value before and behind its `-`";
        return fmt::format("`{}` is not one of its values", text);
    }

    const FieldKind& kind_;
    std::string_view text_;
};

Result<std::string_view> without_macro(std::string_view text) {
    const std::vector<std::string_view> words = words_of(text);
    if (words.empty() || words.front().front() != '@') return text;
    for (const Macro& macro : kMacros) {
        if (words.size() == 1 && same_word(words.front(), macro.name)) return macro.means;
    }
    return refused(
        fmt::format("`{}` is not a cron expression; of the names there are @yearly, "
                    "@annually, @monthly, @weekly, @daily, @midnight and @hourly, and an "
                    "interval is given as `every`",
                    text));
}

bool some_day_matches(const CronFields& fields) {
    if (fields.either_day) return true;  // each weekday comes in every month
    constexpr std::array<int, 13> kDaysMax = {0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    for (unsigned month = 1; month <= 12; ++month) {
        const std::uint64_t possible =
            (std::uint64_t{2} << static_cast<unsigned>(kDaysMax.at(month))) - 2;
        if ((fields.months >> month & 1U) != 0 && (fields.days & possible) != 0) return true;
    }
    return false;
}

// `*` and `*/n` leave a field unrestricted, in Vixie's sense.
bool is_starred(std::string_view field) {
    return field.front() == '*';
}

bool follows_clock(std::string_view hour) {
    return hour.find_first_of("*/") != std::string_view::npos;
}

}  // namespace

Result<CronFields> CronFields::parse(std::string_view text) {
    if (text.size() > kCronBytesMax) {
        return refused(fmt::format("the cron expression has more than {} bytes", kCronBytesMax));
    }
    if (!is_valid_utf8(text)) return refused("the cron expression is not UTF-8");
    SEMEL_TRY(expression, without_macro(text));
    std::vector<std::string_view> words = words_of(expression);
    if (words.size() != 5 && words.size() != 6) {
        return refused(
            fmt::format("`{}` has {} fields; a cron expression has 5 (minute, hour, day of "
                        "month, month, day of week) or 6 (second first)",
                        text, words.size()));
    }
    if (words.size() == 5) words.insert(words.begin(), "0");

    CronFields fields;
    const std::array<std::uint64_t*, 6> targets = {&fields.seconds, &fields.minutes,
                                                   &fields.hours,   &fields.days,
                                                   &fields.months,  &fields.weekdays};
    for (std::size_t index = 0; index < kFields.size(); ++index) {
        SEMEL_TRY(bits, FieldReader(kFields.at(index), words[index]).read());
        *targets.at(index) = bits;
    }
    fields.either_day = !is_starred(words[3]) && !is_starred(words[5]);
    fields.by_elapsed_time = follows_clock(words[2]);
    if (!some_day_matches(fields)) {
        return refused(fmt::format("`{}` never matches: none of its months has such a day", text));
    }
    return fields;
}

}  // namespace semel
