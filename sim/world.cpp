#include "sim/world.hpp"

#include <algorithm>

namespace semel::sim {

Time World::wall() const {
    return begin_ + std::chrono::duration_cast<Millis>(now_) + wall_offset_;
}

World::EventId World::after(ProcessId owner, Micros delay, std::function<void()> run) {
    const Micros at = now_ + std::max(delay, Micros(0));
    return add(at, 1 + random_.next() % 1000, {owner, std::move(run)});
}

void World::post(ProcessId owner, std::function<void()> run) {
    add(now_, 0, {owner, std::move(run)});
}

World::EventId World::add(Micros at, std::uint64_t dice, Event event) {
    const EventId id = ++last_id_;
    const Place place{at, dice, id};
    events_.emplace(place, std::move(event));
    places_.emplace(id, place);
    return id;
}

void World::cancel(EventId id) {
    const auto place = places_.find(id);
    if (place != places_.end()) {
        events_.erase(place->second);
        places_.erase(place);
    }
}

bool World::run_next(Micros until) {
    if (events_.empty() || std::get<Micros>(events_.begin()->first) > until) {
        now_ = std::max(now_, until);
        return false;
    }
    auto node = events_.extract(events_.begin());
    const auto [at, dice, id] = node.key();
    places_.erase(id);
    Event event = std::move(node.mapped());
    if (dead_.contains(event.owner)) {
        return true;
    }
    const auto paused = paused_.find(event.owner);
    if (paused != paused_.end() && paused->second > at) {
        // Its turn comes when the process goes on, behind nothing that came before it.
        const Place place{paused->second, dice, id};
        events_.emplace(place, std::move(event));
        places_.emplace(id, place);
        return true;
    }
    now_ = std::max(now_, at);
    trace_.set_time(now_.count());
    event.run();
    return true;
}

}  // namespace semel::sim
