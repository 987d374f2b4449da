// Which version of a source is at work, and which was the highest that was sealed.
#include <algorithm>

#include "core/fences/fence.hpp"
#include "sim/fence_checker.hpp"

namespace semel::sim {

void FenceChecker::put_source(const SourceKey& key, SourceState state) {
    sources_before_.try_emplace(key, Versions{0, sources_[key].highest, sources_[key].holder});
    const auto& before = sources_[key].holder;
    const bool is_same_hold = before && state.holder && before->claim == state.holder->claim &&
                              before->token == state.holder->token;
    if (!is_same_hold) state.changed_at = now_;
    state.past.push_back({commits_, state.highest, state.holder});
    sources_[key] = std::move(state);
}

bool FenceChecker::holds_source(const Claim& claim) const {
    const auto key = source_of(claim);
    if (!key) {
        return true;
    }
    const auto source = sources_.find(*key);
    return source != sources_.end() && source->second.holder &&
           source->second.holder->claim == claim.id && source->second.holder->token == claim.token;
}

bool FenceChecker::is_outrun(const Claim& claim) const {
    const auto key = source_of(claim);
    const auto source = key ? sources_.find(*key) : sources_.end();
    return source != sources_.end() && claim.effect->version < source->second.highest;
}

void FenceChecker::hold_source(const Claim& claim) {
    if (const auto key = source_of(claim)) {
        SourceState state = sources_[*key];
        state.holder = SourceHolder{claim.id, claim.token, claim.effect->lease_until};
        put_source(*key, std::move(state));
    }
}

void FenceChecker::seal_source(const Claim& claim, bool by_owner) {
    const auto key = source_of(claim);
    if (!key) {
        return;
    }
    SourceState state = sources_[*key];
    const std::int64_t version = *claim.effect->version;
    if (by_owner && state.highest && version < *state.highest) {
        fail_(Invariant::versions, fmt::format("{} is sealed as version {} after version {}",
                                               name(claim.id), version, *state.highest));
    }
    state.highest = std::max(state.highest.value_or(version), version);
    if (holds_source(claim)) state.holder.reset();
    put_source(*key, std::move(state));
}

void FenceChecker::free_source(const Claim& claim) {
    const auto key = source_of(claim);
    if (key && holds_source(claim)) {
        SourceState state = sources_[*key];
        state.holder.reset();
        put_source(*key, std::move(state));
    }
}

void FenceChecker::check_sources() {
    static const std::vector<Change<Source>> kNone;
    for (const auto& change : batch_->changes ? batch_->changes->sources : kNone) {
        const SourceKey& key = change.after ? change.after->key : change.before->key;
        sources_before_.erase(key);
        const Source found = change.after.value_or(Source{.key = key});
        if (unclear_.contains(key)) {
            SourceState state = sources_[key];
            state.highest = found.highest;
            state.holder = found.holder;
            put_source(key, std::move(state));
        }
        const SourceState& state = sources_[key];
        if (state.highest != found.highest || state.holder != found.holder) {
            fail_(Invariant::versions,
                  fmt::format("source {} has sealed {} and is {}, not {} and {}", key.id,
                              found.highest.value_or(0), found.holder ? "held" : "free",
                              state.highest.value_or(0), state.holder ? "held" : "free"));
        }
    }
    for (const auto& [key, before] : sources_before_) {
        const SourceState& state = sources_[key];
        if (!unclear_.contains(key) &&
            (state.highest != before.highest || state.holder != before.holder)) {
            fail_(Invariant::versions,
                  fmt::format("what was decided on source {} is not in the commit", key.id));
        }
    }
}

}  // namespace semel::sim
