// What the calls of a fence's owner, and of operators, may be told, and what they do.
#include <algorithm>

#include "core/fences/fence.hpp"
#include "sim/fence_checker.hpp"

namespace semel::sim {
namespace {

// What a call says: its repeat says the same.
std::string words_of(const FenceCall& call) {
    return fmt::format("{} {} {} {}", to_string(call.verb), call.effect_id,
                       call.receipt.value_or("null"), call.reason);
}
std::string words_of(const ResolveClaim& command) {
    return fmt::format("{} {} {}", to_string(command.outcome), command.effect_id,
                       command.receipt.value_or("null"));
}

std::string_view word_of(FenceVerdict verdict) {
    switch (verdict) {
        case FenceVerdict::not_found: return "not_found";
        case FenceVerdict::stale_token: return "stale_token";
        case FenceVerdict::wrong_state: return "wrong_state";
        case FenceVerdict::conflict: return "conflict";
        case FenceVerdict::same: return "the same again";
        case FenceVerdict::accepted: return "accepted";
    }
    return "";
}
std::string_view word_of(const std::optional<FenceVerdict>& verdict) {
    return verdict ? word_of(*verdict) : "not there yet";
}

// Nothing: a refusal that no call should get.
std::optional<FenceVerdict> verdict_of(const Problem& problem) {
    switch (problem.code) {
        case ProblemCode::not_found: return FenceVerdict::not_found;
        case ProblemCode::stale_token: return FenceVerdict::stale_token;
        case ProblemCode::wrong_state: return FenceVerdict::wrong_state;
        case ProblemCode::conflict: return FenceVerdict::conflict;
        default: return std::nullopt;
    }
}

Invariant broken_without(FenceVerdict expected) {
    switch (expected) {
        case FenceVerdict::not_found: return Invariant::tenants_apart;
        case FenceVerdict::stale_token:
        case FenceVerdict::accepted: return Invariant::current_token;
        case FenceVerdict::conflict: return Invariant::conflicts;
        case FenceVerdict::wrong_state:
        case FenceVerdict::same: return Invariant::one_terminal_call;
    }
    return Invariant::current_token;
}

std::optional<Receipt> receipt_of(const std::optional<std::string>& body) {
    return body ? std::optional(Receipt{.status = 200, .body = *body}) : std::nullopt;
}

Claim sealed(Claim row, const std::string& effect_id, const std::optional<std::string>& receipt,
             Time now) {
    row.state = ClaimState::sealed;
    row.receipt = receipt_of(receipt);
    row.expires_at = now + row.effect->ttl;
    row.effect->id = effect_id;
    row.effect->sealed_at = now;
    row.effect->previous.reset();
    return row;
}

}  // namespace

// ---- what is right ------------------------------------------------------------------------------

// Whatever its time is: the call that ended it can be repeated until somebody claims the key.
const Claim* FenceChecker::ended_row(const ClaimId& id, const std::string& tenant) const {
    const auto key = keys_.find(id);
    if (key == keys_.end() || !key->second.row) {
        return nullptr;
    }
    const Claim& row = *key->second.row;
    return row.tenant == tenant && row.effect->ended_by ? &row : nullptr;
}

// Upkeep came in the same batch and before it: what ended it is known no more.
bool FenceChecker::was_pruned_before(const ClaimId& id, Verdict told) const {
    const auto key = keys_.find(id);
    if (key == keys_.end() || !key->second.row) {
        return false;
    }
    const auto& expires_at = key->second.row->expires_at;
    const bool may_be_pruned = expires_at && now_ >= *expires_at && is_changed(id);
    return may_be_pruned && told == (judged(id) ? Verdict::wrong_state : Verdict::not_found);
}

FenceChecker::Verdict FenceChecker::expect(const CallFence& command) const {
    const FenceCall& call = command.call;
    const Claim* ended = ended_row(call.claim, command.tenant);
    if (ended != nullptr && ended->token == call.token) {
        if (ended->effect->ended_by->verb != call.verb) {
            return Verdict::wrong_state;
        }
        const std::string& said = keys_.at(call.claim).said;
        return said == words_of(call) ? Verdict::same : Verdict::conflict;
    }
    const auto row = judged(call.claim);
    if (!row || row->tenant != command.tenant) {
        return Verdict::not_found;
    }
    if (row->token != call.token) {
        return Verdict::stale_token;
    }
    if (row->state != ClaimState::owned) {
        return Verdict::wrong_state;
    }
    const bool needs_source = call.verb == FenceVerb::seal || call.verb == FenceVerb::heartbeat;
    const bool is_lost = !holds_source(*row) || is_outrun(*row);
    return needs_source && is_lost ? Verdict::stale_token : Verdict::accepted;
}

FenceChecker::Verdict FenceChecker::expect(const ResolveClaim& command) const {
    const Claim* ended = ended_row(command.claim, command.tenant);
    if (ended != nullptr && ended->effect->ended_by->verb == FenceVerb::resolve) {
        const std::string& said = keys_.at(command.claim).said;
        return said == words_of(command) ? Verdict::same : Verdict::conflict;
    }
    const auto row = judged(command.claim);
    if (!row || row->tenant != command.tenant) {
        return Verdict::not_found;
    }
    return row->state == ClaimState::uncertain ? Verdict::accepted : Verdict::wrong_state;
}

FenceChecker::Verdict FenceChecker::expect(const DeleteClaim& command) const {
    const auto row = judged(command.claim);
    if (!row || row->tenant != command.tenant) {
        return Verdict::not_found;
    }
    return row->state == ClaimState::free ? Verdict::same : Verdict::accepted;
}

// Finds an order of this call and of what nobody's reply shows that explains what it was told.
template <typename Command>
std::optional<FenceChecker::Verdict> FenceChecker::settle(const Command& command, const ClaimId& id,
                                                          const Reply<Command>& reply) {
    const auto* problem = std::get_if<Problem>(&reply);
    const auto told = problem != nullptr ? verdict_of(*problem) : std::nullopt;
    const auto explains = [&](Verdict verdict) {
        const bool is_answer = verdict == Verdict::same || verdict == Verdict::accepted;
        if (problem != nullptr) {
            return told == verdict;
        }
        // Whoever operates raises the token: it shows who came before.
        const Token token = std::get<Claim>(reply).token;
        const auto came_before = [&](const Take& take) {
            return take.claim == id && take.token < token;
        };
        return is_answer && std::ranges::none_of(takes_, came_before);
    };
    Verdict verdict = expect(command);
    if (!explains(verdict) && told && was_pruned_before(id, *told)) {
        return told;
    }
    while (!explains(verdict) && advance(id)) verdict = expect(command);
    if (explains(verdict)) {
        return verdict;
    }
    // It was not there yet when this batch was loaded.
    const bool was_absent = told == Verdict::not_found && keys_[id].made_by > batch_->began_after;
    if (!was_absent) {
        fail_(broken_without(verdict),
              fmt::format("a call on {} was told {}, and should be told {}", name(id),
                          problem != nullptr ? to_string(problem->code) : "that it counts",
                          word_of(verdict)));
    }
    return std::nullopt;
}

// ---- owners -------------------------------------------------------------------------------------

void FenceChecker::check(const DecidedFence<CallFence>& decided) {
    const FenceCall& call = decided.command.call;
    const auto verdict = settle(decided.command, call.claim, decided.reply);
    context_.trace.line("{}: {} with token {}: {}", name(call.claim), to_string(call.verb),
                        to_int(call.token), word_of(verdict));
    if (!verdict) {
        return;
    }
    count(call, *verdict);
    if (*verdict == Verdict::same) {
        check_same(*keys_.at(call.claim).row, std::get<Claim>(decided.reply));
    } else if (*verdict == Verdict::accepted) {
        check_accepted(call, std::get<Claim>(decided.reply));
    }
}

void FenceChecker::count(const FenceCall& call, Verdict verdict) {
    const auto hit = [&](Sometimes path) { context_.sometimes.hit(path); };
    const auto row = judged(call.claim);
    if (verdict == Verdict::not_found && row) hit(Sometimes::fence_foreign_call_refused);
    if (verdict == Verdict::same) hit(Sometimes::fence_call_repeated);
    if (verdict == Verdict::conflict) hit(Sometimes::fence_call_contradicted);
    if (verdict == Verdict::stale_token && call.verb == FenceVerb::seal) {
        hit(row->token == call.token && row->state == ClaimState::owned
                ? Sometimes::fence_seal_lost_its_source
                : Sometimes::fence_late_seal_refused);
    }
    if (verdict == Verdict::accepted && call.verb == FenceVerb::seal &&
        now_ >= row->effect->lease_until) {
        hit(Sometimes::fence_sealed_after_its_lease);
    }
    if (verdict != Verdict::stale_token && ++words_[call.claim] == 2) {
        hit(Sometimes::fence_called_twice_in_one_commit);
    }
}

void FenceChecker::check_same(const Claim& row, const Claim& answer) {
    const std::string wrong = difference(row, answer);
    if (!wrong.empty()) {
        fail_(Invariant::one_terminal_call,
              fmt::format("the repeat of a call on {} is told another {}", name(answer.id), wrong));
    }
}

void FenceChecker::check_accepted(const FenceCall& call, const Claim& answer) {
    Claim row = *judged(call.claim);
    switch (call.verb) {
        case FenceVerb::heartbeat:
            row.effect->lease_until =
                call.lease ? now_ + *call.lease
                           : std::max(row.effect->lease_until, now_ + row.effect->lease);
            hold_source(row);
            break;
        case FenceVerb::seal:
            seal_source(row, true);
            row = sealed(row, call.effect_id, call.receipt, now_);
            break;
        case FenceVerb::release:
            free_source(row);
            row = freed(row);
            break;
        case FenceVerb::uncertain:
            row.state = ClaimState::uncertain;
            row.expires_at.reset();
            break;
        case FenceVerb::resolve: return;
    }
    if (call.verb != FenceVerb::heartbeat) {
        row.effect->ended_by = EndedBy{.verb = call.verb, .content = {}};
        keys_[call.claim].said = words_of(call);
    }
    const std::string wrong = difference(row, answer);
    if (!wrong.empty()) {
        fail_(Invariant::rows_fit, fmt::format("a call on {} leaves another {} than it should",
                                               name(call.claim), wrong));
    }
    put(call.claim, std::move(row));
}

// ---- operators ----------------------------------------------------------------------------------

void FenceChecker::check(const DecidedFence<ResolveClaim>& decided) {
    const ResolveClaim& command = decided.command;
    const auto verdict = settle(command, command.claim, decided.reply);
    context_.trace.line("{}: resolve as {}: {}", name(command.claim), to_string(command.outcome),
                        word_of(verdict));
    if (!verdict || std::holds_alternative<Problem>(decided.reply)) {
        return;
    }
    const Claim& answer = std::get<Claim>(decided.reply);
    if (*verdict == Verdict::same) {
        check_same(*keys_.at(command.claim).row, answer);
        return;
    }
    Claim row = *judged(command.claim);
    if (command.outcome == ClaimOutcome::sealed) {
        context_.sometimes.hit(Sometimes::fence_resolved_as_sealed);
        take_lower_versions(row);
        seal_source(row, false);
        row = sealed(row, command.effect_id, command.receipt, now_);
    } else {
        context_.sometimes.hit(Sometimes::fence_resolved_as_released);
        free_source(row);
        row = freed(row);
    }
    if (answer.token <= row.token) {
        fail_(Invariant::tokens_grow,
              fmt::format("resolving {} keeps its token", name(command.claim)));
    }
    row.token = answer.token;
    row.effect->ended_by = EndedBy{.verb = FenceVerb::resolve, .content = {}};
    keys_[command.claim].said = words_of(command);
    const std::string wrong = difference(row, answer);
    if (!wrong.empty()) {
        fail_(Invariant::rows_fit, fmt::format("resolving {} leaves another {} than it should",
                                               name(command.claim), wrong));
    }
    put(command.claim, std::move(row));
}

void FenceChecker::check(const DecidedFence<DeleteClaim>& decided) {
    const ClaimId& id = decided.command.claim;
    const auto verdict = settle(decided.command, id, decided.reply);
    context_.trace.line("{}: delete: {}", name(id), word_of(verdict));
    if (!verdict || std::holds_alternative<Problem>(decided.reply)) {
        return;
    }
    const Claim& answer = std::get<Claim>(decided.reply);
    if (*verdict == Verdict::same) {
        check_same(*judged(id), answer);
        return;
    }
    Claim row = *judged(id);
    if (row.state == ClaimState::owned) context_.sometimes.hit(Sometimes::fence_deleted_from_owner);
    if (answer.token <= row.token) {
        fail_(Invariant::tokens_grow, fmt::format("deleting {} keeps its token", name(id)));
    }
    free_source(row);
    row = freed(row);
    row.token = answer.token;
    const std::string wrong = difference(row, answer);
    if (!wrong.empty()) {
        fail_(Invariant::rows_fit,
              fmt::format("deleting {} leaves another {} than it should", name(id), wrong));
    }
    put(id, std::move(row));
}

}  // namespace semel::sim
