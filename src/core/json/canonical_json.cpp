#include "core/json/canonical_json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "base/assert.hpp"
#include "core/json/json_decimal.hpp"
#include "core/json/json_writer.hpp"

namespace semel {
namespace {

// Every integer of up to 15 digits is a double and prints as itself.
constexpr std::size_t kExactDigits = 15;

// ECMAScript writes an exponent from 1e21 on, and below 1e-6.
constexpr int kPlainMax = 21;
constexpr int kPlainMin = -6;

// Order by UTF-16 code units, as RFC 8785 asks. It is the order of the UTF-8 bytes, except that
// surrogate pairs (lead bytes F0 to F4) precede U+E000 to U+FFFF (EE and EF).
bool utf16_less(std::string_view a, std::string_view b) {
    const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (in_a == a.end() || in_b == b.end()) return a.size() < b.size();
    const auto rank = [](char c) {
        const unsigned byte = static_cast<unsigned char>(c);
        return byte == 0xEE || byte == 0xEF ? byte + 0x10U : byte;
    };
    return rank(*in_a) < rank(*in_b);
}

bool append_canonical(std::string& out, json::Value value);

bool append_array(std::string& out, json::Value array) {
    char before = '[';
    for (const json::Value element : array.elements()) {
        out += before;
        before = ',';
        if (!append_canonical(out, element)) return false;
    }
    out += before == '[' ? "[]" : "]";
    return true;
}

bool append_object(std::string& out, json::Value object) {
    std::vector<json::Member> members;
    members.reserve(object.size());
    for (const json::Member& member : object.members()) members.push_back(member);
    std::sort(members.begin(), members.end(), [](const json::Member& a, const json::Member& b) {
        return utf16_less(a.name, b.name);
    });
    char before = '{';
    for (const json::Member& member : members) {
        out += before;
        before = ',';
        json::append_quoted(out, member.name);
        out += ':';
        if (!append_canonical(out, member.value)) return false;
    }
    out += before == '{' ? "{}" : "}";
    return true;
}

// Recursion is safe: no Document is deeper than json::kDepthMax.
bool append_canonical(std::string& out, json::Value value) {
    switch (value.kind()) {
        case json::Kind::null:
        case json::Kind::boolean: out += value.raw(); return true;
        case json::Kind::string: json::append_quoted(out, value.as_string()); return true;
        case json::Kind::array: return append_array(out, value);
        case json::Kind::object: return append_object(out, value);
        case json::Kind::number: break;
    }
    const std::optional<std::string> number = canonical_number(value.number_text());
    if (number) out += *number;
    return number.has_value();
}

// The fewest decimal digits that give this double: 0.digits × 10^point.
struct Shortest {
    std::string digits;
    int point = 0;
};

// REQUIRES: finite and above 0.
Shortest shortest_digits(double number) {
    std::array<char, 32> buffer{};
    const auto printed = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                                       std::chars_format::scientific);
    const std::string_view text(buffer.data(), printed.ptr);  // d.ddde+XX
    const std::size_t e = text.find('e');
    const std::string_view exponent = text.substr(e + (text[e + 1] == '+' ? 2 : 1));
    Shortest shortest{std::string(text.substr(0, 1)), 0};
    if (e > 1) shortest.digits += text.substr(2, e - 2);
    std::from_chars(exponent.data(), exponent.data() + exponent.size(), shortest.point);
    ++shortest.point;
    return shortest;
}

}  // namespace

std::optional<std::string> canonicalize(json::Value value) {
    std::string out;
    out.reserve(value.raw().size());
    if (!append_canonical(out, value)) return std::nullopt;
    return out;
}

std::optional<std::string> canonical_number(std::string_view text) {
    if (text.size() <= kExactDigits && text.find_first_of(".eE") == std::string_view::npos) {
        return std::string(text == "-0" ? "0" : text);
    }
    double number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc{}) {
        number = 0;  // too small for a double, or beyond it
    }
    std::string canonical = format_double(number);
    if (json::decimal_of(canonical) != json::decimal_of(text)) return std::nullopt;
    return canonical;
}

std::string format_double(double number) {
    SEMEL_ASSERT(std::isfinite(number));
    if (number == 0) return "0";
    std::string out = number < 0 ? "-" : "";
    const Shortest shortest = shortest_digits(std::fabs(number));
    const std::string_view digits = shortest.digits;
    const int point = shortest.point;
    const int count = static_cast<int>(digits.size());
    const auto zeros = [&out](int how_many) {
        out.append(static_cast<std::size_t>(how_many), '0');
    };
    if (point > kPlainMax || point <= kPlainMin) {
        out += digits[0];
        if (count > 1) out.append(".").append(digits.substr(1));
        out.append(point > 0 ? "e+" : "e-").append(std::to_string(std::abs(point - 1)));
    } else if (point <= 0) {
        out += "0.";
        zeros(-point);
        out += digits;
    } else if (point >= count) {
        out += digits;
        zeros(point - count);
    } else {
        const auto whole = static_cast<std::size_t>(point);
        out.append(digits.substr(0, whole)).append(".").append(digits.substr(whole));
    }
    return out;
}

Hash256 fingerprint(json::Value value) {
    const std::optional<std::string> canonical = canonicalize(value);
    FieldHasher hasher("semel.content");
    hasher.field(canonical ? "canonical" : "raw");
    hasher.field(canonical ? std::string_view(*canonical) : value.raw());
    return hasher.finish();
}

bool same_content(json::Value a, json::Value b) {
    if (a.raw() == b.raw()) return true;
    const std::optional<std::string> canonical = canonicalize(a);
    return canonical && canonical == canonicalize(b);
}

}  // namespace semel
