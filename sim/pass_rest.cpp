// What must be true of the gateway's requests when faults have stopped.
#include <algorithm>

#include "sim/pass_checker.hpp"

namespace semel::sim {

bool PassChecker::anyone_holds() const {
    return std::ranges::any_of(keys_, [](const auto& entry) {
        return entry.second.row && entry.second.row->state == ClaimState::owned;
    });
}

bool PassChecker::all_finished() const {
    return !anyone_holds() &&
           std::ranges::all_of(asks_, [](const Ask& ask) { return ask.is_over; });
}

void PassChecker::check_rest(Store& store) {
    for (const auto& [id, key] : keys_) check_key_at_rest(id, key);
    for (const Ask& ask : asks_) {
        if (!ask.is_over) fail(Invariant::pass_rest, label(ask) + " is never answered");
    }
    check_counts(store);
}

void PassChecker::check_key_at_rest(const ClaimId& id, const Key& key) {
    if (database_.tables().claim(id) != key.row) {
        fail(Invariant::rows_fit, name(id) + " is not as it was committed");
    }
    if (key.row && key.row->state == ClaimState::owned) {
        fail(Invariant::pass_rest, name(id) + " is held by nobody");
    }
    for (const Hold& hold : key.holds) {
        const bool is_doubtful = hold.has_left && !owner(hold).answer && !hold.by_operator;
        if (is_doubtful && hold.end != End::uncertain) {
            fail(Invariant::pass_doubts,
                 fmt::format("{} was sent, has no outcome, and is not uncertain",
                             label(owner(hold))));
        }
    }
}

// Decisions are exact. Repeats are summed in memory: a crash loses a second of them. A client that
// has hung up is told nothing, and a crash loses answers.
void PassChecker::check_counts(Store& store) {
    std::map<std::pair<std::string, Decision>, std::int64_t> logged;
    for (const std::string& tenant : kTenants) {
        store.reads().list_decisions(tenant, std::nullopt, 1'000'000, [&](auto found) {
            for (const LoggedDecision& one : *found) {
                if (one.entry.surface == "gateway") {
                    logged[{tenant, one.entry.decision}] += one.entry.count;
                }
            }
        });
    }
    // An operator may have ended a hold with the commit that made it.
    const bool is_visited = !context_.plan.passes.visits.empty();
    for (const std::string& tenant : kTenants) {
        for (const Decision decision : {Decision::new_, Decision::conflict, Decision::duplicate}) {
            const std::pair key{tenant, decision};
            const bool is_excused = decision == Decision::duplicate && is_disturbed_;
            const bool is_short = logged[key] < decided_[key] && !is_excused;
            const bool is_long =
                decision == Decision::new_ && !is_visited && logged[key] > decided_[key];
            if (is_short || is_long) {
                fail(Invariant::pass_counts,
                     fmt::format("{}: {} decisions were {}, the log has {}", tenant, decided_[key],
                                 to_string(decision), logged[key]));
            }
        }
    }
}

}  // namespace semel::sim
