// Faults: what can go wrong in a run. Each seed switches on some of them, each at a rate of its
// own.
#pragma once

#include <array>
#include <string_view>

namespace semel::sim {

enum class Fault {
    crash_before_commit,
    crash_after_commit,  // before its reply leaves
    crash_any_time,
    pause,  // the process stands still, longer than a lease
    reply_lost,
    request_duplicated,
    request_changed,  // a repeat says something else
    store_busy,
    store_full,
    store_io,
    commit_unknown,
    clock_step,
    handler_fails,
    handler_hangs,  // past its time-out, until it is told to stop
    handler_late,   // past its time-out, and does not listen
    worker_dies,
    worker_zombie,  // stops past its lease, and goes on
    worker_repeats,
    worker_releases,
};

struct FaultName {
    Fault fault;
    std::string_view name;
};

inline constexpr FaultName kFaults[] = {
    {Fault::crash_before_commit, "crash_before_commit"},
    {Fault::crash_after_commit, "crash_after_commit"},
    {Fault::crash_any_time, "crash_any_time"},
    {Fault::pause, "pause"},
    {Fault::reply_lost, "reply_lost"},
    {Fault::request_duplicated, "request_duplicated"},
    {Fault::request_changed, "request_changed"},
    {Fault::store_busy, "store_busy"},
    {Fault::store_full, "store_full"},
    {Fault::store_io, "store_io"},
    {Fault::commit_unknown, "commit_unknown"},
    {Fault::clock_step, "clock_step"},
    {Fault::handler_fails, "handler_fails"},
    {Fault::handler_hangs, "handler_hangs"},
    {Fault::handler_late, "handler_late"},
    {Fault::worker_dies, "worker_dies"},
    {Fault::worker_zombie, "worker_zombie"},
    {Fault::worker_repeats, "worker_repeats"},
    {Fault::worker_releases, "worker_releases"},
};

// How often each happens where it can; 0: never.
class FaultRates {
public:
    [[nodiscard]] double of(Fault fault) const { return rates_[static_cast<std::size_t>(fault)]; }
    void set(Fault fault, double rate) { rates_[static_cast<std::size_t>(fault)] = rate; }

private:
    std::array<double, std::size(kFaults)> rates_{};
};

}  // namespace semel::sim
