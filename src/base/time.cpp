#include "base/time.hpp"

#include <algorithm>

namespace semel {
namespace {

constexpr std::int64_t kYearZeroMs = -62'167'219'200'000;

// Writes the last `count` digits of `value` at `pos`.
void write_digits(std::string& text, std::size_t pos, std::size_t count, unsigned value) {
    for (std::size_t i = count; i > 0; --i) {
        text[pos + i - 1] = static_cast<char>('0' + value % 10);
        value /= 10;
    }
}

// Reads exactly `count` digits at `pos`, and moves `pos` past them.
std::optional<int> read_digits(std::string_view text, std::size_t& pos, std::size_t count) {
    if (text.size() < pos + count) {
        return std::nullopt;
    }
    int value = 0;
    for (const char c : text.substr(pos, count)) {
        if (c < '0' || c > '9') {
            return std::nullopt;
        }
        value = value * 10 + (c - '0');
    }
    pos += count;
    return value;
}

bool read_char(std::string_view text, std::size_t& pos, std::string_view allowed) {
    if (pos >= text.size() || allowed.find(text[pos]) == std::string_view::npos) {
        return false;
    }
    ++pos;
    return true;
}

// Up to three decimals count, the rest is cut off.
std::optional<int> read_fraction_ms(std::string_view text, std::size_t& pos) {
    if (pos >= text.size() || text[pos] != '.') {
        return 0;
    }
    const std::size_t begin = ++pos;
    int value = 0;
    int weight = 100;
    while (pos < text.size() && text[pos] >= '0' && text[pos] <= '9') {
        value += (text[pos] - '0') * weight;
        weight /= 10;
        ++pos;
    }
    return pos == begin ? std::nullopt : std::optional<int>(value);
}

std::optional<Millis> read_offset(std::string_view text, std::size_t& pos) {
    if (read_char(text, pos, "Zz")) {
        return Millis(0);
    }
    const bool negative = pos < text.size() && text[pos] == '-';
    if (!read_char(text, pos, "+-")) {
        return std::nullopt;
    }
    const auto hours = read_digits(text, pos, 2);
    const bool colon = read_char(text, pos, ":");
    const auto minutes = read_digits(text, pos, 2);
    if (!hours || !colon || !minutes || *hours > 23 || *minutes > 59) {
        return std::nullopt;
    }
    const Millis offset = std::chrono::hours(*hours) + std::chrono::minutes(*minutes);
    return negative ? -offset : offset;
}

}  // namespace

Time add_clamped(Time time, Millis delay) {
    const std::int64_t ms = std::clamp<std::int64_t>(to_ms(time), 0, kTimeMaxMs);
    const std::int64_t by = std::clamp<std::int64_t>(delay.count(), -kTimeMaxMs, kTimeMaxMs);
    return from_ms(std::clamp<std::int64_t>(ms + by, 0, kTimeMaxMs));
}

// Written digit by digit: an answer has five or six times, and a library that interprets a format
// took longer for them than the decision. A time outside the years 0 to 9999 has no such form, and
// is shown as a number of milliseconds.
std::string format_rfc3339(Time time) {
    if (to_ms(time) < kYearZeroMs || to_ms(time) > kTimeMaxMs) {
        return std::to_string(to_ms(time)) + " ms after 1970";
    }
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(day);
    const auto ms = static_cast<unsigned>((time - day).count());
    std::string text = "0000-00-00T00:00:00.000Z";
    write_digits(text, 0, 4, static_cast<unsigned>(static_cast<int>(date.year())));
    write_digits(text, 5, 2, static_cast<unsigned>(date.month()));
    write_digits(text, 8, 2, static_cast<unsigned>(date.day()));
    write_digits(text, 11, 2, ms / 3'600'000);
    write_digits(text, 14, 2, ms / 60'000 % 60);
    write_digits(text, 17, 2, ms / 1000 % 60);
    write_digits(text, 20, 3, ms % 1000);
    return text;
}

std::optional<Time> parse_rfc3339(std::string_view text) {
    std::size_t pos = 0;
    const auto year = read_digits(text, pos, 4);
    if (!year || !read_char(text, pos, "-")) return std::nullopt;
    const auto month = read_digits(text, pos, 2);
    if (!month || !read_char(text, pos, "-")) return std::nullopt;
    const auto day = read_digits(text, pos, 2);
    if (!day || !read_char(text, pos, "Tt ")) return std::nullopt;
    const auto hour = read_digits(text, pos, 2);
    if (!hour || !read_char(text, pos, ":")) return std::nullopt;
    const auto minute = read_digits(text, pos, 2);
    if (!minute || !read_char(text, pos, ":")) return std::nullopt;
    const auto second = read_digits(text, pos, 2);
    if (!second || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
    const auto fraction_ms = read_fraction_ms(text, pos);
    if (!fraction_ms) return std::nullopt;
    const auto offset = read_offset(text, pos);
    if (!offset || pos != text.size()) return std::nullopt;

    const std::chrono::year_month_day date(std::chrono::year(*year),
                                           std::chrono::month(static_cast<unsigned>(*month)),
                                           std::chrono::day(static_cast<unsigned>(*day)));
    if (!date.ok()) return std::nullopt;
    const Time time = Time(std::chrono::sys_days(date)) + std::chrono::hours(*hour) +
                      std::chrono::minutes(*minute) + std::chrono::seconds(*second) +
                      Millis(*fraction_ms) - *offset;
    if (to_ms(time) > kTimeMaxMs) return std::nullopt;
    return std::max(time, Time());
}

}  // namespace semel
