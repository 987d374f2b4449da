// Idempotency-Key on the API's own POSTs: one claim in the space `api`, decided in the commit of
// the command it guards, with the answer's bytes as its receipt.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "core/problem.hpp"
#include "core/workspace.hpp"

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

// The answer that this key has already: a receipt to replay, or the problem that it was used for
// another request; both leave their trace. Nothing: the command goes ahead, and `seal` follows.
[[nodiscard]] std::optional<std::variant<Receipt, Problem>> find_answer(
    Workspace& workspace, const IdempotencyGuard& guard);

void seal(Workspace& workspace, const IdempotencyGuard& guard, Receipt receipt);

}  // namespace semel
