#include "sim/chain_steps.hpp"

#include <algorithm>

#include "core/chains/chain_request.hpp"

namespace semel::sim {
namespace {

constexpr std::size_t kSeenMax = 10;
constexpr int kFirstNumber = 40'000'000;
constexpr int kActionsGoOn = 20;  // one action in so many becomes a chain

const std::vector<std::string> kTypes = {std::string(kLocalType), std::string(kPulledType),
                                         std::string(kSharedType)};
const std::vector<std::string> kGroups = {"g", "h"};  // those of actions

}  // namespace

void see_chain(Context& context, const std::string& tenant, const JobId& chain) {
    auto& seen = context.chains_seen[tenant];
    if (std::find(seen.begin(), seen.end(), chain) != seen.end()) {
        return;
    }
    seen.push_front(chain);
    if (seen.size() > kSeenMax) seen.pop_back();
}

std::optional<JobId> seen_chain(const Context& context, const std::string& tenant, int target) {
    const auto seen = context.chains_seen.find(tenant);
    if (seen == context.chains_seen.end()) {
        return std::nullopt;
    }
    return seen->second[static_cast<std::size_t>(target) % seen->second.size()];
}

void resolve(const Context& context, const std::string& tenant, StepPlan& step) {
    for (BlockerPlan& blocker : step.blockers) {
        if (blocker.chain) {
            ChainPlan chain = *blocker.chain;
            resolve(context, tenant, chain);
            blocker.chain = std::make_shared<const ChainPlan>(std::move(chain));
        } else if (!blocker.id) {
            blocker.id = seen_chain(context, tenant, blocker.target);
        }
    }
    std::erase_if(step.blockers,
                  [](const BlockerPlan& blocker) { return !blocker.chain && !blocker.id; });
}

void resolve(const Context& context, const std::string& tenant, ChainPlan& chain) {
    resolve(context, tenant, chain.first);
    if (!chain.key) {
        return;
    }
    for (int target = 0; target < chain.key->excludes; ++target) {
        if (const auto seen = seen_chain(context, tenant, target)) {
            chain.key->excluded.push_back(*seen);
        }
    }
}

StepPlan any_step(Random& random, const ChainHabits& habits, int number) {
    StepPlan step;
    step.number = number;
    step.type = random.any_of(kTypes);
    if (random.one_in(4)) step.delay = Millis(random.below(3'000));
    if (random.below(10) < habits.grouped) step.lock_group = random.any_of(kGroups);
    if (!random.one_in(5)) {  // otherwise without end, and rarely
        step.max_retries = random.between(1, 3);
        step.backoff = Backoff{.kind = Backoff::Kind::fixed, .base = Millis(random.below(1'000))};
    }
    if (random.one_in(4)) {
        // Where the network is slower than that, an attempt is never in time: not without end.
        const Millis timeout(random.between(50, 4'000));
        if (step.max_retries) step.timeout = timeout;
    }
    if (random.one_in(3)) step.on_blocker_failed = OnBlockerFailed::wait;
    return step;
}

std::optional<StepPlan> next_step(Context& context, const TakenJob& job) {
    if (!context.plan.chains.any) {
        return std::nullopt;
    }
    Random& random = context.world.random();
    const int left = left_in(job.payload);
    const bool goes_on = job.job.in_chain ? left > 0 : random.one_in(kActionsGoOn);
    if (!goes_on) {
        return std::nullopt;
    }
    StepPlan step = any_step(random, context.plan.chains, kFirstNumber + ++context.steps_made);
    step.left = std::max(left - 1, 0);
    if (random.below(10) < context.plan.chains.blocked) {
        for (int i = random.between(1, 2); i > 0; --i) {
            BlockerPlan& blocker = step.blockers.emplace_back();
            blocker.target = random.below(4);
            if (random.below(10) < context.plan.chains.inlined) {
                ChainPlan chain;
                chain.first =
                    any_step(random, context.plan.chains, kFirstNumber + ++context.steps_made);
                if (random.one_in(3)) chain.key.emplace().key = "k";
                blocker.chain = std::make_shared<const ChainPlan>(std::move(chain));
            }
        }
    }
    resolve(context, job.job.tenant, step);
    return step;
}

Continuation continuation_of(const StepPlan& step, const std::string& tenant,
                             const Settings& settings) {
    const auto document = json::Document::parse(step.to_json(tenant));
    return std::get<Continuation>(read_continuation(document->root(), tenant, settings, ""));
}

}  // namespace semel::sim
