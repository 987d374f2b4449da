#include "core/keys/idempotency.hpp"

#include "core/keys/dedup_key.hpp"
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
    guard.type = method + " " + path;
    guard.fingerprint = sha256(body);
    return guard;
}

namespace {

// Records a repeat of a key. The first use has the log entry of its command.
void record(Workspace& workspace, const IdempotencyGuard& guard, const Claim& claim,
            Decision decision, std::string_view rule) {
    DecisionEntry entry;
    entry.at = workspace.now();
    entry.tenant = guard.tenant;
    entry.surface = "api";
    entry.type = guard.type;
    entry.claim = guard.claim;
    entry.key = guard.full_key;
    entry.decision = decision;
    entry.rule = rule;
    entry.token = claim.token;
    workspace.record(std::move(entry));
}

}  // namespace

std::optional<std::variant<Receipt, Problem>> find_answer(Workspace& workspace,
                                                          const IdempotencyGuard& guard) {
    const Claim* claim = workspace.claims.find(guard.claim);
    if (claim == nullptr || claim->state == ClaimState::free ||
        (claim->expires_at && workspace.now() >= *claim->expires_at)) {
        return std::nullopt;
    }
    SEMEL_ASSERT(claim->full_key == guard.full_key);
    if (claim->fingerprint != guard.fingerprint) {
        record(workspace, guard, *claim, Decision::conflict, "key_reused");
        return Problem{.code = ProblemCode::key_reused,
                       .detail =
                           "this Idempotency-Key was used with another body; use a new key for "
                           "a new request"};
    }
    SEMEL_ASSERT(claim->receipt.has_value());
    record(workspace, guard, *claim, Decision::duplicate, "idempotency_key");
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
    claim.expires_at = add_clamped(workspace.now(), kApiKeyRetention);
    claim.fingerprint = guard.fingerprint;
    claim.receipt = std::move(receipt);
    workspace.claims.put(guard.claim, std::move(claim));
}

}  // namespace semel
