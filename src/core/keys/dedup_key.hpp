// Keys: turns the key of a request into the id of the claim that decides about it.
//
// Different tenants, spaces or parts never give the same claim: the id is SHA-256 over fields with
// their lengths. Pure. Threads: any.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.hpp"
#include "core/keys/claim.hpp"

namespace semel {

struct Key {
    ClaimId claim;
    std::string full_key;  // a JSON array of its parts: readable, and compared in full
};

// Makes the key of (tenant, space) with the given parts.
[[nodiscard]] Key make_key(std::string_view tenant, std::string_view space,
                           const std::vector<std::string>& parts);

// Returns true if a part of the full key equals the text that a caller wrote. For searches.
[[nodiscard]] bool names_key(std::string_view full_key, std::string_view written);

// Returns the name of an entity in a key. 1 and "1" are equal. A number has its RFC 8785 form if
// that is exact, otherwise its text. A value that is neither string nor number gives "".
[[nodiscard]] std::string entity_name(std::optional<json::Value> value);

// Makes the key of an action: the explicit key, otherwise the payload's entity. The values at
// `key_fields` (JSON pointers into the payload) join either. Returns nullopt if the request has no
// explicit key, no `entityId` and no key fields.
[[nodiscard]] std::optional<Key> action_key(std::string_view tenant, std::string_view type,
                                            json::Value payload,
                                            const std::optional<std::string>& explicit_key,
                                            const std::vector<std::string>& key_fields);

}  // namespace semel
