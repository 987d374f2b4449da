#include "sim/pass_checker.hpp"

#include <algorithm>
#include <charconv>

#include "engine/pass_holds.hpp"

namespace semel::sim {
namespace {

bool has_status(int status, std::initializer_list<int> list) {
    return std::find(list.begin(), list.end(), status) != list.end();
}

}  // namespace

// From the contract, and not from the gateway's own table.
PassEnd expected_end(int status, bool releases_5xx) {
    if (has_status(status, {502, 504})) return PassEnd::doubt;
    if (has_status(status, {400, 401, 403, 404, 408, 409, 422, 425, 429, 503})) {
        return PassEnd::release;
    }
    return status >= 500 && releases_5xx ? PassEnd::release : PassEnd::seal;
}

PassChecker::PassChecker(Context& context, Database& database)
    : context_(context), database_(database) {
    has_faults_ = std::ranges::any_of(
        kFaults, [&](const FaultName& fault) { return context.plan.faults.of(fault.fault) > 0; });
}

void PassChecker::fail(Invariant invariant, const std::string& message) {
    if (!violation_) {
        context_.trace.line("broken: {}: {}", name_of(invariant), message);
        violation_ = Violation{invariant, message};
    }
}

std::string PassChecker::name(const ClaimId& claim) {
    const auto [at, is_new] = names_.try_emplace(claim, static_cast<int>(names_.size()) + 1);
    return fmt::format("key {}", at->second);
}

std::string PassChecker::label(const Ask& ask) const {
    return fmt::format("request {}, asked as {}", ask.plan->number, &ask - asks_.data() + 1);
}

// ---- the store --------------------------------------------------------------------------------

std::shared_ptr<Batch> PassChecker::loaded(Time now, ProcessId process, int began_after) {
    auto batch = std::make_shared<Batch>();
    batch->now = now;
    batch->process = process;
    batch->began_after = began_after;
    return batch;
}

void PassChecker::abandoned(const std::shared_ptr<Batch>& batch) {
    is_disturbed_ = is_disturbed_ || batch != nullptr;
}

void PassChecker::process_crashed(ProcessId process) {
    is_disturbed_ = true;
    for (Ask& ask : asks_) {
        if (ask.process == process) ask.is_over = true;
    }
}

void PassChecker::landed(Time) {
    batch_->fate = Batch::Fate::landed;
    for (const auto& change : batch_->changes->claims) {
        const Claim& row = change.after ? *change.after : *change.before;
        if (row.space.starts_with("key.")) check_change(change);
    }
}

void PassChecker::check_change(const Change<Claim>& change) {
    const ClaimId& id = change.after ? change.after->id : change.before->id;
    Key& key = keys_[id];
    if (key.row != change.before) {
        fail(Invariant::rows_fit, name(id) + " is changed from what it is not");
    }
    if (change.after) {
        const Claim& after = *change.after;
        context_.trace.line("{} is {} with token {}", name(id), to_string(after.state),
                            to_int(after.token));
        if (key.row && after.token < key.row->token) {
            fail(Invariant::tokens_grow, name(id) + " gets a smaller token");
        }
        check_after(key, after);
    } else {
        context_.trace.line("{} is erased", name(id));
        check_erased(key);
    }
    key.row = change.after;
    key.past.push_back({.from = context_.world.now(),
                        .state = change.after ? change.after->state : ClaimState::free,
                        .hold = static_cast<int>(key.holds.size()) - 1});
}

void PassChecker::check_after(Key& key, const Claim& after) {
    const bool is_same_state =
        key.row && key.row->state == after.state && key.row->token == after.token;
    if (is_same_state && after.state != ClaimState::owned) {
        // Repeats are counted in the row.
        if (key.row->effect != after.effect || key.row->expires_at != after.expires_at) {
            fail(Invariant::pass_answers, name(after.id) + " is changed after its end");
        }
        return;
    }
    switch (after.state) {
        case ClaimState::owned: {
            const bool is_new = key.holds.empty() || key.holds.back().token != after.token;
            return is_new ? check_admitted(key, after) : check_owned(key, after);
        }
        case ClaimState::sealed: return check_sealed(key, after);
        case ClaimState::uncertain: return check_doubted(key, after);
        default: return check_freed(key, after);
    }
}

// ---- a new hold -------------------------------------------------------------------------------

// Whether its owner may have released it: nothing has left, or the upstream has executed nothing.
bool PassChecker::could_release(const Hold& hold) const {
    const Ask& ask = owner(hold);
    if (!hold.has_left) {
        return true;
    }
    return ask.answer &&
           expected_end(ask.answer->status, context_.plan.passes.releases_5xx) == PassEnd::release;
}

std::string PassChecker::why_not_new(const Key& key, Time now) const {
    if (key.holds.empty()) {
        return "";
    }
    const Hold& last = key.holds.back();
    const bool is_freed_by_operator =
        key.visits.contains(PassVisit::remove) || key.visits.contains(PassVisit::resolve_released);
    if (is_freed_by_operator) {
        return "";
    }
    switch (last.end) {
        case End::freed: return "";
        case End::sealed: return now >= last.remembered_until ? "" : "its answer is kept";
        case End::uncertain: return "its outcome is uncertain";
        case End::open: break;
    }
    return could_release(last) ? "" : "its request was sent, and has no outcome";
}

void PassChecker::check_admitted(Key& key, const Claim& after) {
    const auto by = asks_by_effect_.find(after.effect->pass->admitted_by);
    if (by == asks_by_effect_.end()) {
        return fail(Invariant::pass_sent_once, name(after.id) + " is owned by no request");
    }
    const Ask& ask = asks_[static_cast<std::size_t>(by->second)];
    if (ask.claim != after.id || ask.plan->tenant != after.tenant) {
        fail(Invariant::pass_principals, label(ask) + " owns a key that is not its own");
    }
    if (const std::string why = why_not_new(key, now()); !why.empty()) {
        fail(Invariant::pass_sent_once,
             fmt::format("{} is owned by {} although {}", name(after.id), label(ask), why));
    }
    if (after.effect->lease_until > add_clamped(now(), kPassLease)) {
        fail(Invariant::nothing_early, name(after.id) + " has a lease that is too long");
    }
    if (!key.holds.empty() && key.holds.back().end == End::open) key.holds.back().end = End::freed;
    context_.trace.line("{} is held by {}", name(after.id), label(ask));
    key.holds.push_back(
        {.token = after.token,
         .ask = by->second,
         .since = now(),
         .renewed = context_.world.now(),
         .remembered_until = add_clamped(after.created_at, context_.plan.passes.ttl)});
    ++decided_[{after.tenant, Decision::new_}];
    check_owned(key, after);
}

void PassChecker::check_owned(Key& key, const Claim& after) {
    Hold& hold = key.holds.back();
    if (hold.end != End::open) {
        fail(Invariant::pass_sent_once, name(after.id) + " is owned again by who had ended it");
    }
    hold.is_dispatched = after.effect->pass->dispatched_at.has_value();
    hold.renewed = context_.world.now();
}

// ---- its end ----------------------------------------------------------------------------------

bool PassChecker::may_seal(const Hold& hold) const {
    const Ask& ask = owner(hold);
    return hold.has_left && ask.answer &&
           expected_end(ask.answer->status, context_.plan.passes.releases_5xx) == PassEnd::seal;
}

const std::string* PassChecker::body_written(const Uuid& response) const {
    for (const ResponseChange& change : batch_->changes->responses) {
        if (change.verb == ResponseVerb::write && change.id == response && change.body) {
            return change.body.get();
        }
    }
    return nullptr;
}

void PassChecker::check_sealed(Key& key, const Claim& after) {
    if (key.holds.empty()) {
        return fail(Invariant::pass_answers, name(after.id) + " is sealed without a hold");
    }
    Hold& hold = key.holds.back();
    const bool by_operator =
        after.token != hold.token && key.visits.contains(PassVisit::resolve_sealed);
    if (hold.end == End::freed || hold.end == End::sealed ||
        (after.token != hold.token && !by_operator)) {
        return fail(Invariant::pass_answers, name(after.id) + " is sealed by who does not own it");
    }
    const KeptAnswer& kept = *after.effect->pass->answer;
    const std::string* body = kept.has_body ? body_written(kept.response) : nullptr;
    if (kept.has_body && body == nullptr) {
        return fail(Invariant::pass_answers, name(after.id) + " is sealed without its body");
    }
    hold.end = End::sealed;
    hold.by_operator = by_operator;
    if (now() >= hold.remembered_until) {
        hold.remembered_until = add_clamped(now(), context_.plan.passes.ttl);
    }
    hold.kept.reset();
    if (kept.has_body) {
        SentAnswer& told = hold.kept.emplace();
        told.status = kept.status;
        for (const AnswerHeader& one : kept.headers) told.headers.push_back({one.name, one.value});
        told.body = *body;
    }
    if (by_operator) {
        context_.sometimes.hit(Sometimes::pass_resolved_as_sealed);
        return;
    }
    const Ask& ask = owner(hold);
    if (!may_seal(hold)) {
        const bool has_answer = ask.answer.has_value();
        return fail(has_answer ? Invariant::pass_refusals : Invariant::pass_doubts,
                    fmt::format("{} is sealed by {}, whose {}", name(after.id), label(ask),
                                has_answer ? "answer does not seal" : "answer is not whole"));
    }
    const bool fits = ask.answer->body.size() <= kPassBodyMax;
    if (kept.status != ask.answer->status || kept.has_body != fits ||
        (fits && *body != ask.answer->body)) {
        fail(Invariant::pass_answers, name(after.id) + " keeps another answer than was given");
    }
    if (!fits) context_.sometimes.hit(Sometimes::pass_sealed_without_its_body);
}

void PassChecker::check_doubted(Key& key, const Claim& after) {
    if (key.holds.empty() || key.holds.back().token != after.token) {
        return fail(Invariant::pass_doubts, name(after.id) + " is doubted without a hold");
    }
    Hold& hold = key.holds.back();
    if (hold.end != End::open) {
        return fail(Invariant::pass_doubts, name(after.id) + " is doubted after its end");
    }
    hold.end = End::uncertain;
    if (!hold.is_dispatched) {
        fail(Invariant::pass_doubts, name(after.id) + " is uncertain, and nothing was sent");
    }
    const Ask& ask = owner(hold);
    const bool is_over = now() >= after.effect->lease_until;
    context_.sometimes.hit(is_over ? Sometimes::pass_doubted_at_its_lease_end
                                   : Sometimes::pass_doubted_by_its_owner);
    const bool has_outcome =
        ask.answer &&
        expected_end(ask.answer->status, context_.plan.passes.releases_5xx) != PassEnd::doubt;
    if (has_outcome && !is_over) {
        fail(Invariant::pass_doubts, name(after.id) + " is doubted although it has its answer");
    }
}

// An operator raises the token, an owner keeps it.
void PassChecker::check_freed(Key& key, const Claim& after) {
    if (key.holds.empty()) {
        return;
    }
    Hold& hold = key.holds.back();
    const bool by_operator =
        after.token != hold.token && (key.visits.contains(PassVisit::remove) ||
                                      key.visits.contains(PassVisit::resolve_released));
    const bool was_open = hold.end == End::open || hold.end == End::uncertain;
    if (was_open && !by_operator && !could_release(hold)) {
        fail(Invariant::pass_doubts,
             "a key is released although its request was sent, and has no "
             "outcome that says that nothing was done");
    }
    if (hold.end == End::sealed && !by_operator) {
        fail(Invariant::pass_answers, "a sealed key is freed by nobody");
    }
    if (by_operator) context_.sometimes.hit(Sometimes::pass_freed_by_an_operator);
    hold.end = End::freed;
    hold.by_operator = by_operator;
}

void PassChecker::check_erased(Key& key) {
    if (key.holds.empty()) {
        return;
    }
    Hold& hold = key.holds.back();
    if (hold.end == End::uncertain) {
        fail(Invariant::pass_doubts, "an uncertain key is forgotten");
    } else if (hold.end == End::sealed && now() < hold.remembered_until) {
        fail(Invariant::pass_answers, "a sealed key is forgotten before its time");
    } else if (hold.end == End::open && (hold.is_dispatched || hold.has_left)) {
        fail(Invariant::pass_doubts, "a key is forgotten whose request may have been sent");
    } else if (hold.end == End::open && owner(hold).is_calm) {
        fail(Invariant::pass_rest, "a key is held until its lease ends by who is not there");
    }
    hold.end = End::freed;
}

// ---- the upstream -----------------------------------------------------------------------------

void PassChecker::left(int number, const std::vector<net::Header>& headers) {
    Ask& ask = asks_[static_cast<std::size_t>(number)];
    const std::string* token_text = net::find_header(headers, "Semel-Token");
    std::int64_t token = 0;
    if (token_text != nullptr) {
        std::from_chars(token_text->data(), token_text->data() + token_text->size(), token);
    }
    context_.trace.line("{} leaves with token {}", label(ask), token);
    if (ask.has_left) {
        fail(Invariant::pass_sent_once, label(ask) + " is sent twice");
    }
    ask.has_left = true;
    Key& key = keys_[ask.claim];
    const auto hold = std::ranges::find_if(
        key.holds, [&](const Hold& one) { return to_int(one.token) == token; });
    if (hold == key.holds.end() || hold->ask != number) {
        return fail(Invariant::pass_dispatched, label(ask) + " is sent and owns nothing");
    }
    if (!hold->is_dispatched) {
        fail(Invariant::pass_dispatched, label(ask) + " is sent before that is committed");
    }
    if (context_.world.now() - hold->renewed >= kPassLease) {
        fail(Invariant::pass_dispatched, label(ask) + " is sent when its lease is over");
    }
    hold->has_left = true;
}

void PassChecker::executed(const PassRequestPlan& request) {
    const int effects = ++effects_[{request.tenant, request.caller, request.key}];
    if (effects > 1 && context_.plan.passes.honours_keys) {
        fail(Invariant::pass_effects,
             fmt::format("{} of {} has two effects at an upstream that honours keys", request.key,
                         request.tenant));
    }
    if (effects > 1) context_.sometimes.hit(Sometimes::pass_executed_again);
}

void PassChecker::answered_by_upstream(int number, const SentAnswer& answer) {
    asks_[static_cast<std::size_t>(number)].answer = answer;
}

void PassChecker::failed_at_upstream(int number, net::CallResult result) {
    asks_[static_cast<std::size_t>(number)].failure = result;
}

// ---- operators --------------------------------------------------------------------------------

void PassChecker::visited(const ClaimId& claim, const PassVisitPlan& visit) {
    context_.trace.line("operator: {} of {}", to_string(visit.what), name(claim));
    keys_[claim].visits.insert(visit.what);
}

}  // namespace semel::sim
