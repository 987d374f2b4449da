// From a JSON request to a checked FenceRequest, FenceCall or ResolveClaim, with every default of
// the contract and of the policy that does not depend on stored rows.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/commands.hpp"
#include "core/dedup_key.hpp"
#include "core/json.hpp"
#include "core/settings.hpp"

namespace semel {

// What a key may be made of. A part that is missing and one that is empty are the same.
struct FenceParts {
    std::string source_type;
    std::string source_id;
    std::string revision;
    std::string index_hash;
    std::string action;
};

// Their key: 64 hex digits.
[[nodiscard]] std::string key_of_parts(const FenceParts& parts);

// The claim that a fence's key means. REQUIRES: is_name(key).
[[nodiscard]] Key fence_key(std::string_view tenant, std::string_view key);

// SHA-256 over the RFC 8785 form where every number survives it, else over the bytes as they came:
// the two never meet, and a client can make it by itself.
[[nodiscard]] Hash256 content_fingerprint(json::Value content);

// How long a sealed key is remembered, unless the call says so itself.
[[nodiscard]] Millis fence_ttl(FenceClass fence_class, const FencePolicy& policy,
                               std::string_view source_type, std::optional<Millis> run_window);

[[nodiscard]] Item<FenceRequest> read_fence_request(json::Value object, std::string_view tenant,
                                                    const Settings& settings);

// The same of a call of the library, which has a key and knows its types.
struct FenceAsk {
    std::string_view key;
    FenceClass fence_class = FenceClass::api;
    std::optional<json::Value> content = {};
    std::optional<Millis> lease = {};
    std::optional<std::chrono::seconds> ttl = {};
};
[[nodiscard]] Item<FenceRequest> make_fence_request(const FenceAsk& ask, std::string_view tenant,
                                                    const Settings& settings);

// The body of an owner's call. REQUIRES: the verb is not `resolve`.
[[nodiscard]] Item<FenceCall> read_fence_call(json::Value object, FenceVerb verb,
                                              const ClaimId& claim);

[[nodiscard]] Item<ResolveClaim> read_resolution(json::Value object, std::string_view tenant,
                                                 const ClaimId& claim);

}  // namespace semel
