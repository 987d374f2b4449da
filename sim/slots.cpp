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
    Time next = one_after(time);
    while (was_had(next)) next = one_after(next);
    return next;
}

Time SlotRule::last(Time slot, Time now) const {
    Time last = one_before(slot, now);
    while (last > slot && was_had(last)) last = one_before(slot, last - Millis(1));
    return last;
}

Time SlotRule::one_after(Time time) const {
    if (kind_ == Kind::interval) {
        return time + step_;
    }
    Time next = floor_to(time, step_) + step_;
    while (!is_slot(next)) next = floor_to(next, kHour) + kHour;
    return next;
}

Time SlotRule::one_before(Time slot, Time now) const {
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

Time PastSlots::end(RecurrenceType type, Time slot, Time now) {
    if (slot > now && type == RecurrenceType::rolling) {
        const Time back = last ? std::max(now, *last + Millis(1)) : now;
        const bool is_free = back < slot && !early.contains(back);
        if (is_free) slot = now = back;
    }
    while (!early.empty() && *early.begin() <= now && *early.begin() < slot) {
        const Time passed = early.extract(early.begin()).value();
        last = last ? std::max(*last, passed) : passed;
    }
    if (slot <= now) {
        last = last ? std::max(*last, slot) : slot;
    } else {
        early.insert(slot);
    }
    return slot;
}

std::optional<Time> PastSlots::come(Time now) const {
    std::optional<Time> latest = last;
    for (const Time slot : early) {
        if (slot <= now && (!latest || slot > *latest)) latest = slot;
    }
    return latest;
}

Time following(const SlotRule& rule, RecurrenceType type, Time slot, const PastSlots& past,
               Time now) {
    const SlotRule open = rule.without(past.early);
    const Time next = open.after(type == RecurrenceType::fixed ? slot : now);
    return past.last && next <= *past.last ? open.after(*past.last) : next;
}

Time edited(const SlotRule& rule, const PastSlots& past, std::optional<Time> start_at, Time now) {
    const SlotRule open = rule.without(past.early);
    const auto come = past.come(now);
    Time slot = now;
    if (!come && start_at && *start_at > now) {
        slot = *start_at;
    } else if (rule.is_cron()) {
        return open.after(std::max(now, come.value_or(now)));
    } else if (come) {
        slot = std::max(open.after(*come), now);
    }
    return past.early.contains(slot) ? open.after(slot) : slot;
}

}  // namespace semel::sim
