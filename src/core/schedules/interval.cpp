#include "core/schedules/interval.hpp"

#include <array>
#include <optional>

#include <fmt/format.h>

#include "base/text.hpp"
#include "core/limits.hpp"

namespace semel {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

struct Word {
    std::string_view text;
    Millis interval;
};
constexpr std::array<Word, 4> kWords = {{{"every-30-minutes", minutes(30)},
                                         {"hourly", hours(1)},
                                         {"daily", hours(24)},
                                         {"weekly", hours(168)}}};

struct Unit {
    char letter;
    bool of_time;  // follows the T
    std::string_view name;
    Millis length;
};
// In the order in which ISO 8601 writes them.
constexpr std::array<Unit, 5> kUnits = {{{'W', false, "week", hours(168)},
                                         {'D', false, "day", hours(24)},
                                         {'H', true, "hour", hours(1)},
                                         {'M', true, "minute", minutes(1)},
                                         {'S', true, "second", seconds(1)}}};

Error not_an_interval(std::string_view text, std::string_view why) {
    return {ErrorCode::invalid,
            fmt::format(
                "`{}` is not an interval: {}; write every-30-minutes, hourly, daily, weekly, or "
                "an ISO 8601 duration of weeks, days, hours, minutes and seconds, like PT15M "
                "or P1DT12H",
                is_valid_utf8(text) ? text : "?", why)};
}

// Reads an ISO 8601 duration from left to right.
class DurationReader {
public:
    explicit DurationReader(std::string_view text) : text_(text), rest_(text) {}

    Result<Millis> read() {
        if (!skip('P')) return wrong("it is none of the words, and a duration begins with P");
        Millis total{0};
        std::size_t unit = 0;
        bool in_time = false;
        while (!rest_.empty()) {
            if (!in_time && skip('T')) {
                in_time = true;
                if (rest_.empty()) return wrong("nothing follows the T");
            }
            SEMEL_TRY(part, read_part(in_time, unit));
            total += part;  // each is at most a century, and there are five at most
        }
        if (unit == 0) return wrong("it names no length of time");
        return total;
    }

private:
    [[nodiscard]] Error wrong(std::string_view why) const { return not_an_interval(text_, why); }

    bool skip(char c) {
        if (rest_.empty() || rest_.front() != c) return false;
        rest_.remove_prefix(1);
        return true;
    }

    std::string_view digits() {
        const std::size_t size = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
        const std::string_view found = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return found;
    }

    // Reads a part like "15M", and moves `unit` past its unit.
    Result<Millis> read_part(bool in_time, std::size_t& unit) {
        const std::string_view whole = digits();
        const bool has_fraction = skip('.') || skip(',');
        const std::string_view fraction = has_fraction ? digits() : "";
        if (whole.empty() || rest_.empty()) return wrong("a number and its unit are missing");
        const char letter = rest_.front();
        rest_.remove_prefix(1);
        if (!in_time && (letter == 'Y' || letter == 'M')) {
            return wrong(
                "months and years have no exact length (a month is a matter of cron, a minute "
                "is PT1M)");
        }
        while (unit < kUnits.size() &&
               (kUnits.at(unit).letter != letter || kUnits.at(unit).of_time != in_time)) {
            ++unit;
        }
        if (unit == kUnits.size()) {
            return wrong("units are W, D, then T, H, M, S, in this order and in capitals");
        }
        const Unit& found = kUnits.at(unit++);
        if (has_fraction && (letter != 'S' || fraction.empty() || fraction.size() > 3)) {
            return wrong("only seconds may have decimals, up to three");
        }
        const auto count = parse_decimal(whole);
        if (!count || *count > kDelayMax / found.length)
            return wrong("it is longer than a century");
        return *count * found.length + milliseconds_of(fraction);
    }

    static Millis milliseconds_of(std::string_view fraction) {
        int value = 0;
        for (std::size_t place = 0; place < 3; ++place) {
            value = value * 10 + (place < fraction.size() ? fraction[place] - '0' : 0);
        }
        return Millis(value);
    }

    std::string_view text_;
    std::string_view rest_;
};

}  // namespace

Result<Millis> parse_interval(std::string_view text) {
    for (const Word& word : kWords) {
        if (text == word.text) return word.interval;
    }
    if (text.size() > kNameBytesMax) {
        return not_an_interval(text.substr(0, 0), "it is too long");
    }
    SEMEL_TRY(interval, DurationReader(text).read());
    if (interval < kIntervalMin) return not_an_interval(text, "it must be at least one second");
    if (interval > kDelayMax) return not_an_interval(text, "it is longer than a century");
    return interval;
}

std::string interval_in_words(Millis interval) {
    std::string words;
    Millis rest = interval;
    const auto say = [&words](std::int64_t count, std::string_view unit) {
        words += fmt::format("{}{} {}{}", words.empty() ? "" : " ", count, unit,
                             count == 1 || unit == "ms" ? "" : "s");
    };
    for (const Unit& unit : kUnits) {
        const std::int64_t count = rest / unit.length;
        const bool is_left_out =
            unit.letter == 'W' || (unit.letter == 'D' && interval == hours(24));
        if (count == 0 || is_left_out) continue;
        say(count, unit.name);
        rest %= unit.length;
    }
    if (rest != Millis(0)) say(rest.count(), "ms");
    return words;
}

}  // namespace semel
