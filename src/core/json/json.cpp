#include "core/json/json.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "core/json/json_decimal.hpp"
#include "core/json/json_parser.hpp"

namespace semel::json {

ParseResult Document::parse(std::string text, Limits limits) {
    const std::size_t bytes_max = std::min<std::size_t>(limits.bytes_max, detail::kNone);
    if (text.size() > bytes_max) {
        return ParseError{ParseErrorCode::too_large, bytes_max,
                          fmt::format("the document has {} bytes, at most {} are allowed",
                                      text.size(), bytes_max),
                          ""};
    }
    auto storage = std::make_unique<detail::Storage>();
    storage->text = std::move(text);
    // Payloads have a value or name for every eight bytes or so; one growth at most is usual.
    storage->nodes.reserve(std::min<std::size_t>(storage->text.size() / 8 + 4, 4096));
    detail::Parser parser(*storage, limits);
    if (!parser.run()) {
        return parser.error();
    }
    return Document(std::move(storage));
}

bool Value::as_bool() const {
    SEMEL_ASSERT(is_boolean());
    return raw().front() == 't';
}

std::string_view Value::as_string() const {
    SEMEL_ASSERT(is_string());
    return storage_->string(index_);
}

std::string_view Value::number_text() const {
    SEMEL_ASSERT(is_number());
    return raw();
}

double Value::as_double() const {
    const std::string_view text = number_text();
    double value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec == std::errc{}) return value;
    const double beyond =
        decimal_of(text).magnitude() < 0 ? 0.0 : std::numeric_limits<double>::infinity();
    return text.starts_with('-') ? -beyond : beyond;
}

std::optional<std::int64_t> Value::as_int64() const {
    if (!is_number()) return std::nullopt;
    const std::string_view text = raw();
    std::int64_t value = 0;
    const auto parses = [&value](std::string_view digits) {
        const auto [stop, failed] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return failed == std::errc{} && stop == digits.data() + digits.size();
    };
    if (parses(text)) return value;
    constexpr std::int64_t kDigitsMax = 19;
    const Decimal decimal = decimal_of(text);
    if (decimal.is_zero()) return 0;
    if (decimal.exponent < 0 || decimal.magnitude() >= kDigitsMax) return std::nullopt;
    std::string digits = decimal.negative ? "-" : "";
    digits += decimal.digits;
    digits.append(static_cast<std::size_t>(decimal.exponent), '0');
    return parses(digits) ? std::optional(value) : std::nullopt;
}

std::size_t Value::size() const {
    return is_array() || is_object() ? node().count : 0;
}

Elements Value::elements() const {
    SEMEL_ASSERT(is_array());
    return {storage_, index_};
}

Members Value::members() const {
    SEMEL_ASSERT(is_object());
    return {storage_, index_};
}

std::optional<Value> Value::find(std::string_view name) const {
    if (!is_object()) return std::nullopt;
    for (const Member& member : members()) {
        if (member.name == name) return member.value;
    }
    return std::nullopt;
}

const char* to_string(Kind kind) {
    switch (kind) {
        case Kind::null: return "null";
        case Kind::boolean: return "boolean";
        case Kind::number: return "number";
        case Kind::string: return "string";
        case Kind::array: return "array";
        case Kind::object: return "object";
    }
    return "unknown";
}

const char* to_string(ParseErrorCode code) {
    switch (code) {
        case ParseErrorCode::malformed: return "malformed";
        case ParseErrorCode::duplicate_member: return "duplicate_member";
        case ParseErrorCode::too_deep: return "too_deep";
        case ParseErrorCode::bad_utf8: return "bad_utf8";
        case ParseErrorCode::too_large: return "too_large";
    }
    return "unknown";
}

}  // namespace semel::json
