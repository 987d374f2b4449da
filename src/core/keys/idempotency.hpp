// Idempotency-Key on the API's own POSTs: a repeated request gets the first answer, byte for byte.
//
// A key is one claim in the space `api`. The commit of the guarded command decides it, and the
// bytes of the answer are its receipt, kept for 24 h (kApiKeyRetention).
//
// Call `find_answer` first. If it returns nothing, decide the command and `seal` its answer. A
// refusal is a Problem. Threads: make_guard() any, the others one per workspace.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "core/batch/workspace.hpp"
#include "core/problem.hpp"

namespace semel {

struct IdempotencyGuard {
    std::string tenant;
    ClaimId claim;
    std::string full_key;
    std::string type;     // method and path, for the decision log
    Hash256 fingerprint;  // of the request's body
};

// The guard for (tenant, token, method, path, key) and a body.
[[nodiscard]] IdempotencyGuard make_guard(const std::string& tenant, const std::string& token,
                                          const std::string& method, const std::string& path,
                                          const std::string& key, std::string_view body);

// Returns the stored answer of this key, to be replayed byte for byte. Returns the Problem
// `key_reused` if the key was used with another body. Both are recorded in the decision log.
// Returns nullopt if the key is free or has expired.
[[nodiscard]] std::optional<std::variant<Receipt, Problem>> find_answer(
    Workspace& workspace, const IdempotencyGuard& guard);

// Stores the answer under the key for 24 h.
void seal(Workspace& workspace, const IdempotencyGuard& guard, Receipt receipt);

}  // namespace semel
