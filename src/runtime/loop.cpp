#include "runtime/loop.hpp"

namespace semel {

Loop::~Loop() {
    stop();
}

void Loop::start() {
    thread_ = std::thread([this] { run(); });
}

void Loop::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_one();
    if (thread_.joinable()) {
        thread_.join();
    }
}

bool Loop::post(std::function<void()> run) {
    bool was_empty = false;
    {
        const std::lock_guard lock(mutex_);
        if (stopping_) {
            return false;
        }
        was_empty = posted_.empty();
        posted_.push_back(std::move(run));
    }
    if (was_empty) {
        wake_.notify_one();
    }
    return true;
}

Loop::TimerId Loop::after(std::chrono::milliseconds delay, std::function<void()> run) {
    const TimerId id = ++last_timer_;
    const Clock::time_point at = Clock::now() + delay;
    timers_.emplace(std::pair(at, id), std::move(run));
    timer_times_.emplace(id, at);
    return id;
}

void Loop::cancel(TimerId timer) {
    const auto time = timer_times_.find(timer);
    if (time != timer_times_.end()) {
        timers_.erase({time->second, timer});
        timer_times_.erase(time);
    }
}

void Loop::run_timers() {
    const Clock::time_point now = Clock::now();
    while (!timers_.empty() && timers_.begin()->first.first <= now) {
        auto timer = timers_.extract(timers_.begin());
        timer_times_.erase(timer.key().second);
        timer.mapped()();
    }
}

void Loop::run() {
    std::vector<std::function<void()>> batch;
    while (true) {
        {
            std::unique_lock lock(mutex_);
            const auto is_awake = [this] { return !posted_.empty() || stopping_; };
            if (timers_.empty()) {
                wake_.wait(lock, is_awake);
            } else {
                wake_.wait_until(lock, timers_.begin()->first.first, is_awake);
            }
            if (posted_.empty() && stopping_) {
                return;
            }
            batch.swap(posted_);
        }
        for (const auto& posted : batch) {
            posted();
        }
        batch.clear();
        run_timers();
    }
}

}  // namespace semel
