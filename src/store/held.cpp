#include "store/held.hpp"

#include <algorithm>
#include <unordered_set>

namespace semel {
namespace {

class Spread {
public:
    explicit Spread(Loaded& loaded)
        : loaded_(loaded), jobs_(loaded.held.jobs.begin(), loaded.held.jobs.end()) {}

    void run() {
        while (hold_relatives()) {
        }
        for (const Claim& claim : loaded_.claims) {
            const bool is_held =
                std::any_of(claim.owners.begin(), claim.owners.end(),
                            [&](const Owner& owner) { return jobs_.contains(owner.job); });
            if (is_held) loaded_.held.claims.push_back(claim.id);
        }
        for (const LockGroup& group : loaded_.groups) {
            const bool is_held = jobs_.contains(group.head) && !runs(group.head);
            if (is_held) loaded_.held.groups.push_back(group.key);
        }
        for (const Schedule& schedule : loaded_.schedules) {
            if (is_held(schedule.current)) loaded_.held.schedules.push_back(schedule.key);
        }
        for (QueryResult& found : loaded_.queries) {
            std::erase_if(found.jobs, [&](const JobId& id) { return jobs_.contains(id); });
            std::erase_if(found.chains, [&](const FinishedChain& chain) { return is_held(chain); });
            std::erase_if(found.claims, [&](const ClaimId& id) {
                const auto& held = loaded_.held.claims;
                return std::find(held.begin(), held.end(), id) != held.end();
            });
        }
    }

private:
    [[nodiscard]] bool is_held(const std::optional<JobId>& id) const {
        return id && jobs_.contains(*id);
    }

    [[nodiscard]] bool is_held(const FinishedChain& chain) const {
        return jobs_.contains(chain.last) ||
               std::any_of(chain.before.begin(), chain.before.end(),
                           [&](const JobId& id) { return jobs_.contains(id); });
    }

    [[nodiscard]] bool runs(const JobId& head) const {
        const auto& running = loaded_.running_heads;
        return std::find(running.begin(), running.end(), head) != running.end();
    }

    // False: there are no more of them.
    bool hold_relatives() {
        bool found = false;
        for (const Job& job : loaded_.jobs) {
            const bool has_held_relative =
                is_held(job.predecessor) || is_held(job.successor) || is_held(job.superseded_by);
            if (has_held_relative && jobs_.insert(job.id).second) {
                loaded_.held.jobs.push_back(job.id);
                found = true;
            }
        }
        return found;
    }

    Loaded& loaded_;
    std::unordered_set<JobId> jobs_;
};

}  // namespace

void spread_holds(Loaded& loaded) {
    if (!loaded.held.jobs.empty()) {
        Spread(loaded).run();
    }
}

}  // namespace semel
