// Damage: that the file was found to be damaged. From then on nothing is read from it or written to
// it by the connections that share this, until the process starts anew: what else is wrong, nobody
// knows, and what is written now would be missing from the backup that is restored.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>

#include "base/result.hpp"

namespace semel::sqlite {

// For any thread.
class Damage {
public:
    // The first is kept.
    void note(const Error& error) {
        const std::lock_guard lock(mutex_);
        if (!first_) first_ = error;
        is_noted_ = true;
    }

    [[nodiscard]] Result<void> check() const {
        if (!is_noted_) {
            return {};
        }
        const std::lock_guard lock(mutex_);
        return *first_;
    }

private:
    std::atomic<bool> is_noted_ = false;  // so that a look costs nothing while all is well
    mutable std::mutex mutex_;
    std::optional<Error> first_;  // guarded by mutex_
};

}  // namespace semel::sqlite
