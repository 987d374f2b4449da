// DataSet: whether the server still has what it had. A server that lost its rows, as one without
// persistence does when it restarts, has another id or none; then fences that were claimed before
// are forgotten, and people must hear of it.
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

    // Finds out which it is, and makes one where there is none; `now` is store time as far as it is
    // known. `refused`: a newer program wrote it.
    [[nodiscard]] Result<void> open(Connection& connection, Time now);
    // `id` as it was just read; nil where there is none.
    [[nodiscard]] bool is_same(const Reply& id) const;

    // Thread-safe, as is_same().
    [[nodiscard]] std::string id() const;
    // When it was seen that the rows were gone; nothing: they were not.
    [[nodiscard]] std::optional<Time> lost_at() const;

private:
    const std::function<std::string()> new_id_;
    mutable std::mutex mutex_;
    std::string id_;               // guarded by mutex_; empty: not opened yet
    std::optional<Time> lost_at_;  // guarded by mutex_
};

}  // namespace semel::redis
