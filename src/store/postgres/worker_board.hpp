// WorkerBoard: shares between nodes which lanes (tenant and type) have a worker. It is only for the
// reasons in `waitingFor`. Each node sees the others' workers within about 1 s.
//
// Errors: none; see exchange(). Threads: exchange(): one at a time. The others: any.
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

    // Replaces this node's workers. has_elsewhere() returns true if another node has a worker.
    void tell(KnownWorkers own);
    [[nodiscard]] bool has_elsewhere(const Lane& lane, Time now) const;

    // Writes and reads the board if 400 ms have passed. An error is ignored: the next call tries
    // again.
    void exchange(Connection& connection, Time now);

private:
    [[nodiscard]] Result<void> write_and_read(Connection& connection, Time now);
    [[nodiscard]] KnownWorkers unwritten() const;

    const Uuid node_;
    // Used only on the thread of exchange().
    KnownWorkers written_;
    Time next_exchange_;
    Time next_tidying_;

    mutable std::mutex mutex_;
    // Guarded by mutex_.
    KnownWorkers own_;
    KnownWorkers others_;
};

}  // namespace semel::postgres
