// Observer: what the engine tells about itself, for metrics and logs. A pure sink: nothing it does
// comes back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "core/changes.hpp"

namespace semel {

// Which of a node's stores: the one with everything, or the one that has fences alone.
enum class StoreRole { main, fences };

class Observer {
public:
    virtual ~Observer() = default;

    // Every decision, when it is committed; but see on_replay.
    virtual void on_decision(const DecisionEntry&) {}
    // A request was told a sealed receipt from memory: a duplicate of a fence that no commit
    // brings. On the thread of whoever asked; the others are called by the engine alone.
    virtual void on_replay() {}
    // A line for the log: each decision that is not a repeat, and sums of repeats.
    virtual void on_decision_line(const DecisionEntry&) {}
    virtual void on_commit(StoreRole, std::size_t /*commands*/, double /*seconds*/) {}
    virtual void on_committed(StoreRole, const Changes&) {}
    virtual void on_started(const Job&, Millis /*lag*/) {}
    virtual void on_stale_token() {}
    virtual void on_rescued(int /*count*/) {}
    virtual void on_store_error(StoreRole, const Error&) {}
    // Decisions that stand in no line of the log, because the main store could not take it.
    virtual void on_unlogged(std::int64_t /*decisions*/) {}
};

}  // namespace semel
