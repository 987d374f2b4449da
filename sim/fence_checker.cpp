#include "sim/fence_checker.hpp"

#include <algorithm>

#include "core/fences/fence.hpp"
#include "core/limits.hpp"

namespace semel::sim {
namespace {

constexpr Millis kLetGoAllowance = std::chrono::seconds(2);
// After the faults: by then every store is back, and every lock of the dead is gone.
constexpr Millis kCalmAfter = std::chrono::seconds(10);

bool is_known(const std::optional<Previous>& one, const std::optional<Previous>& other) {
    return one.has_value() == other.has_value() &&
           (!one || (one->effect_id == other->effect_id && one->sealed_at == other->sealed_at));
}

const std::vector<Change<Claim>>& claims_of(const Batch& batch) {
    static const std::vector<Change<Claim>> kNone;
    return batch.changes ? batch.changes->claims : kNone;
}

const Claim& either(const Change<Claim>& change) {
    return change.after ? *change.after : *change.before;
}

// A row that is not sealed must stay for a while: for tokens to grow, and calls to be repeated.
bool is_kept_too_shortly(const Change<Claim>& change, Time now) {
    const Claim& row = *change.after;
    const bool is_freed = row.state == ClaimState::free &&
                          (!change.before || change.before->state != ClaimState::free);
    return (is_freed && row.expires_at < now + kUnsealedRetention) ||
           (row.state == ClaimState::owned &&
            row.expires_at < row.effect->lease_until + kUnsealedRetention);
}

}  // namespace

std::string difference(const Claim& expected, const Claim& found) {
    const auto& one = *expected.effect;
    const auto& other = *found.effect;
    if (expected.tenant != found.tenant) return "tenant";
    if (expected.state != found.state) return "state";
    if (expected.token != found.token) return "token";
    if (!is_known(one.previous, other.previous)) return "previous";
    if (expected.receipt != found.receipt) return "receipt";
    if (one.id != other.id) return "effect";
    if (one.sealed_at != other.sealed_at) return "time of the seal";
    if (one.ended_by.has_value() != other.ended_by.has_value()) return "end";
    if (expected.fingerprint != found.fingerprint) return "fingerprint";
    if (one.version != other.version) return "version";
    if (expected.state == ClaimState::owned && one.lease_until != other.lease_until) return "lease";
    if (expected.state == ClaimState::sealed && expected.expires_at != found.expires_at) {
        return "expiry";
    }
    if (expected.state == ClaimState::uncertain && found.expires_at) return "expiry";
    return "";
}

std::string FenceChecker::name(const ClaimId& id) {
    const auto [at, is_new] = names_.try_emplace(id, static_cast<int>(names_.size()) + 1);
    return fmt::format("F{}", at->second);
}

bool FenceChecker::is_calm() const {
    return !context_.faults_on && context_.world.now() >= context_.plan.duration + kCalmAfter;
}

// ---- one batch ----------------------------------------------------------------------------------

void FenceChecker::begin(const Batch& batch, int commits) {
    batch_ = &batch;
    commits_ = commits;
    now_ = batch.now;
    takes_.clear();
    before_.clear();
    sources_before_.clear();
    unclear_.clear();
    words_.clear();
    if (!batch.changes) {
        return;
    }
    for (const DecisionEntry& entry : batch.changes->decisions) {
        if (entry.surface != "fences" || entry.decision != Decision::new_) continue;
        takes_.push_back({*entry.claim, entry.token, !entry.source_id.empty(),
                          SourceKey{entry.tenant, entry.source_type, entry.source_id}});
    }
}

void FenceChecker::end() {
    while (!takes_.empty()) apply_next(takes_.begin());
    check_rows();
    check_untouched();
    check_sources();
}

void FenceChecker::put(const ClaimId& id, std::optional<Claim> row) {
    Key& key = keys_[id];
    before_.try_emplace(id, key.row);
    const bool is_other =
        !key.row || !row || key.row->state != row->state || key.row->token != row->token;
    if (is_other) key.changed_at = now_;
    if (row) key.highest = std::max(key.highest, row->token);
    key.row = std::move(row);
    key.past.push_back({commits_, batch_->process, context_.world.now(), key.row});
}

// Past its time, what was sealed is only remembered, and what never was is forgotten.
std::optional<Claim> FenceChecker::judged(const ClaimId& id) const {
    const auto key = keys_.find(id);
    if (key == keys_.end() || !key->second.row) {
        return std::nullopt;
    }
    const Claim& row = *key->second.row;
    if (!row.expires_at || now_ < *row.expires_at) {
        return row;
    }
    const bool is_remembered = row.effect->sealed_at || row.effect->previous;
    return is_remembered ? std::optional(freed(row)) : std::nullopt;
}

// All that is left: its token, and what was sealed, by it or before it.
Claim FenceChecker::freed(const Claim& row) const {
    Claim left;
    left.id = row.id;
    left.tenant = row.tenant;
    left.state = ClaimState::free;
    left.token = row.token;
    left.effect.emplace().previous = row.effect->previous;
    if (row.effect->sealed_at) {
        left.effect->previous =
            Previous{.effect_id = row.effect->id, .sealed_at = *row.effect->sealed_at, .until = {}};
    }
    return left;
}

const Claim* FenceChecker::row_after(const ClaimId& id) const {
    for (const auto& change : claims_of(*batch_)) {
        if (either(change).id == id) return change.after ? &*change.after : nullptr;
    }
    return nullptr;
}

bool FenceChecker::is_changed(const ClaimId& id) const {
    return std::ranges::any_of(claims_of(*batch_),
                               [&](const auto& change) { return either(change).id == id; });
}

// ---- who is told `new` --------------------------------------------------------------------------

std::string FenceChecker::why_not(const Take& take) const {
    const auto row = judged(take.claim);
    if (row && row->token >= take.token) return "its token does not grow";
    if (row && row->state == ClaimState::sealed) return "it is sealed";
    if (row && row->state == ClaimState::uncertain) return "it is uncertain";
    if (row && row->state == ClaimState::owned && now_ < row->effect->lease_until) {
        return "its owner's lease is not over";
    }
    const Claim* after = row_after(take.claim);
    const auto source = sources_.find(take.source);
    if (after == nullptr || after->token != take.token || !after->effect->version ||
        source == sources_.end()) {
        return "";
    }
    const SourceState& state = source->second;
    if (state.highest && *after->effect->version < *state.highest) {
        return "a higher version is sealed";
    }
    if (state.holder && state.holder->claim != take.claim && now_ < state.holder->until) {
        return "another version is at work";
    }
    return "";
}

Invariant FenceChecker::broken_by(const Take& take) const {
    const auto row = judged(take.claim);
    if (row && row->token >= take.token) return Invariant::tokens_grow;
    if (row && row->state == ClaimState::sealed) return Invariant::sealed_once;
    if (row && row->state == ClaimState::uncertain) return Invariant::uncertain_stays;
    if (row && row->state == ClaimState::owned && now_ < row->effect->lease_until) {
        return Invariant::one_owner;
    }
    return Invariant::versions;
}

void FenceChecker::apply_next(std::vector<Take>::iterator next) {
    const Take take = std::move(*next);
    takes_.erase(next);
    const auto source = take.has_source ? std::optional(take.source) : std::nullopt;
    while (!why_not(take).empty() && make_way(take.claim, source)) {
    }
    apply(take);
}

// The lease of an owner who hung up may end before the engine lets it go. The row then says which
// of the two came first.
bool FenceChecker::met_free_key(const Take& take) const {
    const Claim* after = row_after(take.claim);
    return after != nullptr && after->token == take.token && after->effect->rule == "free";
}

void FenceChecker::apply(const Take& take) {
    if (met_free_key(take)) {
        (void)let_go(take.claim);
    }
    const std::string why = why_not(take);
    if (!why.empty()) {
        fail_(broken_by(take), fmt::format("{} is new although {}", name(take.claim), why));
        return;
    }
    if (take.token <= keys_[take.claim].highest) {
        fail_(Invariant::tokens_grow,
              fmt::format("{} is new with a token that was there before", name(take.claim)));
        return;
    }
    const auto before = judged(take.claim);
    const Claim* after = row_after(take.claim);
    Hold hold;
    hold.is_known = after != nullptr && after->token == take.token;
    hold.takeover = before && before->state == ClaimState::owned;
    hold.since = keys_[take.claim].changed_at;
    if (before && hold.takeover) hold.since = std::max(hold.since, before->effect->lease_until);
    if (take.has_source && sources_.contains(take.source)) {
        const SourceState& source = sources_[take.source];
        hold.since = std::max(hold.since, source.changed_at);
        if (source.holder) hold.since = std::max(hold.since, source.holder->until);
    }
    if (hold.is_known) {
        hold.row = *after;
    } else {
        hold.row.id = take.claim;
        hold.row.tenant = take.source.tenant;
        hold.row.token = take.token;
        hold.row.effect.emplace().lease_until = now_;
        if (take.has_source) add_unclear(take);
    }
    hold.row.state = ClaimState::owned;
    if (before) hold.row.effect->previous = before->effect->previous;
    context_.trace.line("{} is taken with token {}", name(take.claim), to_int(take.token));
    hold.is_calm = is_calm();
    hold.commit = commits_;
    if (hold.takeover) {
        context_.sometimes.hit(Sometimes::fence_taken_over);
        check_left(*before);
    }
    if (before && before->state == ClaimState::free && before->effect->ended_by) {
        context_.sometimes.hit(Sometimes::fence_taken_after_release);
    }
    if (hold.row.effect->previous) context_.sometimes.hit(Sometimes::fence_new_after_its_expiry);
    put(take.claim, hold.row);
    keys_[take.claim].past.back().is_unclear = !hold.is_known;
    hold_source(hold.row);
    keys_[take.claim].holds.emplace(take.token, std::move(hold));
}

// It held its source for a part of this batch, and nobody knows until when it would have.
void FenceChecker::add_unclear(const Take& take) {
    unclear_.insert(take.source);
    SourceState& source = sources_[take.source];
    source.past.push_back(
        {commits_, source.highest, SourceHolder{take.claim, take.token, Time::max()}});
}

// A takeover is right if the owner before was told that it owns the key, or was let go: the engine
// ends the lease of a claim that nobody waits for any longer. A claim that was itself a takeover
// stays owned then, with a lease that has ended.
void FenceChecker::check_left(const Claim& before) {
    const auto& holds = keys_[before.id].holds;
    const auto left = holds.find(before.token);
    if (left != holds.end() && left->second.is_calm && !left->second.told && !left->second.let_go &&
        now_ > before.created_at + kLetGoAllowance) {
        fail_(Invariant::live,
              fmt::format("{} was held by nobody to the end of its lease", name(before.id)));
    }
}

bool FenceChecker::advance(const ClaimId& id) {
    const auto source = source_meant(id);
    const auto next = std::ranges::find_if(takes_, [&](const Take& take) {
        const bool is_meant = take.claim == id || (source && take.source == *source);
        return is_meant && why_not(take).empty();
    });
    if (next != takes_.end()) {
        const Take take = std::move(*next);
        takes_.erase(next);
        apply(take);
        return true;
    }
    return make_way(id, source);
}

// After the seal no lower version is `new`, so whoever was told so in this batch was told before.
// An owner who seals holds the source, and nobody else took it: this is for operators.
void FenceChecker::take_lower_versions(const Claim& to_be_sealed) {
    const auto source = source_of(to_be_sealed);
    const auto is_lower = [&](const Take& take) {
        const Claim* after = row_after(take.claim);
        return take.has_source && take.source == source && after != nullptr &&
               after->token == take.token && after->effect->version < to_be_sealed.effect->version;
    };
    for (auto next = std::ranges::find_if(takes_, is_lower); next != takes_.end();
         next = std::ranges::find_if(takes_, is_lower)) {
        apply_next(next);
    }
}

// Whoever takes it in this batch names it too: a row that nobody holds does not.
std::optional<SourceKey> FenceChecker::source_meant(const ClaimId& id) const {
    const auto row = judged(id);
    if (auto source = row ? source_of(*row) : std::nullopt) {
        return source;
    }
    const auto take = std::ranges::find_if(
        takes_, [&](const Take& one) { return one.claim == id && one.has_source; });
    return take != takes_.end() ? std::optional(take->source) : std::nullopt;
}

// Whoever hung up may hold the key, or as another version its source.
bool FenceChecker::make_way(const ClaimId& id, const std::optional<SourceKey>& source) {
    if (let_go(id)) {
        return true;
    }
    const auto held = source ? sources_.find(*source) : sources_.end();
    return held != sources_.end() && held->second.holder && held->second.holder->claim != id &&
           let_go(held->second.holder->claim);
}

// What somebody got who had hung up: the engine releases it. After a takeover it only ends the
// lease: what the owner before has done is not known, and the next one is to hear of it.
bool FenceChecker::let_go(const ClaimId& id) {
    Key& key = keys_[id];
    if (!key.row || key.row->state != ClaimState::owned || key.hung_up == 0) {
        return false;
    }
    const auto hold = key.holds.find(key.row->token);
    if (hold == key.holds.end() || hold->second.told || hold->second.let_go) {
        return false;
    }
    const bool is_lost = !holds_source(*key.row) || is_outrun(*key.row);
    if (hold->second.takeover && is_lost) {
        return false;
    }
    hold->second.let_go = true;
    context_.trace.line("{} is let go", name(id));
    context_.sometimes.hit(Sometimes::fence_let_go);
    Claim row = *key.row;
    if (hold->second.takeover) {
        row.effect->lease_until = now_;
        hold_source(row);
    } else {
        free_source(row);
        row = freed(row);
        row.effect->ended_by = EndedBy{.verb = FenceVerb::release, .content = {}};
    }
    put(id, std::move(row));
    return true;
}

// ---- rows ---------------------------------------------------------------------------------------

void FenceChecker::check_rows() {
    for (const auto& change : claims_of(*batch_)) {
        if (either(change).space == "fences") check_row(change);
    }
}

void FenceChecker::check_row(const Change<Claim>& change) {
    const ClaimId& id = either(change).id;
    Key& key = keys_[id];
    if (!change.before) key.made_by = commits_;
    const auto expected = [&] {
        // Upkeep writes what was true before.
        const bool is_pruned = !change.after || change.after->state == ClaimState::free;
        return is_pruned ? judged(id) : key.row;
    };
    if (!change.after && !expected()) {
        put(id, std::nullopt);
        before_.erase(id);
        return;
    }
    if (!change.after || !expected()) {
        fail_(Invariant::rows_fit,
              fmt::format("the row of {} is {}", name(id), change.after ? "there" : "gone"));
        return;
    }
    std::string wrong = difference(*expected(), *change.after);
    if (!wrong.empty() && let_go(id)) {
        wrong = difference(*expected(), *change.after);
    }
    if (!wrong.empty()) {
        fail_(Invariant::rows_fit, fmt::format("{} is not what was decided: {}", name(id), wrong));
        return;
    }
    if (is_kept_too_shortly(change, now_)) {
        fail_(Invariant::rows_fit, fmt::format("{} will be forgotten too early", name(id)));
        return;
    }
    const bool is_pruned = key.row->state != change.after->state;
    before_.erase(id);
    if (is_pruned) {
        put(id, change.after);
        before_.erase(id);
    }
    key.row = *change.after;
    key.past.push_back({commits_, batch_->process, context_.world.now(), key.row});
}

void FenceChecker::check_untouched() {
    for (const auto& [id, before] : before_) {
        const auto& row = keys_[id].row;
        if (before.has_value() != row.has_value() ||
            (before && !difference(*before, *row).empty())) {
            fail_(Invariant::answered_from_durable_row,
                  fmt::format("what was decided on {} is not in the commit", name(id)));
        }
    }
}

// ---- readers ------------------------------------------------------------------------------------

void FenceChecker::read(const std::string& tenant, const ClaimId& id,
                        const std::optional<Claim>& found) {
    const auto key = keys_.find(id);
    const bool is_there =
        key != keys_.end() && key->second.row && key->second.row->tenant == tenant;
    if (is_there != found.has_value()) {
        fail_(found ? Invariant::tenants_apart : Invariant::acknowledged_exists,
              fmt::format("{} is {} for a reader", name(id), found ? "there" : "not there"));
    } else if (found && !difference(*key->second.row, *found).empty()) {
        fail_(Invariant::receipts_equal,
              fmt::format("a reader is shown another {} of {}",
                          difference(*key->second.row, *found), name(id)));
    }
}

void FenceChecker::check_counted(const Counts& logged, bool is_exact) {
    for (const auto& [what, told] : told_) {
        const auto found = logged.find(what);
        const std::int64_t lines = found == logged.end() ? 0 : found->second;
        if (lines < told && (is_exact || !is_repeat(what.second))) {
            fail_(Invariant::decisions_counted,
                  fmt::format("{}: {} claims of fences were told {}, the log has {}", what.first,
                              told, to_string(what.second), lines));
        }
    }
}

}  // namespace semel::sim
