// The end of leases that an earlier process has left behind.
#include <algorithm>

#include "core/decide.hpp"
#include "core/passes/operate_pass.hpp"

namespace semel {

void name_rows(const EndEarlierLeases& command, LoadSpec& spec) {
    spec.queries.emplace_back(ExpiredClaimsQuery{.limit = command.limit, .ahead = command.lease});
}

Reply<EndEarlierLeases> decide(const EndEarlierLeases&, Workspace& workspace) {
    const QueryResult found = workspace.next_query_result();
    int ended = 0;
    for (const ClaimId& id : found.claims) {
        const Claim* claim = workspace.claims.find(id);
        const bool is_owned = claim != nullptr && claim->state == ClaimState::owned &&
                              claim->effect && claim->effect->pass;
        if (!is_owned) {
            continue;
        }
        Claim& left = workspace.claims.edit(id);
        left.effect->lease_until = std::min(left.effect->lease_until, workspace.now());
        left.expires_at = left.effect->lease_until;
        ended += prune_pass(workspace, Claim(left)) ? 1 : 0;
    }
    return ended;
}

}  // namespace semel
