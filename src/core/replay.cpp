#include "core/replay.hpp"

#include <utility>

#include "base/mutation.hpp"

namespace semel {

bool has_other_content(const Claim& claim, const FenceRequest& request) {
    return claim.fingerprint && request.fingerprint && *claim.fingerprint != *request.fingerprint;
}

bool is_replay(const Claim& claim, const ClaimFence& command, Time now) {
    const FenceRequest& request = command.request;
    const bool is_its_tenants = claim.id == request.claim && claim.tenant == command.tenant;
    const bool is_its_own = claim.full_key == request.full_key &&
                            (is_its_tenants || SEMEL_MUTATION(receipt_tenant_ignored));
    const bool is_sealed = claim.state == ClaimState::sealed && claim.effect;
    const bool has_expired =
        claim.expires_at && now >= *claim.expires_at && !SEMEL_MUTATION(receipt_kept_past_expiry);
    const bool is_other =
        has_other_content(claim, request) && !SEMEL_MUTATION(receipt_content_ignored);
    return is_its_own && is_sealed && !has_expired && !is_other;
}

FenceAnswer replayed(std::shared_ptr<const Claim> claim) {
    return {.decision = Decision::duplicate, .claim = std::move(claim)};
}

}  // namespace semel
