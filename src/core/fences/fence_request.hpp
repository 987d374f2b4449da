// Reads and checks requests about fences, from JSON or from a call of the library.
//
// Fills in every default of the policy that does not depend on stored rows. Each function that
// returns an Item returns the request, or the Problem that names the first wrong member. Pure.
// Threads: any. The results own their text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/commands.hpp"
#include "core/json/json.hpp"
#include "core/keys/dedup_key.hpp"
#include "core/settings.hpp"

namespace semel {

// The parts that a key can be made of. A missing part equals an empty one.
struct FenceParts {
    std::string source_type;
    std::string source_id;
    std::string revision;
    std::string index_hash;
    std::string action;
};

// Returns the key of the parts: 64 hex digits.
[[nodiscard]] std::string key_of_parts(const FenceParts& parts);

// Returns the claim of a fence's key. REQUIRES: is_name(key).
[[nodiscard]] Key fence_key(std::string_view tenant, std::string_view key);

// Returns SHA-256 of the RFC 8785 form if every number survives it, otherwise of the raw bytes. A
// client can compute it without Semel.
[[nodiscard]] Hash256 content_fingerprint(json::Value content);

// Returns how long a sealed key is remembered if the call sets no `ttlSeconds`: the retention of
// the class. Webhooks of a known provider get at least two of its horizons. Batches get at least
// their run window plus one day.
[[nodiscard]] Millis fence_ttl(FenceClass fence_class, const FencePolicy& policy,
                               std::string_view source_type, std::optional<Millis> run_window);

[[nodiscard]] Item<FenceRequest> read_fence_request(json::Value object, std::string_view tenant,
                                                    const Settings& settings);

// A request that comes from a call of the C++ library.
struct FenceAsk {
    std::string_view key;
    FenceClass fence_class = FenceClass::api;
    std::optional<json::Value> content = {};
    std::optional<Millis> lease = {};
    std::optional<std::chrono::seconds> ttl = {};
};
[[nodiscard]] Item<FenceRequest> make_fence_request(const FenceAsk& ask, std::string_view tenant,
                                                    const Settings& settings);

// Reads the body of an owner's call. REQUIRES: the verb is not `resolve`.
[[nodiscard]] Item<FenceCall> read_fence_call(json::Value object, FenceVerb verb,
                                              const ClaimId& claim);

// Reads the body with which an operator resolves an uncertain claim.
[[nodiscard]] Item<ResolveClaim> read_resolution(json::Value object, std::string_view tenant,
                                                 const ClaimId& claim);

}  // namespace semel
