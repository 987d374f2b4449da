#include "core/keys/uncertain_claims.hpp"

#include <algorithm>

#include "core/fences/fence.hpp"

namespace semel {
namespace {

bool has_entry(const std::optional<Claim>& row) {
    return row && row->state == ClaimState::uncertain;
}

}  // namespace

ClaimPosition position_of(const Claim& claim) {
    return {claim.created_at, claim.id};
}

bool UncertainQuery::matches(const Claim& claim) const {
    return claim.tenant == tenant && (!space || claim.space == *space) &&
           (!before || position_of(claim) < *before) && is_uncertain(claim, now);
}

std::vector<Claim> UncertainQuery::page_of(std::vector<Claim> claims) const {
    std::ranges::sort(claims, [](const Claim& one, const Claim& other) {
        return position_of(other) < position_of(one);
    });
    if (claims.size() > static_cast<std::size_t>(limit)) {
        claims.resize(static_cast<std::size_t>(limit));
    }
    return claims;
}

bool is_uncertain(const Claim& claim, Time now) {
    const auto shown = as_of(claim, now);
    return shown && shown->state == ClaimState::uncertain;
}

EntryChange entry_change(const std::optional<Claim>& before, const std::optional<Claim>& after) {
    const bool had = has_entry(before);
    const bool has = has_entry(after);
    const bool is_same = had && has && position_of(*before) == position_of(*after);
    return {.erases = had && !is_same, .makes = has && !is_same};
}

}  // namespace semel
