// Postponed: the commands of a commit stream that met rows locked elsewhere, until their next try.
//
// Usually they are tried together, in ordinary batches that do not wait for locks. If other
// transactions lock the same row again and again, such a command can fail each time. So one command
// at a time may wait for its rows, in a separate batch. Nothing else is decided during that wait.
// After an unsuccessful wait no command waits for nine times as long: a row that stays locked costs
// the stream about a tenth of its time.
//
// Errors: none. CommitStream limits the time of the tries.
// Threads: the engine's executor.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "engine/rows_in_flight.hpp"
#include "engine/task.hpp"

namespace semel {

// A task in a commit stream.
struct PendingTask {
    std::unique_ptr<Task> task;
    RowsInFlight::Hold rows = {};           // empty if the ledger has one stream
    std::chrono::nanoseconds since{0};      // when it was submitted
    std::chrono::nanoseconds again_at{0};   // while it is postponed
    std::chrono::nanoseconds first_try{0};  // the first unsuccessful try
    int tries = 0;                          // unsuccessful tries
    int waits = 0;                          // tries in which it was allowed to wait for its rows
    bool alone = false;                     // it cannot be decided with others
};

class Postponed {
public:
    using Instant = std::chrono::nanoseconds;  // monotonic

    // Postpones an entry after an unsuccessful try. Pauses grow from 2 to 64 ms.
    void add(PendingTask entry, Instant now);

    [[nodiscard]] bool empty() const { return entries_.empty(); }
    // When the next entry is due, or nullopt without entries.
    [[nodiscard]] std::optional<Instant> next_at() const;

    // Removes and returns a due entry that may wait for its rows, in a separate batch. Never
    // returns entries in two consecutive calls, so that the other entries get a batch.
    [[nodiscard]] std::optional<PendingTask> take_waiter(Instant now);
    // Removes and returns a due entry that cannot be decided with others.
    [[nodiscard]] std::optional<PendingTask> take_single(Instant now);
    // Removes and returns the other due entries in order, until their size reaches `most`.
    [[nodiscard]] std::vector<PendingTask> take_due(Instant now, const TaskSize& most);

    // Reports that a waiter's try took this long without success.
    void waited_in_vain(std::chrono::nanoseconds time, Instant now);

private:
    using Entries = std::vector<PendingTask>;
    PendingTask take(Entries::iterator at);
    [[nodiscard]] Entries::iterator next_to_wait(Instant now);

    Entries entries_;        // in order of arrival
    Instant waits_from_{0};  // no entry may wait before
    bool is_others_turn_ = false;
};

}  // namespace semel
