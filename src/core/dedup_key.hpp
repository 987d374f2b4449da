// Keys: from what the caller wrote to the claim it means. Unambiguous by construction.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/claim.hpp"
#include "core/json.hpp"

namespace semel {

struct Key {
    ClaimId claim;
    std::string full_key;  // a JSON array of its parts: readable, and compared in full
};

// The key of (tenant, space) with the given parts.
[[nodiscard]] Key make_key(std::string_view tenant, std::string_view space,
                           const std::vector<std::string>& parts);

// Whether a full key has this part, as its caller wrote it: for people who look for a key.
[[nodiscard]] bool names_key(std::string_view full_key, std::string_view written);

// An entity's name in a key: 1 and "1" are equal; numbers by their RFC 8785 form where that is
// exact, else by their text. Empty: the value names nothing.
[[nodiscard]] std::string entity_name(std::optional<json::Value> value);

// The key of an action, or nothing where the request has none: an explicit key, else the payload's
// entity, joined by the values at `key_fields` (JSON pointers into the payload).
[[nodiscard]] std::optional<Key> action_key(std::string_view tenant, std::string_view type,
                                            json::Value payload,
                                            const std::optional<std::string>& explicit_key,
                                            const std::vector<std::string>& key_fields);

}  // namespace semel
