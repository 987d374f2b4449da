#include "engine/alarm.hpp"

#include <algorithm>

namespace semel {
namespace {

// The longest timer. After a step of the wall clock, store time can run 10 % faster than timers.
// The alarm is then late by at most 10 % of this.
constexpr Millis kAlarmSleepMax = std::chrono::seconds(10);

}  // namespace

Alarm::Alarm(Env& env, const Store& store, std::function<void()> ring)
    : env_(env), store_(store), ring_(std::move(ring)) {}

Alarm::~Alarm() {
    clear();
}

void Alarm::set(Time at) {
    if (at_ && *at_ <= at) {
        return;
    }
    at_ = at;
    arm();
}

void Alarm::clear() {
    at_.reset();
    if (timer_) {
        env_.cancel(*timer_);
        timer_.reset();
    }
}

void Alarm::arm() {
    if (timer_) {
        env_.cancel(*timer_);
    }
    const Millis wait = std::clamp<Millis>(*at_ - store_.now(), Millis(0), kAlarmSleepMax);
    timer_ = env_.after(wait, [this] { fired(); });
}

void Alarm::fired() {
    timer_.reset();
    if (store_.now() < *at_) {
        arm();
        return;
    }
    at_.reset();
    ring_();
}

}  // namespace semel
