// DataSet: notices that the server has lost its rows, for example by a restart without persistence.
// The rows have an id, and after a loss the server has another id or none. Fences claimed before
// are then forgotten, and the operator must be warned.
//
// Errors: see open(). Threads: open(): one at a time. The others: any.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "base/time.hpp"
#include "store/redis/connection.hpp"

namespace semel::redis {

class DataSet {
public:
    explicit DataSet(std::function<std::string()> new_id) : new_id_(std::move(new_id)) {}

    // Reads the id of the rows, or creates one, and raises the stored time mark to `now`. Error:
    // `refused` if the rows have another format or are not Semel's.
    [[nodiscard]] Result<void> open(Connection& connection, Time now);
    // Returns true if `id`, the reply of the current round trip, is the id that open() found.
    [[nodiscard]] bool is_same(const Reply& id) const;

    [[nodiscard]] std::string id() const;
    // Returns when a loss was noticed, or nullopt.
    [[nodiscard]] std::optional<Time> lost_at() const;

private:
    const std::function<std::string()> new_id_;
    mutable std::mutex mutex_;
    std::string id_;               // guarded by mutex_; empty: not opened yet
    std::optional<Time> lost_at_;  // guarded by mutex_
};

}  // namespace semel::redis
