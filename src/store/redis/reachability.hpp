// Reachability: whether the server answers, as its connections have found. What one of them has
// waited for in vain, the others need not wait for.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <utility>

#include "base/result.hpp"

namespace semel::redis {

// Thread-safe.
class Reachability {
public:
    void lost(Error error) {
        const std::lock_guard lock(mutex_);
        why_ = std::move(error);
        is_away_ = true;
    }
    void answered() {
        if (is_away_) {
            const std::lock_guard lock(mutex_);
            why_.reset();
            is_away_ = false;
        }
    }
    // Nothing: it answered, or nobody has asked yet.
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
