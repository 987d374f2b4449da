#include "core/chains/deletion.hpp"

#include <algorithm>

#include "core/chains/blockers.hpp"

namespace semel {

void leave_key_behind(Workspace& workspace, const Job& holder, const Job& last) {
    const Claim* claim = holder.claim ? workspace.claims.find(*holder.claim) : nullptr;
    if (claim == nullptr) {
        return;
    }
    const Job& ended = holder.in_chain ? last : holder;
    Claim edited = *claim;
    if (claim->is_newest(holder.id)) {
        edited.purged_as = ended.status;
    } else {
        std::erase_if(edited.owners, [&](const Owner& owner) { return owner.job == holder.id; });
    }
    const auto& retention = workspace.settings().key_retention;
    if (edited.purged_as && edited.owners.size() == 1 && retention) {
        const Time expiry = add_clamped(*ended.completed_at, *retention);
        edited.expires_at = std::max(edited.expires_at.value_or(expiry), expiry);
    }
    workspace.claims.put(claim->id, std::move(edited));
}

void delete_job(Workspace& workspace, const JobId& id) {
    forget_blockers(workspace, id);
    workspace.remove_job(id);
}

}  // namespace semel
