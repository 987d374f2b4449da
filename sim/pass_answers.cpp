// What clients of the gateway may be told.
#include <algorithm>

#include "sim/pass_checker.hpp"

namespace semel::sim {
namespace {

// Whoever asks later than this after the faults has no excuse to wait for.
constexpr Millis kSettling = std::chrono::seconds(30);
// Beyond its patience, or beyond the end of what it waits for.
constexpr Millis kWaitAllowance = std::chrono::seconds(1);
constexpr Millis kWakeAllowance = std::chrono::seconds(3);
// Of a network and a store that are slow.
constexpr Millis kSlowness = std::chrono::seconds(1);
// Store time may run slower than the steady clock, by this part, after a step of the wall clock.
constexpr int kSlewed = 10;

bool has(const SentAnswer& told, std::string_view header) {
    return net::find_header(told.headers, header) != nullptr;
}

// The member `code` of a problem, or an empty text.
std::string_view code_of(const SentAnswer& told) {
    constexpr std::string_view kCode = "\"code\":\"";
    const std::size_t at = told.body.find(kCode);
    if (at == std::string::npos) {
        return "";
    }
    const std::string_view rest = std::string_view(told.body).substr(at + kCode.size());
    return rest.substr(0, rest.find('"'));
}

}  // namespace

int PassChecker::asked(const PassRequestPlan& plan, const ClaimId& claim, const Uuid& effect,
                       ProcessId process) {
    const int number = static_cast<int>(asks_.size());
    const Micros at = context_.world.now();
    asks_.push_back({.plan = &plan,
                     .claim = claim,
                     .effect = effect,
                     .process = process,
                     .at = at,
                     .stored_at = database_.now(),
                     .is_calm = !has_faults_ || at >= context_.plan.duration + kSettling});
    asks_by_effect_.emplace(effect, number);
    context_.trace.line("{} wants {} from process {}", label(asks_.back()), name(claim), process);
    return number;
}

void PassChecker::hung_up(int number) {
    Ask& ask = asks_[static_cast<std::size_t>(number)];
    if (!ask.is_over) {
        context_.trace.line("{} hangs up", label(ask));
        ask.hung_up = true;
    }
}

const PassChecker::Hold* PassChecker::hold_of(const Ask& ask) {
    const Key& key = keys_[ask.claim];
    const auto hold =
        std::ranges::find_if(key.holds, [&](const Hold& one) { return &owner(one) == &ask; });
    return hold == key.holds.end() ? nullptr : &*hold;
}

// An operator may have deleted a hold with the commit that made it.
bool PassChecker::may_have_been_held(const Ask& ask) {
    const Key& key = keys_[ask.claim];
    return key.visits.contains(PassVisit::remove) &&
           std::ranges::any_of(key.past, [&](const Moment& moment) {
               return moment.from >= ask.at && moment.state == ClaimState::free;
           });
}

bool PassChecker::was(const Ask& ask, const Says& says) {
    const Key& key = keys_[ask.claim];
    for (std::size_t i = 0; i < key.past.size(); ++i) {
        const bool is_past = i + 1 < key.past.size() && key.past[i + 1].from < ask.at;
        const Moment& moment = key.past[i];
        if (!is_past && moment.hold >= 0 &&
            says(moment, key.holds[static_cast<std::size_t>(moment.hold)])) {
            return true;
        }
    }
    return false;
}

// ---- one answer -------------------------------------------------------------------------------

void PassChecker::answered(int number, const SentAnswer& told) {
    Ask& ask = asks_[static_cast<std::size_t>(number)];
    const std::string_view code = code_of(told);
    const bool is_replay = has(told, "Idempotent-Replayed");
    context_.trace.line("{} is told {} {}", label(ask), told.status, is_replay ? "again" : code);
    if (std::exchange(ask.is_over, true)) {
        return fail(Invariant::pass_refusals, label(ask) + " is answered twice");
    }
    if (is_replay) {
        check_replay(ask, told);
    } else if (has(told, kFromUpstream)) {
        check_upstreams_answer(ask, told);
    } else {
        check_problem(ask, told, code);
    }
}

// Every answer of an execution names whose it is.
void PassChecker::check_whose(const Ask& ask, const SentAnswer& told) {
    const std::string whose =
        fmt::format(R"("tenant":"{}","caller":{},)", ask.plan->tenant, ask.plan->caller);
    const bool names_one = told.body.find("\"caller\":") != std::string::npos;
    if (names_one && told.body.find(whose) == std::string::npos) {
        fail(Invariant::pass_principals, label(ask) + " is told another caller's answer");
    }
}

void PassChecker::check_upstreams_answer(const Ask& ask, const SentAnswer& told) {
    check_whose(ask, told);
    if (!ask.answer || ask.answer->status != told.status || ask.answer->body != told.body) {
        return fail(Invariant::pass_answers,
                    label(ask) + " is told what the upstream did not answer");
    }
    const Hold* hold = hold_of(ask);
    const bool is_stale = has(told, "Semel-Stale");
    if (is_stale) context_.sometimes.hit(Sometimes::pass_told_that_it_is_stale);
    if (hold == nullptr || (hold->end == End::open && !is_stale)) {
        fail(Invariant::pass_sealed_first,
             label(ask) + " is told its answer before its key is settled");
    }
    const bool is_doubtful =
        expected_end(told.status, context_.plan.passes.releases_5xx) == PassEnd::doubt;
    if (is_doubtful != has(told, "Semel-Uncertain")) {
        fail(Invariant::pass_doubts, label(ask) + " is told wrongly whether it is in doubt");
    }
}

void PassChecker::check_replay(const Ask& ask, const SentAnswer& told) {
    context_.sometimes.hit(Sometimes::pass_replayed);
    ++decided_[{ask.plan->tenant, Decision::duplicate}];
    check_whose(ask, told);
    if (ask.has_left || hold_of(ask) != nullptr) {
        fail(Invariant::pass_refusals, label(ask) + " is a duplicate, and had its key");
    }
    bool is_other_content = false;
    const bool is_right = was(ask, [&](const Moment& moment, const Hold& hold) {
        const bool is_answer = moment.state == ClaimState::sealed && hold.kept &&
                               hold.kept->status == told.status && hold.kept->body == told.body &&
                               ask.stored_at < hold.remembered_until;
        const bool is_same = owner(hold).plan->content == ask.plan->content &&
                             owner(hold).plan->query == ask.plan->query;
        is_other_content = is_other_content || (is_answer && !is_same);
        return is_answer && is_same;
    });
    if (!is_right) {
        fail(Invariant::pass_answers,
             label(ask) + (is_other_content ? " is told the answer to another request"
                                            : " is told what nobody was told first"));
    }
    check_woken(ask);
}

// ---- the gateway's own answers ----------------------------------------------------------------

void PassChecker::check_problem(const Ask& ask, const SentAnswer& told, std::string_view code) {
    const bool is_doubt = code == "uncertain" && told.status != 409;
    if (is_doubt != ask.has_left) {
        return fail(ask.has_left ? Invariant::pass_doubts : Invariant::pass_refusals,
                    fmt::format("{} was {}sent, and is told {} {}", label(ask),
                                ask.has_left ? "" : "not ", told.status, code));
    }
    bool is_right = true;
    if (code == "key_reused") {
        is_right = may_be_refused_for_content(ask);
    } else if (code == "in_progress") {
        is_right = may_be_in_progress(ask);
        check_wait(ask);
    } else if (code == "uncertain" && !is_doubt) {
        is_right = may_be_uncertain(ask);
    } else if (code == "response_not_retained") {
        check_not_retained(ask);
    } else if (code == "invalid") {
        context_.sometimes.hit(Sometimes::pass_hung_up_while_it_waited);
        is_right = ask.hung_up;
    }
    if (!is_right && !may_have_been_held(ask)) {
        fail(Invariant::pass_refusals,
             fmt::format("{} is told {} {}, and never was that so", label(ask), told.status, code));
    }
}

bool PassChecker::may_be_refused_for_content(const Ask& ask) {
    context_.sometimes.hit(Sometimes::pass_content_refused);
    ++decided_[{ask.plan->tenant, Decision::conflict}];
    return hold_of(ask) == nullptr && was(ask, [&](const Moment& moment, const Hold& hold) {
               const PassRequestPlan& first = *owner(hold).plan;
               return (moment.state == ClaimState::owned || moment.state == ClaimState::sealed) &&
                      (first.content != ask.plan->content || first.query != ask.plan->query);
           });
}

// One that has lost its hold is told so too.
bool PassChecker::may_be_in_progress(const Ask& ask) {
    context_.sometimes.hit(Sometimes::pass_wait_ran_out);
    const Hold* own = hold_of(ask);
    return (own != nullptr && own->end != End::open) ||
           was(ask, [&](const Moment& moment, const Hold& hold) {
               return moment.state == ClaimState::owned && &owner(hold) != &ask;
           });
}

// Nobody may have written yet that the lease of what was sent is over.
bool PassChecker::may_be_uncertain(const Ask& ask) {
    context_.sometimes.hit(Sometimes::pass_uncertain_refused);
    return was(ask, [&](const Moment& moment, const Hold& hold) {
        return &owner(hold) != &ask && (moment.state == ClaimState::uncertain ||
                                        (moment.state == ClaimState::owned && hold.is_dispatched));
    });
}

// The answer was too large, or its body was deleted since.
void PassChecker::check_not_retained(const Ask& ask) {
    context_.sometimes.hit(Sometimes::pass_answer_not_retained);
    const bool is_deleted = keys_[ask.claim].visits.contains(PassVisit::remove);
    const bool is_right = was(ask, [&](const Moment& moment, const Hold& hold) {
        return moment.state == ClaimState::sealed &&
               (!hold.kept || is_deleted || database_.now() >= hold.remembered_until);
    });
    if (!is_right) {
        fail(Invariant::pass_answers, label(ask) + " is told that its answer was not kept");
    }
}

void PassChecker::check_wait(const Ask& ask) {
    const Micros waited = context_.world.now() - ask.at;
    if (ask.is_calm && hold_of(ask) == nullptr &&
        waited - waited / kSlewed > context_.plan.passes.wait + kWaitAllowance + kSlowness) {
        fail(Invariant::pass_rest, label(ask) + " waits longer than it wants to");
    }
}

void PassChecker::check_woken(const Ask& ask) {
    const Micros sealed_at = keys_[ask.claim].past.back().from;
    if (ask.is_calm &&
        context_.world.now() - std::max(ask.at, sealed_at) > kWakeAllowance + kSlowness) {
        fail(Invariant::pass_rest, label(ask) + " waits on although its answer is there");
    }
}

}  // namespace semel::sim
