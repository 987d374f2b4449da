// TransferDeadline: the time by which the peer must have moved more bytes of a body. See
// Limits::bytes_per_second_min. The time between pause() and resume(), while the server itself is
// not ready, does not count.
//
// Threads: one at a time.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace semel::net {

class TransferDeadline {
public:
    using Clock = std::chrono::steady_clock;

    void begin(std::chrono::milliseconds timeout, std::size_t bytes_per_second_min) {
        timeout_ = timeout;
        rate_ = std::max<std::size_t>(bytes_per_second_min, 1);
        moved_ = 0;
        began_ = moved_at_ = Clock::now();
        paused_at_.reset();
    }
    void move(std::size_t bytes) {
        moved_ += bytes;
        moved_at_ = Clock::now();
    }
    void pause() { paused_at_ = Clock::now(); }
    void resume() {
        if (!paused_at_) return;
        began_ += Clock::now() - *paused_at_;
        moved_at_ += Clock::now() - *paused_at_;
        paused_at_.reset();
    }

    [[nodiscard]] Clock::time_point value() const {
        if (paused_at_) return Clock::time_point::max();
        const std::chrono::milliseconds earned(moved_ * 1000 / rate_);
        // The second bound: what the kernel's buffers swallow at once must not earn a long silence.
        return std::min(began_ + timeout_ + earned, moved_at_ + timeout_);
    }

private:
    std::chrono::milliseconds timeout_{0};
    std::size_t rate_ = 1;
    std::uint64_t moved_ = 0;
    Clock::time_point began_;
    Clock::time_point moved_at_;
    std::optional<Clock::time_point> paused_at_;
};

}  // namespace semel::net
