// Observer: receives the engine's events, for metrics and logs. No member returns anything, so an
// observer cannot influence the engine.
//
// Errors: none.
// Threads: on_replay() and on_guard_skipped(): any, at the same time as the others. The rest: the
// engine's executor.
// Lifetime: outlives the engine. References are valid only during the call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "core/batch/changes.hpp"

namespace semel {

// The main store, or the separate store for fences.
enum class StoreRole { main, fences };

// A request of the gateway that its content guard answered, and that was not sent.
struct GuardAnswer {
    const Claim& guard;
    Time at;
    bool is_pending = false;  // the first request has no answer yet
    bool has_waited = false;  // for the first request
};

class Observer {
public:
    virtual ~Observer() = default;

    // A decision, after its commit. Repeats that ReceiptCache answers are reported to on_replay().
    virtual void on_decision(const DecisionEntry&) {}
    // A request was answered with a sealed receipt from memory, so no commit reports it. Runs on
    // the caller's thread.
    virtual void on_replay() {}
    // An entry of the decision log: a decision that is no repeat, or a sum of repeats.
    virtual void on_decision_line(const DecisionEntry&) {}
    virtual void on_guard_answer(const GuardAnswer&) {}
    // A route's guard compares fields, and the body of a request was no JSON object.
    virtual void on_guard_skipped(std::string_view /*route*/) {}
    // The store is unavailable. A request of this route was sent without claims, or its answer left
    // without being stored, because the route says `fail_mode: open`.
    virtual void on_open(std::string_view /*route*/) {}
    virtual void on_commit(StoreRole, std::size_t /*commands*/, double /*seconds*/) {}
    virtual void on_committed(StoreRole, const Changes&) {}
    virtual void on_started(const Job&, Millis /*lag*/) {}
    virtual void on_stale_token() {}
    virtual void on_rescued(int /*count*/) {}
    virtual void on_store_error(StoreRole, const Error&) {}
    // Decisions missing from the decision log, because the main store could not store them.
    virtual void on_unlogged(std::int64_t /*decisions*/) {}
};

}  // namespace semel
