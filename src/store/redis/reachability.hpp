// Reachability: remembers for all connections of a store whether the server answers. After one
// connection has waited without success, the others fail at once. Errors: none. Threads: any.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <utility>

#include "base/result.hpp"

namespace semel::redis {

class Reachability {
public:
    // Records that the server did not answer. `error`: returned by why_away().
    void lost(Error error) {
        const std::lock_guard lock(mutex_);
        why_ = std::move(error);
        is_away_ = true;
    }
    // Records that the server answered.
    void answered() {
        if (is_away_) {
            const std::lock_guard lock(mutex_);
            why_.reset();
            is_away_ = false;
        }
    }
    // Returns why the server is unavailable. nullopt: it answered, or was not asked yet.
    [[nodiscard]] std::optional<Error> why_away() const {
        if (!is_away_) {
            return std::nullopt;
        }
        const std::lock_guard lock(mutex_);
        return why_;
    }

private:
    mutable std::mutex mutex_;
    std::atomic<bool> is_away_ = false;
    std::optional<Error> why_;  // guarded by mutex_
};

}  // namespace semel::redis
