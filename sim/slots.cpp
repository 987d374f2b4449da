#include "sim/slots.hpp"

#include <algorithm>

namespace semel::sim {
namespace {

constexpr Millis kHour = std::chrono::hours(1);

Time floor_to(Time time, Millis step) {
    return time - time.time_since_epoch() % step;
}

int berlin_hour(Time time) {
    const Millis offset = time >= kBerlinForward && time < kBerlinBack ? 2 * kHour : kHour;
    return static_cast<int>((time.time_since_epoch() + offset) / kHour % 24);
}

}  // namespace

bool SlotRule::is_slot(Time time) const {
    if (kind_ == Kind::each || time == kBerlinForward) {
        return true;
    }
    const bool is_second_time = time >= kBerlinBack && time < kBerlinBack + kHour;
    return berlin_hour(time) == 2 && !is_second_time;
}

Time SlotRule::after(Time time) const {
    if (kind_ == Kind::interval) {
        return time + step_;
    }
    Time next = floor_to(time, step_) + step_;
    while (!is_slot(next)) next = floor_to(next, kHour) + kHour;
    return next;
}

Time SlotRule::last(Time slot, Time now) const {
    if (kind_ == Kind::interval) {
        return slot + (now - slot) / step_ * step_;
    }
    Time last = floor_to(now, step_);
    while (last > slot && !is_slot(last)) {
        const Time hour = floor_to(last, kHour);
        last = last == hour ? last - step_ : hour;
        // Back into an hour by its last step, or out of it by its first: none is stepped over,
        // because an hour has all of them, none, or its first alone.
    }
    return std::max(last, slot);
}

Time settled(const SlotRule& rule, Missed missed, Time slot, Time now) {
    const bool is_missed = rule.after(slot) <= now;
    if (!is_missed || missed == Missed::all) {
        return slot;
    }
    const Time last = rule.last(slot, now);
    return missed == Missed::latest ? last : rule.after(last);
}

Time following(const SlotRule& rule, RecurrenceType type, Time slot, Time high, Time now) {
    const Time next = rule.after(type == RecurrenceType::fixed ? slot : now);
    return next > high ? next : rule.after(high);
}

Time edited(const SlotRule& rule, std::optional<Time> high, std::optional<Time> start_at,
            Time now) {
    if (!high && start_at && *start_at > now) {
        return *start_at;
    }
    if (rule.is_cron()) {
        return rule.after(std::max(now, high.value_or(now)));
    }
    return high ? std::max(rule.after(*high), now) : now;
}

}  // namespace semel::sim
