// DeadlineSweep: calls on_deadline() of each registered object whose deadline has passed. It checks
// all of them at an interval, on one io thread. A timer for each connection would cost more,
// because a request sets its deadline several times.
//
// Threads: the io thread.
// Lifetime: holds each object from add() to remove().
#pragma once

#include <chrono>
#include <memory>
#include <unordered_map>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

namespace semel::net {

// An object with a deadline. Clock::time_point::max(): it has none now.
class Timed {
public:
    using Clock = std::chrono::steady_clock;

    Timed() = default;
    virtual ~Timed() = default;
    Timed(const Timed&) = delete;
    Timed& operator=(const Timed&) = delete;

    [[nodiscard]] virtual Clock::time_point deadline() const = 0;
    virtual void on_deadline() = 0;
};

class DeadlineSweep {
public:
    DeadlineSweep(boost::asio::io_context& io, std::chrono::milliseconds interval)
        : timer_(io), interval_(interval) {}

    // Registers the object. Each sweep that finds its deadline passed calls on_deadline().
    void add(std::shared_ptr<Timed> timed);
    void remove(const Timed& timed);

private:
    void arm();
    void sweep();

    boost::asio::steady_timer timer_;
    std::chrono::milliseconds interval_;
    bool is_armed_ = false;
    std::unordered_map<const Timed*, std::shared_ptr<Timed>> all_;
    std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace semel::net
