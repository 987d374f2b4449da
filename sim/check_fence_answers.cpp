// What those who ask for a fence may be told.
#include <algorithm>

#include "sim/fence_checker.hpp"

namespace semel::sim {
namespace {

// How long whoever waits may go on waiting when there is nothing to wait for.
constexpr Millis kWakeAllowance = std::chrono::seconds(2);

// How late a node may hear of what another one has done to a sealed claim.
constexpr Millis kHeardWithin = std::chrono::seconds(1);

bool differs(const Claim& row, const FenceRequest& request) {
    return row.fingerprint && request.fingerprint && *row.fingerprint != *request.fingerprint;
}

// The last one before, and all since.
template <typename Past, typename Says>
bool any_since(const std::vector<Past>& past, int commits, const Says& says) {
    auto from = std::ranges::find_if(past, [&](const Past& one) { return one.commit > commits; });
    if (from != past.begin()) --from;
    return std::any_of(from, past.end(), says);
}

}  // namespace

int FenceChecker::asked(const FenceClaimPlan& plan, const FenceRequest& request, Time now) {
    if (request.fingerprint) {
        const auto [content, is_new] = contents_.emplace(*request.fingerprint, *plan.content);
        const auto [print, is_first] = fingerprints_.emplace(*plan.content, *request.fingerprint);
        if (content->second != *plan.content || print->second != *request.fingerprint) {
            fail_(Invariant::equal_keys, "the fingerprint of a content is not its own");
        }
    }
    asks_[++last_ask_] = {request, plan.key.tenant, now, commits_, is_calm(), false};
    context_.trace.line("ask {}: {} wants {}", last_ask_, plan.number, name(request.claim));
    return last_ask_;
}

bool FenceChecker::hangs_up(int ask) {
    const auto at = asks_.find(ask);
    if (at == asks_.end()) {
        return false;
    }
    context_.trace.line("ask {} hangs up", ask);
    at->second.hung_up = true;
    ++keys_[at->second.request.claim].hung_up;
    return true;
}

void FenceChecker::answered(int number, const Result<Item<FenceAnswer>>& told,
                            const Teller& teller) {
    const auto asked = asks_.extract(number);
    const Ask& ask = asked.mapped();
    if (!told) {
        context_.trace.line("ask {} fails: {}", number, told.error().message());
        return;
    }
    if (ask.hung_up) {
        fail_(Invariant::answered_from_durable_row,
              fmt::format("ask {} is answered after it hung up", number));
        return;
    }
    if (const auto* problem = std::get_if<Problem>(&*told)) {
        context_.trace.line("ask {} is told {}", number, to_string(problem->code));
        check_refused(ask, *problem);
        return;
    }
    const auto& answer = std::get<FenceAnswer>(*told);
    context_.trace.line("ask {} is told {}", number, to_string(answer.decision));
    ++told_[{ask.tenant, answer.decision}];
    const Time now = teller.now;
    switch (answer.decision) {
        case Decision::new_: check_new(ask, answer); break;
        case Decision::duplicate: check_duplicate(ask, answer, teller); break;
        case Decision::in_flight: check_in_flight(ask, now); break;
        case Decision::stale: check_stale(ask, answer, now); break;
        default: fail_(Invariant::rows_fit, "a claim is told what no claim is told"); break;
    }
}

// ---- what the key was ---------------------------------------------------------------------------

bool FenceChecker::was(const Ask& ask, const Says& says) const {
    const auto key = keys_.find(ask.request.claim);
    return key != keys_.end() &&
           any_since(key->second.past, ask.commits,
                     [&](const Moment& moment) { return moment.row && says(*moment.row); });
}

bool FenceChecker::was_unclear(const Ask& ask) const {
    const auto key = keys_.find(ask.request.claim);
    return key != keys_.end() && any_since(key->second.past, ask.commits,
                                           [](const Moment& moment) { return moment.is_unclear; });
}

bool FenceChecker::was_to_be_had(const Ask& ask, Time now) const {
    const auto key = keys_.find(ask.request.claim);
    if (key == keys_.end() || key->second.past.empty() ||
        key->second.past.front().commit > ask.commits) {
        return true;
    }
    return any_since(key->second.past, ask.commits, [&](const Moment& moment) {
        if (!moment.row) {
            return true;
        }
        switch (moment.row->state) {
            case ClaimState::free: return true;
            case ClaimState::sealed: return *moment.row->expires_at <= now;
            case ClaimState::owned: return moment.row->effect->lease_until <= now;
            case ClaimState::uncertain: return false;
        }
        return false;
    });
}

bool FenceChecker::source_was(const Ask& ask,
                              const std::function<bool(const Versions&)>& says) const {
    const FenceRequest& request = ask.request;
    const auto source =
        sources_.find(SourceKey{ask.tenant, request.source_type, request.source_id});
    return request.version && source != sources_.end() &&
           any_since(source->second.past, ask.commits, says);
}

// ---- what it is told ----------------------------------------------------------------------------

void FenceChecker::check_refused(const Ask& ask, const Problem& problem) {
    const FenceRequest& request = ask.request;
    if (problem.code == ProblemCode::uncertain) {
        ++told_[{ask.tenant, Decision::uncertain}];
        context_.sometimes.hit(Sometimes::fence_uncertain_refused);
        if (!was(ask, [](const Claim& row) { return row.state == ClaimState::uncertain; })) {
            fail_(Invariant::uncertain_stays,
                  fmt::format("{} is called uncertain, and is not", name(request.claim)));
        }
        return;
    }
    ++told_[{ask.tenant, Decision::conflict}];
    context_.sometimes.hit(Sometimes::fence_content_refused);
    const bool was_other = was(ask, [&](const Claim& row) {
        const bool is_held = row.state == ClaimState::owned || row.state == ClaimState::sealed;
        return is_held && differs(row, request);
    });
    if (problem.code != ProblemCode::conflict || (!was_other && !was_unclear(ask))) {
        fail_(Invariant::conflicts, fmt::format("a claim of {} is refused as {}, without a reason",
                                                name(request.claim), to_string(problem.code)));
    }
}

void FenceChecker::check_new(const Ask& ask, const FenceAnswer& answer) {
    const FenceRequest& request = ask.request;
    Key& key = keys_[request.claim];
    const auto hold = key.holds.find(answer.claim->token);
    const std::string name = this->name(request.claim);
    if (hold == key.holds.end()) {
        fail_(Invariant::answered_from_durable_row,
              fmt::format("a claim of {} is told new, and no commit says so", name));
        return;
    }
    recorded(hold->second.commit);
    if (std::exchange(hold->second.told, true)) {
        fail_(Invariant::one_owner, fmt::format("two claims of {} are told new at once", name));
    }
    const Claim& row = *answer.claim;
    const Effect& effect = *row.effect;
    const bool is_asked = row.fingerprint == request.fingerprint &&
                          effect.version == request.version && effect.lease == request.lease &&
                          effect.ttl == request.ttl &&
                          effect.lease_until == row.created_at + request.lease;
    const std::string wrong =
        hold->second.is_known ? difference(hold->second.row, row) : std::string();
    if (!is_asked || !wrong.empty() || answer.takeover != hold->second.takeover) {
        fail_(Invariant::rows_fit,
              fmt::format("a claim of {} is told new with another {} than it asked for", name,
                          !is_asked       ? "content"
                          : wrong.empty() ? "takeover"
                                          : wrong));
    }
    if (request.wait > Millis(0) && row.created_at > ask.at) {
        if (hold->second.takeover) context_.sometimes.hit(Sometimes::fence_waiter_took_over);
        check_woken(ask, hold->second.since, row.created_at);
    }
}

// A node remembers what it was told until it hears of an end. What others do it may hear of a
// second late, and then it says nothing in the last second before the expiry.
bool FenceChecker::may_remember(const Ask& ask, const Claim& shown, const Teller& teller) const {
    const bool is_shared = context_.plan.is_shared();
    const auto key = keys_.find(ask.request.claim);
    if (key == keys_.end() || ask.at + (is_shared ? kHeardWithin : Millis(0)) >= shown.expires_at) {
        return false;
    }
    const auto says = [&](const Moment& moment) {
        return moment.row && moment.row->state == ClaimState::sealed &&
               difference(*moment.row, shown).empty();
    };
    const auto& past = key->second.past;
    const auto last = std::ranges::find_if(past.rbegin(), past.rend(), says);
    if (last == past.rend()) {
        return false;
    }
    const auto end = last.base();  // the first that says something else
    const bool was_heard = std::any_of(end, past.end(), [&](const Moment& moment) {
        return moment.process == teller.process && recorded_.contains(moment.commit);
    });
    if (end == past.end() || was_heard) {
        return !was_heard;
    }
    return is_shared ? context_.world.now() < end->at + kHeardWithin
                     : end->process == teller.process;
}

void FenceChecker::check_duplicate(const Ask& ask, const FenceAnswer& answer,
                                   const Teller& teller) {
    const Claim& shown = *answer.claim;
    const FenceRequest& request = ask.request;
    context_.sometimes.hit(Sometimes::fence_replayed);
    if (teller.from_memory) context_.sometimes.hit(Sometimes::fence_replayed_from_memory);
    const bool was_sealed = was(ask, [&](const Claim& row) {
        return row.state == ClaimState::sealed && ask.at < *row.expires_at &&
               difference(row, shown).empty();
    });
    if (teller.from_memory ? !may_remember(ask, shown, teller) : !was_sealed) {
        fail_(Invariant::receipts_equal,
              fmt::format("a claim of {} is told what was not sealed under it, or not now",
                          name(request.claim)));
    } else if (differs(shown, request)) {
        fail_(Invariant::conflicts, fmt::format("a claim of {} with other content gets its receipt",
                                                name(request.claim)));
    }
    // Another node has ended it, and this one has not heard of it yet.
    if (teller.from_memory && !was_sealed) {
        context_.sometimes.hit(Sometimes::fence_replayed_after_its_deletion);
    }
    if (shown.effect->sealed_at && *shown.effect->sealed_at > ask.at) {
        context_.sometimes.hit(Sometimes::fence_waiter_told_of_the_seal);
        check_woken(ask, *shown.effect->sealed_at, teller.now);
    }
}

void FenceChecker::check_in_flight(const Ask& ask, Time now) {
    const FenceRequest& request = ask.request;
    const bool was_owned = was_unclear(ask) || was(ask, [&](const Claim& row) {
                               return row.state == ClaimState::owned &&
                                      ask.at < row.effect->lease_until && !differs(row, request);
                           });
    const bool was_held = source_was(ask, [&](const Versions& source) {
        return source.holder && source.holder->claim != request.claim &&
               ask.at < source.holder->until;
    });
    if (!was_owned && was_held) context_.sometimes.hit(Sometimes::fence_source_was_held);
    if (!was_owned && !was_held) {
        fail_(Invariant::one_owner,
              fmt::format("{} is in flight, and nobody is at it", name(request.claim)));
    }
    if (request.wait > Millis(0)) {
        context_.sometimes.hit(Sometimes::fence_wait_ran_out);
        if (now < ask.at + request.wait) {
            fail_(Invariant::live, fmt::format("{} is in flight, and was waited for too shortly",
                                               name(request.claim)));
        }
        if (const auto since = open_since(request, ask.tenant, now)) check_woken(ask, *since, now);
    }
}

void FenceChecker::check_stale(const Ask& ask, const FenceAnswer& answer, Time now) {
    const FenceRequest& request = ask.request;
    context_.sometimes.hit(Sometimes::fence_version_stale);
    const bool is_right = source_was(ask, [&](const Versions& source) {
        return source.highest == answer.last_version && request.version < source.highest;
    });
    if (!is_right || !was_to_be_had(ask, now)) {
        fail_(Invariant::versions,
              fmt::format("{} is stale without a reason: version {} after {}", name(request.claim),
                          request.version.value_or(0), answer.last_version.value_or(0)));
    }
}

// ---- those who wait -----------------------------------------------------------------------------

std::optional<Time> FenceChecker::open_since(const FenceRequest& request, const std::string& tenant,
                                             Time now) const {
    const auto found = keys_.find(request.claim);
    Time since;
    if (found != keys_.end() && found->second.row) {
        const Claim& row = *found->second.row;
        since = found->second.changed_at;
        if (row.state == ClaimState::owned && now < row.effect->lease_until) {
            return std::nullopt;
        }
        if (row.state == ClaimState::owned) since = std::max(since, row.effect->lease_until);
        const bool has_expired = row.expires_at && now >= *row.expires_at;
        if (has_expired) since = std::max(since, *row.expires_at);
        const bool is_ended = row.state == ClaimState::sealed || row.state == ClaimState::uncertain;
        if (is_ended && !has_expired) {
            return since;
        }
    }
    const auto source = sources_.find(SourceKey{tenant, request.source_type, request.source_id});
    if (!request.version || source == sources_.end()) {
        return since;
    }
    since = std::max(since, source->second.changed_at);
    const auto& holder = source->second.holder;
    if (holder && holder->claim != request.claim) {
        if (now < holder->until) {
            return std::nullopt;
        }
        since = std::max(since, holder->until);
    }
    return since;
}

void FenceChecker::check_woken(const Ask& ask, Time could, Time now) {
    if (ask.is_calm && now > std::max(could, ask.at) + kWakeAllowance) {
        fail_(Invariant::live,
              fmt::format("who waits for {} is told {} ms late", name(ask.request.claim),
                          (now - std::max(could, ask.at)).count()));
    }
}

}  // namespace semel::sim
