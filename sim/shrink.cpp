#include "sim/shrink.hpp"

#include <algorithm>

#include "sim/simulation.hpp"

namespace semel::sim {
namespace {

class Shrinker {
public:
    Shrinker(Plan plan, Invariant invariant) : plan_(std::move(plan)), invariant_(invariant) {}

    Plan shrink() {
        for (bool smaller = true; smaller;) {
            smaller = drop_requests();
            smaller = drop_items() || smaller;
            smaller = drop_fences() || smaller;
            smaller = drop_passes() || smaller;
            smaller = drop_faults() || smaller;
            smaller = drop_workers() || smaller;
            smaller = drop_users() || smaller;
            smaller = drop_nodes() || smaller;
        }
        return std::move(plan_);
    }

private:
    // Keeps the smaller plan if it still fails.
    bool keep_if_fails(Plan smaller) {
        const RunResult result = run(smaller);
        if (!result.violation || result.violation->invariant != invariant_) {
            return false;
        }
        plan_ = std::move(smaller);
        return true;
    }

    bool drop_requests() {
        bool any = false;
        for (std::size_t count = std::max<std::size_t>(plan_.requests.size() / 2, 1); count > 0;
             count /= 2) {
            for (std::size_t at = 0; at < plan_.requests.size();) {
                Plan smaller = plan_;
                const auto first = smaller.requests.begin() + static_cast<std::ptrdiff_t>(at);
                const auto left = static_cast<std::size_t>(smaller.requests.end() - first);
                smaller.requests.erase(first,
                                       first + static_cast<std::ptrdiff_t>(std::min(count, left)));
                const bool dropped = keep_if_fails(std::move(smaller));
                any = any || dropped;
                at += dropped ? 0 : count;
            }
        }
        return any;
    }

    bool drop_items() {
        bool any = false;
        for (std::size_t request = 0; request < plan_.requests.size(); ++request) {
            for (std::size_t item = 0; plan_.requests[request].items.size() > 1 &&
                                       item < plan_.requests[request].items.size();) {
                Plan smaller = plan_;
                auto& items = smaller.requests[request].items;
                items.erase(items.begin() + static_cast<std::ptrdiff_t>(item));
                // A request at the edge of a window needs the key of its first item.
                const bool is_possible = items.front().key || !smaller.requests[request].edge_ms;
                const bool dropped = is_possible && keep_if_fails(std::move(smaller));
                any = any || dropped;
                item += dropped ? 0 : 1;
            }
        }
        return any;
    }

    bool drop_fences() {
        const bool any = drop_each(&Plan::fences, &FencePlan::claims);
        return drop_each(&Plan::fences, &FencePlan::visits) || any;
    }

    // A visit names a request by its place, so requests are dropped only once no visit is left. The
    // first request stays: it makes the plan one about the gateway.
    bool drop_passes() {
        const bool any = drop_each(&Plan::passes, &PassPlan::visits);
        return (plan_.passes.visits.empty() && drop_each(&Plan::passes, &PassPlan::requests, 1)) ||
               any;
    }

    template <typename Part, typename One>
    bool drop_each(Part Plan::*part, std::vector<One> Part::*all, std::size_t kept = 0) {
        bool any = false;
        for (std::size_t at = 0;
             at < (plan_.*part.*all).size() && (plan_.*part.*all).size() > kept;) {
            Plan smaller = plan_;
            auto& left = smaller.*part.*all;
            left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
            const bool dropped = keep_if_fails(std::move(smaller));
            any = any || dropped;
            at += dropped ? 0 : 1;
        }
        return any;
    }

    bool drop_faults() {
        bool any = false;
        for (const FaultName& fault : kFaults) {
            if (plan_.faults.of(fault.fault) > 0) {
                Plan smaller = plan_;
                smaller.faults.set(fault.fault, 0);
                any = keep_if_fails(std::move(smaller)) || any;
            }
        }
        return any;
    }

    bool drop_workers() {
        bool any = false;
        for (std::size_t at = 0; at < plan_.workers.size();) {
            Plan smaller = plan_;
            smaller.workers.erase(smaller.workers.begin() + static_cast<std::ptrdiff_t>(at));
            const bool dropped = keep_if_fails(std::move(smaller));
            any = any || dropped;
            at += dropped ? 0 : 1;
        }
        return any;
    }

    bool drop_users() {
        bool any = false;
        for (std::size_t at = 0; at < plan_.users.size();) {
            Plan smaller = plan_;
            smaller.users.erase(smaller.users.begin() + static_cast<std::ptrdiff_t>(at));
            const bool dropped = keep_if_fails(std::move(smaller));
            any = any || dropped;
            at += dropped ? 0 : 1;
        }
        if (plan_.settles_in_ten > 0) {
            Plan smaller = plan_;
            smaller.settles_in_ten = 0;
            any = keep_if_fails(std::move(smaller)) || any;
        }
        return any;
    }

    bool drop_nodes() {
        bool any = false;
        for (int Plan::*count : {&Plan::nodes, &Plan::committers}) {
            while (plan_.*count > 1) {
                Plan smaller = plan_;
                --(smaller.*count);
                if (!keep_if_fails(std::move(smaller))) break;
                any = true;
            }
        }
        return any;
    }

    Plan plan_;
    Invariant invariant_;
};

}  // namespace

Plan shrink(Plan plan, Invariant invariant) {
    return Shrinker(std::move(plan), invariant).shrink();
}

}  // namespace semel::sim
