// Damage: remembers that a store's file is damaged. All connections that share this object then
// refuse to read and write until the process is restarted. The rest of the file might be damaged
// too, and new commits would be missing from a restored backup.
//
// Threads: any.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>

#include "base/result.hpp"

namespace semel::sqlite {

class Damage {
public:
    // Records the first error. Later ones are ignored.
    void note(const Error& error) {
        const std::lock_guard lock(mutex_);
        if (!first_) first_ = error;
        is_noted_ = true;
    }

    // Returns the recorded error, if any.
    [[nodiscard]] Result<void> check() const {
        if (!is_noted_) {
            return {};
        }
        const std::lock_guard lock(mutex_);
        return *first_;
    }

private:
    std::atomic<bool> is_noted_ = false;  // so that check() costs almost nothing
    mutable std::mutex mutex_;
    std::optional<Error> first_;  // guarded by mutex_
};

}  // namespace semel::sqlite
