// Postponed: commands of a line that met rows of somebody else, until they are tried again.
//
// Mostly they are tried together, in ordinary batches that wait for nothing. Whoever tries like
// that may come too late each time, where others take a row again and again. So one of them at a
// time may wait for its rows, in a batch of its own; and because nothing else is decided meanwhile,
// that is rationed: what somebody holds for long costs a line about a tenth of its time.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "engine/task.hpp"

namespace semel {

// A task in a line.
struct LineEntry {
    std::unique_ptr<Task> task;
    std::chrono::nanoseconds since{0};
    std::chrono::nanoseconds again_at{0};   // while it is postponed
    std::chrono::nanoseconds first_try{0};  // that was in vain
    int tries = 0;                          // in vain
    int waits = 0;                          // tries in which it could wait for its rows
    bool alone = false;                     // it cannot be decided with others
};

class Postponed {
public:
    using Instant = std::chrono::nanoseconds;  // monotonic

    // After a try in vain.
    void add(LineEntry entry, Instant now);

    [[nodiscard]] bool empty() const { return entries_.empty(); }
    // Null: there are none.
    [[nodiscard]] std::optional<Instant> next_at() const;

    // One that is due and may wait for its rows, in a batch of its own.
    [[nodiscard]] std::optional<LineEntry> take_waiter(Instant now);
    // One that is due and cannot go with others.
    [[nodiscard]] std::optional<LineEntry> take_single(Instant now);
    // The others that are due, in order, until they are that large.
    [[nodiscard]] std::vector<LineEntry> take_due(Instant now, const TaskSize& most);

    // A waiter's try took that long.
    void waited_in_vain(std::chrono::nanoseconds time, Instant now);

private:
    using Entries = std::vector<LineEntry>;
    LineEntry take(Entries::iterator at);
    [[nodiscard]] Entries::iterator next_to_wait(Instant now);

    Entries entries_;        // in the order in which they came
    Instant waits_from_{0};  // nobody waits before
    bool is_others_turn_ = false;
};

}  // namespace semel
