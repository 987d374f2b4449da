// HintedPolls: schedules the polls of the store for requests that wait for another node's commit. A
// poll follows within 50 ms of a hint. Several hints share one poll, because hints arrive in
// bursts. Without a hint a poll follows after 2 s, because hints can be lost and some connection
// poolers drop all of them.
//
// Threads: the engine's executor.
// Lifetime: `env` and `store` outlive it. The destructor cancels the next poll.
#pragma once

#include <cstdint>
#include <functional>

#include "engine/alarm.hpp"

namespace semel {

class HintedPolls {
public:
    // `poll` polls the store once for all waiting requests.
    HintedPolls(Env& env, const Store& store, std::function<void()> poll);

    // Call begin() when the first request starts to wait, just after it has read the store.
    void begin();
    // Counts a hint, also if no request waits yet. A request compares hints() before it reads the
    // store and when it starts to wait. If the number has changed, its read can be outdated, and it
    // calls poll_soon().
    void hint() { ++hints_; }
    [[nodiscard]] std::uint64_t hints() const { return hints_; }
    // Schedules a poll while a request waits. poll_soon() sets it 50 ms after the last poll,
    // poll_again() 2 s after it.
    void poll_soon();
    void poll_again();
    // Cancels the next poll. Later calls have no effect.
    void stop();

private:
    void poll();

    const Store& store_;
    std::function<void()> poll_;
    bool stopped_ = false;
    std::uint64_t hints_ = 0;
    Time looked_at_;
    Alarm next_;
};

}  // namespace semel
