// DeadlineSweep: looks for passed deadlines on one io thread, at an interval, while there is
// anything to look at. A timer for each connection would cost more: a request sets its deadline
// several times.
//
// Threads: the io thread alone.
#pragma once

#include <chrono>
#include <memory>
#include <unordered_map>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

namespace semel::net {

// What has a deadline; Clock::time_point::max() for none.
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

    // Holds it until remove(). Each time its deadline is found passed, on_deadline() is called.
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
