#include "gateway/guard_key.hpp"

#include "core/json/canonical_json.hpp"
#include "core/json/json_decimal.hpp"
#include "core/json/json_pointer.hpp"

namespace semel::gateway {
namespace {

std::string decimal_text(std::string_view number) {
    const json::Decimal decimal = json::decimal_of(number);
    return (decimal.negative ? "-" : "") + decimal.digits + "e" + std::to_string(decimal.exponent);
}

// What tells a value from others of its kind.
std::string content_of(json::Value value) {
    switch (value.kind()) {
        case json::Kind::null:
        case json::Kind::boolean: break;
        case json::Kind::number: return decimal_text(value.number_text());
        case json::Kind::string: return std::string(value.as_string());
        case json::Kind::array:
        case json::Kind::object: return semel::fingerprint(value).to_hex();
    }
    return std::string(value.raw());
}

std::string hash_of(const std::optional<json::Value>& value) {
    FieldHasher hasher("semel.gateway.guard.field");
    hasher.field(value ? json::to_string(value->kind()) : "absent");
    if (value) hasher.field(content_of(*value));
    return hasher.finish().to_hex();
}

}  // namespace

std::optional<std::vector<std::string>> guard_key(const RequestContent& content,
                                                  const GuardRule& rule) {
    if (rule.fields.empty()) return std::vector{fingerprint(content).to_hex()};
    const auto body = content.body.json();
    if (!body || !body->is_object()) return std::nullopt;
    std::vector<std::string> parts;
    parts.reserve(rule.fields.size());
    for (const std::string& field : rule.fields) {
        parts.push_back(hash_of(json::resolve(*body, field)));
    }
    return parts;
}

}  // namespace semel::gateway
