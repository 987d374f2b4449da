#include "core/keys/replay.hpp"

#include <utility>

namespace semel {

bool has_other_content(const Claim& claim, const FenceRequest& request) {
    return claim.fingerprint && request.fingerprint && *claim.fingerprint != *request.fingerprint;
}

bool is_replay(const Claim& claim, const ClaimFence& command, Time now) {
    const FenceRequest& request = command.request;
    const bool is_its_own = claim.id == request.claim && claim.tenant == command.tenant &&
                            claim.full_key == request.full_key;
    const bool is_sealed = claim.state == ClaimState::sealed && claim.effect;
    const bool has_expired = claim.expires_at && now >= *claim.expires_at;
    return is_its_own && is_sealed && !has_expired && !has_other_content(claim, request);
}

FenceAnswer replayed(std::shared_ptr<const Claim> claim) {
    return {.decision = Decision::duplicate, .claim = std::move(claim)};
}

}  // namespace semel
