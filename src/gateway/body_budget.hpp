// BodyBudget: limits the bytes of the bodies that requests under claims hold in memory at once,
// including requests that wait for others.
//
// Errors: take() returns null if there is no room.
// Threads: any. Lifetime: the result of take() may outlive the budget.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

namespace semel::gateway {

class BodyBudget {
public:
    explicit BodyBudget(std::size_t bytes_max) : bytes_max_(bytes_max) {}

    // Returns a holder that gives the bytes back when it is destroyed; null if there is no room.
    [[nodiscard]] std::shared_ptr<void> take(std::size_t bytes) {
        if (held_->fetch_add(bytes) + bytes > bytes_max_) {
            held_->fetch_sub(bytes);
            return nullptr;
        }
        return {held_.get(), [held = held_, bytes](void*) { held->fetch_sub(bytes); }};
    }

private:
    const std::size_t bytes_max_;
    std::shared_ptr<std::atomic<std::size_t>> held_ = std::make_shared<std::atomic<std::size_t>>(0);
};

}  // namespace semel::gateway
