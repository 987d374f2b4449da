#include "net/deadline_sweep.hpp"

#include <utility>
#include <vector>

namespace semel::net {

void DeadlineSweep::add(std::shared_ptr<Timed> timed) {
    const Timed* const key = timed.get();
    all_.emplace(key, std::move(timed));
    arm();
}

void DeadlineSweep::remove(const Timed& timed) {
    all_.erase(&timed);
    if (all_.empty()) timer_.cancel();
}

void DeadlineSweep::arm() {
    if (is_armed_ || all_.empty()) return;
    is_armed_ = true;
    timer_.expires_after(interval_);
    timer_.async_wait(
        [this, alive = std::weak_ptr(alive_)](const boost::system::error_code& failure) {
            if (alive.expired()) return;
            is_armed_ = false;
            if (!failure) {
                sweep();
            } else {
                arm();
            }
        });
}

void DeadlineSweep::sweep() {
    const auto now = Timed::Clock::now();
    std::vector<std::shared_ptr<Timed>> late;
    for (const auto& [key, timed] : all_) {
        if (timed->deadline() <= now) late.push_back(timed);
    }
    for (const auto& timed : late) timed->on_deadline();
    arm();
}

}  // namespace semel::net
