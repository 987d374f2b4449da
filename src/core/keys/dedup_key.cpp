#include "core/keys/dedup_key.hpp"

#include "core/json/canonical_json.hpp"
#include "core/json/json_pointer.hpp"
#include "core/json/json_writer.hpp"

namespace semel {
namespace {

constexpr std::string_view kKeyDomain = "semel.claim.v1";

// Returns a key field's value in canonical form, so that "a", 1 and null differ. An absent one is
// "".
std::string field_text(json::Value payload, const std::string& pointer) {
    const auto value = json::resolve(payload, pointer);
    if (!value) {
        return {};
    }
    return canonicalize(*value).value_or(std::string(value->raw()));
}

}  // namespace

Key make_key(std::string_view tenant, std::string_view space,
             const std::vector<std::string>& parts) {
    FieldHasher hasher(kKeyDomain);
    hasher.field(tenant).field(space);
    JsonWriter text;
    text.begin_array();
    for (const std::string& part : parts) {
        hasher.field(part);
        text.string(part);
    }
    text.end_array();
    return {hasher.finish(), text.take()};
}

bool names_key(std::string_view full_key, std::string_view written) {
    const auto parts = json::Document::parse(std::string(full_key));
    if (!parts || !parts->root().is_array()) {
        return false;
    }
    for (const json::Value part : parts->root().elements()) {
        if (part.is_string() && part.as_string() == written) {
            return true;
        }
    }
    return false;
}

std::string entity_name(std::optional<json::Value> value) {
    if (!value || value->is_null()) {
        return {};
    }
    if (value->is_string()) {
        return std::string(value->as_string());
    }
    if (value->is_number()) {
        return canonical_number(value->number_text()).value_or(std::string(value->number_text()));
    }
    return {};
}

namespace {

// Returns the name of an entity type. A value that is neither string nor number counts by its
// content.
std::string entity_type(std::optional<json::Value> value) {
    std::string name = entity_name(value);
    if (value && name.empty() && !value->is_null() && !value->is_string()) {
        name = canonicalize(*value).value_or(std::string(value->raw()));
    }
    return name;
}

}  // namespace

std::optional<Key> action_key(std::string_view tenant, std::string_view type, json::Value payload,
                              const std::optional<std::string>& explicit_key,
                              const std::vector<std::string>& key_fields) {
    std::vector<std::string> parts{std::string(type)};
    if (explicit_key) {
        parts.insert(parts.end(), {"key", *explicit_key});
    } else {
        const std::string id = entity_name(payload.find("entityId"));
        if (id.empty() && key_fields.empty()) {
            return std::nullopt;
        }
        parts.insert(parts.end(), {"entity", entity_type(payload.find("entityType")), id});
    }
    for (const std::string& pointer : key_fields) {
        parts.push_back(pointer);
        parts.push_back(field_text(payload, pointer));
    }
    return make_key(tenant, "actions", parts);
}

}  // namespace semel
