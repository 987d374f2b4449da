// The invariants that a run is checked against, by their numbers in the proof plan.
#pragma once

#include <string>
#include <string_view>

namespace semel::sim {

enum class Invariant {
    one_owner,
    sealed_once,
    acknowledged_exists,
    answered_from_durable_row,
    finished_at_rest,
    one_row_per_request,
    groups_disjoint,
    tokens_grow,
    current_token,
    one_terminal_call,
    terminal_absorbs,
    chain_steps,
    blockers,
    slots,
    one_occurrence,
    receipts_equal,
    conflicts,
    versions,
    equal_keys,
    attempts_counted,
    backoff_kept,
    last_payload,
    store_time,
    nothing_early,
    decisions_counted,
    tenants_apart,
    live,
    bulk_runs,
    uncertain_stays,
    outbox_once,
    outbox_order,
    outbox_result,
    pass_effects,
    pass_sent_once,
    pass_dispatched,
    pass_answers,
    pass_principals,
    pass_sealed_first,
    pass_doubts,
    pass_rest,
    pass_refusals,
    pass_counts,
    rows_fit,
    assertion,
};

struct InvariantName {
    Invariant invariant;
    std::string_view name;
};

inline constexpr InvariantName kInvariants[] = {
    {Invariant::one_owner, "1: one owner of a key inside its window"},
    {Invariant::sealed_once, "1: at most one completion"},
    {Invariant::acknowledged_exists, "2: what was acknowledged exists until its retention"},
    {Invariant::answered_from_durable_row, "2: nothing is answered before it is committed"},
    {Invariant::finished_at_rest, "2: at rest everything is finished"},
    {Invariant::one_row_per_request, "3: one request leaves at most one row"},
    {Invariant::groups_disjoint, "4: one member of a lock group runs"},
    {Invariant::tokens_grow, "4: tokens grow, and a takeover raises them"},
    {Invariant::current_token, "5: calls count with the current token only"},
    {Invariant::one_terminal_call, "5: one terminal call per token; its repeat answers the same"},
    {Invariant::terminal_absorbs, "6: terminal states absorb"},
    {Invariant::chain_steps, "7: each step of a chain is made once, by what completed"},
    {Invariant::blockers, "8: a blocked job is released once, by its last blocker"},
    {Invariant::slots, "9: slots are those of the rule, each once, none left out"},
    {Invariant::one_occurrence, "9: one occurrence at a time, held while paused, then the next"},
    {Invariant::receipts_equal, "10: replays are equal byte for byte"},
    {Invariant::conflicts, "11: a conflict is said of other content alone, and changes nothing"},
    {Invariant::versions, "12: nothing below the highest sealed version of its source is new"},
    {Invariant::equal_keys, "13: duplicates have equal keys"},
    {Invariant::attempts_counted, "14: attempts are counted before they run, up to their number"},
    {Invariant::backoff_kept, "14: after a failure the backoff is waited for"},
    {Invariant::last_payload, "15: the last acknowledged payload is executed, and last"},
    {Invariant::store_time, "16: store time runs with the steady clock, never back"},
    {Invariant::nothing_early, "16: nothing starts early, no lease ends early"},
    {Invariant::decisions_counted, "17: decisions are equal in answers, log and metrics"},
    {Invariant::tenants_apart, "18: tenants never meet"},
    {Invariant::live, "19: when faults stop, due work is done and nothing is held by the dead"},
    {Invariant::bulk_runs, "bulk: a run ends, counts what it did, and acts on what matches"},
    {Invariant::uncertain_stays, "uncertain: it stays so until somebody has found out"},
    {Invariant::outbox_once, "outbox: what is committed is decided once, and nothing else is"},
    {Invariant::outbox_order, "outbox: entries of one key are decided in order"},
    {Invariant::outbox_result,
     "outbox: a committed result ends its attempt, and nothing else does"},
    {Invariant::pass_effects, "E1: an upstream that honours keys has one effect per key"},
    {Invariant::pass_sent_once, "E2: a request is sent once per hold, and a hold follows its end"},
    {Invariant::pass_dispatched, "E3: nothing leaves without a committed dispatch in its lease"},
    {Invariant::pass_answers, "E4: duplicates are told the bytes that the first was told"},
    {Invariant::pass_principals, "E5: no bytes for another principal or tenant"},
    {Invariant::pass_sealed_first, "E6: an answer leaves after its seal"},
    {Invariant::pass_doubts, "E8: what was sent without an outcome is uncertain until resolved"},
    {Invariant::pass_rest, "E9: at rest nobody holds a key, and waits end in time"},
    {Invariant::pass_refusals, "E10: a conflict, a hang-up and a refusal change nothing"},
    {Invariant::pass_counts, "E11: decisions are equal in answers and log"},
    {Invariant::rows_fit, "rows: places, groups, claims and relations fit together"},
    {Invariant::assertion, "assertion: the engine stopped itself"},
};

[[nodiscard]] constexpr std::string_view name_of(Invariant invariant) {
    return kInvariants[static_cast<std::size_t>(invariant)].name;
}

struct Violation {
    Invariant invariant = Invariant::assertion;
    std::string message;
};

}  // namespace semel::sim
