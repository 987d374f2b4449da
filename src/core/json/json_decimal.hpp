// Decimal: the exact value of a JSON number, for questions that a double cannot answer. Examples:
// is the number an integer, and do two texts mean the same number?
//
// Pure. Threads: any.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace semel::json {

// The number ± digits × 10^exponent in normal form: `digits` has no zero at either end, and zero
// has no digits and no sign. So equal numbers have equal members.
struct Decimal {
    std::string digits;
    std::int64_t exponent = 0;
    bool negative = false;

    bool operator==(const Decimal&) const = default;
    [[nodiscard]] bool is_zero() const { return digits.empty(); }
    // Returns the power of ten of the first digit: 0 for 1 to 9.99…
    [[nodiscard]] std::int64_t magnitude() const {
        return exponent + static_cast<std::int64_t>(digits.size()) - 1;
    }
};

namespace detail {

// The largest exponent that is kept apart. Sums with it cannot overflow.
inline constexpr std::int64_t kExponentMax = 1'000'000'000'000;

inline std::int64_t exponent_of(std::string_view text) {
    const bool negative = text.starts_with('-');
    std::int64_t value = 0;
    for (const char c : text.substr(negative || text.starts_with('+') ? 1 : 0)) {
        value = std::min(value * 10 + (c - '0'), kExponentMax);
    }
    return negative ? -value : value;
}

}  // namespace detail

// Reads a number. An exponent beyond 10^12 counts as 10^12.
// REQUIRES: `text` is an RFC 8259 number.
[[nodiscard]] inline Decimal decimal_of(std::string_view text) {
    Decimal number;
    number.negative = text.starts_with('-');
    text.remove_prefix(number.negative ? 1 : 0);
    if (const std::size_t e = text.find_first_of("eE"); e != std::string_view::npos) {
        number.exponent = detail::exponent_of(text.substr(e + 1));
        text = text.substr(0, e);
    }
    const std::size_t point = std::min(text.find('.'), text.size());
    const std::string_view fraction = text.substr(std::min(point + 1, text.size()));
    number.exponent -= static_cast<std::int64_t>(fraction.size());
    number.digits.append(text.substr(0, point)).append(fraction);

    const std::size_t last = number.digits.find_last_not_of('0');
    if (last == std::string::npos) {
        return {};
    }
    number.exponent += static_cast<std::int64_t>(number.digits.size() - last - 1);
    number.digits.erase(last + 1);
    number.digits.erase(0, number.digits.find_first_not_of('0'));
    return number;
}

}  // namespace semel::json
