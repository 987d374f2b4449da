#include "core/time/posix_tz.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace semel {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using std::chrono::sys_days;
using std::chrono::sys_seconds;

constexpr std::size_t kTextBytesMax = 255;
constexpr int kOffsetHoursMax = 24;
constexpr int kChangeHoursMax = 167;  // RFC 9636; POSIX itself stops at 24
// A change can be a week and an offset away from its year, so two years on each side are searched.
constexpr int kYearsAround = 2;
// The calendar of <chrono> ends at 32767. Outside these years the rule does not change the offset.
constexpr sys_days kCalendarBegin{std::chrono::year(-9999) / 1 / 1};
constexpr sys_days kCalendarEnd{std::chrono::year(19999) / 1 / 1};

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Reads the text from left to right. Each function returns nullopt for text of another form.
class PosixTzReader {
public:
    explicit PosixTzReader(std::string_view text) : rest_(text) {}

    [[nodiscard]] bool at_end() const { return rest_.empty(); }
    [[nodiscard]] char next() const { return rest_.empty() ? '\0' : rest_.front(); }

    bool skip(char c) {
        if (next() != c || rest_.empty()) return false;
        rest_.remove_prefix(1);
        return true;
    }

    // Skips a name like "CET" or "<+0330>", of at least three characters. The name is not used.
    bool skip_name() {
        const bool quoted = skip('<');
        std::size_t size = 0;
        while (size < rest_.size() &&
               (is_letter(rest_[size]) ||
                (quoted && (is_digit(rest_[size]) || rest_[size] == '+' || rest_[size] == '-')))) {
            ++size;
        }
        rest_.remove_prefix(size);
        return size >= 3 && (!quoted || skip('>'));
    }

    std::optional<int> number(int min, int max) {
        std::size_t size = 0;
        int value = 0;
        while (size < rest_.size() && is_digit(rest_[size]) && value <= max) {
            value = value * 10 + (rest_[size] - '0');
            ++size;
        }
        if (size == 0 || value < min || value > max) return std::nullopt;
        rest_.remove_prefix(size);
        return value;
    }

    // [+-]hh[:mm[:ss]]
    std::optional<seconds> time(int hours_max) {
        const bool negative = skip('-');
        if (!negative) skip('+');
        const auto hour = number(0, hours_max);
        if (!hour) return std::nullopt;
        seconds total = hours(*hour);
        if (skip(':')) {
            const auto minute = number(0, 59);
            if (!minute) return std::nullopt;
            total += minutes(*minute);
            if (skip(':')) {
                const auto second = number(0, 59);
                if (!second) return std::nullopt;
                total += seconds(*second);
            }
        }
        return negative ? -total : total;
    }

    // ",M3.5.0/2"
    std::optional<PosixTz::Change> change() {
        using Change = PosixTz::Change;
        if (!skip(',')) return std::nullopt;
        Change change;
        std::optional<int> day;
        if (skip('M')) {
            const auto month = number(1, 12);
            const bool dot = skip('.');
            const auto week = number(1, 5);
            if (!month || !dot || !week || !skip('.')) return std::nullopt;
            change = {.kind = Change::Day::of_week, .month = *month, .week = *week};
            day = number(0, 6);
        } else if (skip('J')) {
            change.kind = Change::Day::of_year;
            day = number(1, 365);
        } else {
            change.kind = Change::Day::of_leap_year;
            day = number(0, 365);
        }
        if (!day) return std::nullopt;
        change.day = *day;
        if (skip('/')) {
            const auto at = time(kChangeHoursMax);
            if (!at) return std::nullopt;
            change.time = *at;
        }
        return change;
    }

private:
    std::string_view rest_;
};

sys_days day_in(const PosixTz::Change& change, std::chrono::year year) {
    const sys_days first{year / 1 / 1};
    switch (change.kind) {
        case PosixTz::Change::Day::of_leap_year: return first + days(change.day);
        case PosixTz::Change::Day::of_year:
            return first + days(change.day - 1 + (year.is_leap() && change.day > 59 ? 1 : 0));
        case PosixTz::Change::Day::of_week: break;
    }
    const auto month = year / std::chrono::month(static_cast<unsigned>(change.month));
    const std::chrono::weekday weekday(static_cast<unsigned>(change.day));
    return change.week == 5 ? sys_days{month / weekday[std::chrono::last]}
                            : sys_days{month / weekday[static_cast<unsigned>(change.week)]};
}

Error not_a_rule(std::string_view text) {
    return {ErrorCode::corrupt, "the zone's rule `" + std::string(text.substr(0, kTextBytesMax)) +
                                    "` is not a POSIX TZ string with its days of change"};
}

}  // namespace

Result<PosixTz> PosixTz::parse(std::string_view text) {
    PosixTzReader reader(text);
    PosixTz rule;
    if (text.size() > kTextBytesMax || !reader.skip_name()) return not_a_rule(text);
    const auto west = reader.time(kOffsetHoursMax);
    if (!west) return not_a_rule(text);
    rule.standard_ = -*west;
    if (reader.at_end()) return rule;

    if (!reader.skip_name()) return not_a_rule(text);
    Summer summer{.offset = rule.standard_ + hours(1), .begin = {}, .end = {}};
    if (reader.next() != ',') {
        const auto summer_west = reader.time(kOffsetHoursMax);
        if (!summer_west) return not_a_rule(text);
        summer.offset = -*summer_west;
    }
    const auto begin = reader.change();
    const auto end = begin ? reader.change() : std::nullopt;
    if (!end || !reader.at_end()) return not_a_rule(text);
    summer.begin = *begin;
    summer.end = *end;
    if (summer.offset != rule.standard_) {
        rule.summer_ = summer;
    }
    return rule;
}

OffsetSpan PosixTz::span_at(sys_seconds time) const {
    if (!summer_) {
        return {.begin = kSpanBegin, .end = kSpanEnd, .offset = standard_};
    }
    struct At {
        sys_seconds time;
        bool to_summer;
        // At equal times summer ends before it begins, because "summer all year" is written so.
        auto operator<=>(const At&) const = default;
    };
    const sys_days day = std::clamp(std::chrono::floor<days>(time), kCalendarBegin, kCalendarEnd);
    const auto middle = std::chrono::year_month_day(day).year();
    std::array<At, 2 * (2 * kYearsAround + 1)> changes{};
    std::size_t count = 0;
    for (int years = -kYearsAround; years <= kYearsAround; ++years) {
        const auto year = middle + std::chrono::years(years);
        changes[count++] = {day_in(summer_->begin, year) + summer_->begin.time - standard_, true};
        changes[count++] = {day_in(summer_->end, year) + summer_->end.time - summer_->offset,
                            false};
    }
    std::sort(changes.begin(), changes.end());
    const auto after = std::upper_bound(changes.begin(), changes.end(), time,
                                        [](sys_seconds t, const At& at) { return t < at.time; });
    const bool before_all = after == changes.begin();
    const bool summer_now = before_all ? !changes.front().to_summer : std::prev(after)->to_summer;
    return {.begin = before_all ? kSpanBegin : std::prev(after)->time,
            .end = after == changes.end() ? kSpanEnd : after->time,
            .offset = summer_now ? summer_->offset : standard_};
}

}  // namespace semel
