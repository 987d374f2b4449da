// WorkerBoard: which lanes have a worker, over all nodes. Each node writes down its own and reads
// those of the others, now and then; it tells people why an action waits, and decides nothing.
#pragma once

#include <map>
#include <mutex>

#include "base/uuid.hpp"
#include "store/postgres/connection.hpp"
#include "store/store.hpp"

namespace semel::postgres {

class WorkerBoard {
public:
    explicit WorkerBoard(const Uuid& node) : node_(node) {}

    // Both from any thread.
    void tell(KnownWorkers own);
    [[nodiscard]] bool has_elsewhere(const Lane& lane, Time now) const;

    // Writes and reads where it is time for that; on one thread. What fails is done the next time.
    void exchange(Connection& connection, Time now);

private:
    [[nodiscard]] Result<void> write_and_read(Connection& connection, Time now);
    [[nodiscard]] KnownWorkers unwritten() const;

    const Uuid node_;
    // Of the thread that exchanges.
    KnownWorkers written_;
    Time next_exchange_;
    Time next_tidying_;

    mutable std::mutex mutex_;
    // Guarded by mutex_.
    KnownWorkers own_;
    KnownWorkers others_;
};

}  // namespace semel::postgres
