#include "support/random_chains.hpp"

#include <fmt/format.h>

#include "core/dedup_key.hpp"

namespace semel::test {
namespace {

constexpr int kKeys = 4;
constexpr int kDepthMax = 2;  // of blockers that are started with the job that waits for them
constexpr std::size_t kRemembered = 12;

}  // namespace

AnyCommand RandomChains::next(Dice& dice) {
    const int chance = dice.below(12);
    if (chance < 6 || seen_.empty()) return start(dice);
    if (chance < 9) return complete(dice);
    if (chance < 10) return TellDependants{.limit = 1 + dice.below(2)};
    const Job& chain = dice.any_of(seen_);
    return CancelChain{.tenant = chain.tenant, .chain = chain.id};
}

StartChains RandomChains::start(Dice& dice) {
    StartChains command{dice.any_of(tenants_), {}};
    for (int i = dice.below(3); i >= 0; --i) {
        command.items.emplace_back(request(dice, command.tenant, 0));
    }
    return command;
}

ChainRequest RandomChains::request(Dice& dice, const std::string& tenant, int depth) {
    ChainRequest request;
    request.first = step(dice, tenant, depth);
    if (dice.one_in(12) && !seen_.empty()) request.first.id = dice.any_of(seen_).id;
    if (dice.one_in(2)) request.deduplication = deduplication(dice, tenant, request.first.type);
    return request;
}

StepRequest RandomChains::step(Dice& dice, const std::string& tenant, int depth) {
    StepRequest step;
    step.type = dice.any_of(types_);
    step.input = fmt::format("{}", dice.one_in(3) ? 0 : ++inputs_);
    if (dice.one_in(4)) step.delay = Millis(dice.below(3'000));
    if (dice.one_in(4)) step.options.lock_group = dice.any_of(groups_);
    step.options.max_retries = 1 + dice.below(2);
    step.options.backoff = Backoff{Backoff::Kind::fixed, Millis(dice.below(2'000)), 2.0, {}};
    if (dice.one_in(2)) step.on_blocker_failed = OnBlockerFailed::wait;
    for (int i = dice.below(4); i > 0; --i) {
        if (dice.one_in(4) && depth < kDepthMax) {
            step.blockers.emplace_back(
                std::make_shared<const ChainRequest>(request(dice, tenant, depth + 1)));
        } else if (!seen_.empty()) {
            const Job& chain = dice.any_of(seen_);
            if (chain.tenant == tenant || dice.one_in(10)) step.blockers.emplace_back(chain.id);
        }
    }
    return step;
}

ChainDeduplication RandomChains::deduplication(Dice& dice, const std::string& tenant,
                                               const std::string& type) {
    const Key key = make_key(tenant, "chains", {type, std::to_string(dice.below(kKeys))});
    ChainDeduplication wanted;
    wanted.claim = key.claim;
    wanted.full_key = key.full_key;
    if (dice.one_in(3)) wanted.scope = Scope::any;
    if (dice.one_in(3)) wanted.window = Millis(1 + dice.below(5'000));
    if (dice.one_in(6) && !seen_.empty()) wanted.excluded.push_back(dice.any_of(seen_).id);
    return wanted;
}

Continuation RandomChains::continuation(Dice& dice, const std::string& tenant) {
    Continuation continuation;
    continuation.step = step(dice, tenant, 0);
    continuation.fingerprint = sha256(continuation.step.type + continuation.step.input);
    return continuation;
}

CompleteChain RandomChains::complete(Dice& dice) {
    const Job& chain = dice.any_of(seen_);
    CompleteChain command{.tenant = chain.tenant, .chain = chain.id};
    command.chain_index = dice.below(3);
    if (dice.one_in(3)) {
        command.continue_with = continuation(dice, chain.tenant);
    } else {
        command.output = fmt::format("{}", dice.below(3));
    }
    return command;
}

void RandomChains::learn(const Job& first) {
    seen_.push_back(first);
    if (seen_.size() > kRemembered) seen_.erase(seen_.begin());
}

}  // namespace semel::test
