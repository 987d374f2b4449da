#include "support/random_chains.hpp"

#include <fmt/format.h>

#include "core/keys/dedup_key.hpp"
#include "support/rows.hpp"

namespace semel::test {
namespace {

constexpr int kChainKeys = 6;
constexpr int kDepthMax = 2;  // of blockers that are started with what waits for them
constexpr std::size_t kRememberedChains = 15;  // chains of each tenant

Key chain_key(const std::string& tenant, int number) {
    return make_key(tenant, "chains", {"any", std::to_string(number)});
}

}  // namespace

std::vector<ClaimId> RandomChains::claims(const std::string& tenant) {
    std::vector<ClaimId> ids{make_key(tenant, "graph", {}).claim};
    for (int number = 0; number < kChainKeys; ++number)
        ids.push_back(chain_key(tenant, number).claim);
    return ids;
}

AnyCommand RandomChains::next(Dice& dice) {
    const int chance = dice.below(12);
    if (chance < 6) return start(dice);
    const std::string tenant = dice.any_of(tenants_);
    const JobId chain = known(dice, tenant);
    if (chance < 9) {
        CompleteChain command{.tenant = tenant, .chain = chain, .chain_index = dice.below(3)};
        if (dice.one_in(2)) command.chain_index = 0;
        if (dice.one_in(3)) {
            command.continue_with = continuation(dice, tenant);
        } else if (dice.one_in(2)) {
            command.output = "[3]";
        }
        return command;
    }
    if (chance < 11) return CancelChain{.tenant = tenant, .chain = chain};
    return DeleteChain{.tenant = tenant, .chain = chain, .cascade = dice.one_in(2)};
}

StartChains RandomChains::start(Dice& dice) {
    StartChains command{dice.any_of(tenants_), {}};
    for (int i = dice.below(2); i >= 0; --i) {
        command.items.emplace_back(chain(dice, command.tenant, 0));
    }
    return command;
}

ChainRequest RandomChains::chain(Dice& dice, const std::string& tenant, int depth) {
    ChainRequest request{.first = step(dice, tenant, depth)};
    request.first.id = chosen_id(dice);
    if (dice.one_in(3)) request.deduplication = deduplication(dice, tenant);
    return request;
}

StepRequest RandomChains::step(Dice& dice, const std::string& tenant, int depth) {
    StepRequest step;
    step.type = dice.any_of(types_);
    step.input = fmt::format("{{\"n\":{}}}", dice.one_in(3) ? 0 : ++inputs_);
    if (dice.one_in(3)) step.delay = Millis(dice.below(4'000));
    if (dice.one_in(3)) step.options.lock_group = dice.any_of(groups_);
    if (dice.one_in(2)) step.options.max_retries = 1 + dice.below(3);
    if (dice.one_in(3)) step.options.priority = dice.below(5) - 2;
    if (dice.one_in(3)) step.options.timeout = Millis(dice.below(3'000));
    if (dice.one_in(3)) step.on_blocker_failed = OnBlockerFailed::wait;
    if (!dice.one_in(2)) {
        return step;
    }
    for (int i = dice.below(3); i >= 0; --i) {
        if (depth < kDepthMax && dice.one_in(3)) {
            step.blockers.emplace_back(
                std::make_shared<const ChainRequest>(chain(dice, tenant, depth + 1)));
        } else {
            step.blockers.emplace_back(known(dice, tenant));
        }
    }
    return step;
}

Continuation RandomChains::continuation(Dice& dice, const std::string& tenant) {
    Continuation continuation{.step = step(dice, tenant, 0), .fingerprint = {}};
    continuation.fingerprint = hash_of(continuation.step.input == "{\"n\":0}" ? 0 : inputs_);
    return continuation;
}

ChainDeduplication RandomChains::deduplication(Dice& dice, const std::string& tenant) {
    const Key key = chain_key(tenant, dice.below(kChainKeys));
    ChainDeduplication wanted{.claim = key.claim, .full_key = key.full_key};
    if (dice.one_in(2)) wanted.scope = Scope::any;
    if (dice.one_in(3)) wanted.window = Millis(1 + dice.below(60'000));
    if (dice.one_in(4)) wanted.excluded = {known(dice, tenant)};
    return wanted;
}

// From long before the others, and each a millisecond of its own: stores may take jobs that begin
// alike and ended at one time in another order.
std::optional<JobId> RandomChains::chosen_id(Dice& dice) {
    if (!dice.one_in(6)) {
        return std::nullopt;
    }
    const bool again = chosen_ > 0 && dice.one_in(3);
    return id_at(kStart - std::chrono::hours(1) +
                 Millis(again ? 1 + dice.below(chosen_) : ++chosen_));
}

JobId RandomChains::known(Dice& dice, const std::string& tenant) {
    const auto& ids = known_[tenant];
    return ids.empty() ? id_at(kStart, 4000) : dice.any_of(ids);
}

void RandomChains::learn(const std::string& tenant, const JobId& chain) {
    auto& ids = known_[tenant];
    ids.push_back(chain);
    if (ids.size() > kRememberedChains) ids.erase(ids.begin());
}

}  // namespace semel::test
