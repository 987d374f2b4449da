#include "core/idempotency.hpp"

#include "base/mutation.hpp"
#include "core/dedup_key.hpp"
#include "core/limits.hpp"

namespace semel {

IdempotencyGuard make_guard(const std::string& tenant, const std::string& token,
                            const std::string& method, const std::string& path,
                            const std::string& key, std::string_view body) {
    Key made = make_key(tenant, "api", {token, method, path, key});
    IdempotencyGuard guard;
    guard.tenant = tenant;
    guard.claim = made.claim;
    guard.full_key = std::move(made.full_key);
    guard.fingerprint = sha256(body);
    return guard;
}

std::optional<std::variant<Receipt, Problem>> find_answer(const Workspace& workspace,
                                                          const IdempotencyGuard& guard) {
    const Claim* claim = workspace.claims.find(guard.claim);
    if (claim == nullptr || (claim->expires_at && workspace.now() >= *claim->expires_at)) {
        return std::nullopt;
    }
    SEMEL_ASSERT(claim->full_key == guard.full_key);
    if (claim->fingerprint != guard.fingerprint && !SEMEL_MUTATION(idempotency_body_ignored)) {
        return Problem{.code = ProblemCode::key_reused,
                       .detail =
                           "this Idempotency-Key was used with another body; use a new key for "
                           "a new request"};
    }
    SEMEL_ASSERT(claim->receipt.has_value());
    return *claim->receipt;
}

void seal(Workspace& workspace, const IdempotencyGuard& guard, Receipt receipt) {
    const Claim* before = workspace.claims.find(guard.claim);
    Claim claim;
    claim.id = guard.claim;
    claim.tenant = guard.tenant;
    claim.space = "api";
    claim.full_key = guard.full_key;
    claim.state = ClaimState::sealed;
    claim.token = next_token(before != nullptr ? before->token : Token::none, workspace.now());
    claim.created_at = workspace.now();
    const Millis kept =
        SEMEL_MUTATION(idempotency_key_forgotten_early) ? Millis(1'000) : kApiKeyRetention;
    claim.expires_at = add_clamped(workspace.now(), kept);
    claim.fingerprint = guard.fingerprint;
    claim.receipt = std::move(receipt);
    workspace.claims.put(guard.claim, std::move(claim));
}

}  // namespace semel
