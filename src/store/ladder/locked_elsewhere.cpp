#include "store/ladder/locked_elsewhere.hpp"

#include <algorithm>
#include <unordered_set>

namespace semel {
namespace {

class Spread {
public:
    explicit Spread(Loaded& loaded)
        : loaded_(loaded),
          jobs_(loaded.locked_elsewhere.jobs.begin(), loaded.locked_elsewhere.jobs.end()) {}

    void run() {
        while (hold_relatives()) {
        }
        for (const Claim& claim : loaded_.claims) {
            const bool is_locked =
                std::any_of(claim.owners.begin(), claim.owners.end(),
                            [&](const Owner& owner) { return jobs_.contains(owner.job); });
            if (is_locked) loaded_.locked_elsewhere.claims.push_back(claim.id);
        }
        for (const LockGroup& group : loaded_.groups) {
            const bool is_locked = jobs_.contains(group.head) && !runs(group.head);
            if (is_locked) loaded_.locked_elsewhere.groups.push_back(group.key);
        }
        for (const Schedule& schedule : loaded_.schedules) {
            if (is_locked(schedule.current))
                loaded_.locked_elsewhere.schedules.push_back(schedule.key);
        }
        for (QueryResult& found : loaded_.queries) {
            std::erase_if(found.jobs, [&](const JobId& id) { return jobs_.contains(id); });
            std::erase_if(found.chains,
                          [&](const FinishedChain& chain) { return is_locked(chain); });
            std::erase_if(found.claims, [&](const ClaimId& id) {
                const auto& locked_elsewhere = loaded_.locked_elsewhere.claims;
                return std::find(locked_elsewhere.begin(), locked_elsewhere.end(), id) !=
                       locked_elsewhere.end();
            });
        }
    }

private:
    [[nodiscard]] bool is_locked(const std::optional<JobId>& id) const {
        return id && jobs_.contains(*id);
    }

    [[nodiscard]] bool is_locked(const FinishedChain& chain) const {
        return jobs_.contains(chain.last) ||
               std::any_of(chain.before.begin(), chain.before.end(),
                           [&](const JobId& id) { return jobs_.contains(id); });
    }

    [[nodiscard]] bool runs(const JobId& head) const {
        const auto& running = loaded_.running_heads;
        return std::find(running.begin(), running.end(), head) != running.end();
    }

    // Adds the jobs with a locked relative. Returns false if there are no further ones.
    bool hold_relatives() {
        bool found = false;
        for (const Job& job : loaded_.jobs) {
            const bool has_locked_relative = is_locked(job.predecessor) ||
                                             is_locked(job.successor) ||
                                             is_locked(job.superseded_by);
            if (has_locked_relative && jobs_.insert(job.id).second) {
                loaded_.locked_elsewhere.jobs.push_back(job.id);
                found = true;
            }
        }
        return found;
    }

    Loaded& loaded_;
    std::unordered_set<JobId> jobs_;
};

}  // namespace

void spread_locks(Loaded& loaded) {
    if (!loaded.locked_elsewhere.jobs.empty()) {
        Spread(loaded).run();
    }
}

}  // namespace semel
