// SharedTime: store time for nodes that share a server. Each node follows the server's clock minus
// one offset, which a row on the server keeps for all nodes. If the server's clock steps by more
// than 1 s, one node stores the step as the new offset. So store time does not step on any node,
// and a node that starts later uses the same time.
//
// Errors: see open(). Later errors change nothing.
// Threads: now(), offset() and heard(): any. agree(): one at a time.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "base/result.hpp"
#include "store/clocks/server_clock.hpp"
#include "store/clocks/store_clock.hpp"

namespace semel {

// The server's clock minus store time. The offset shrinks by 5 % of the time that passes.
struct ClockOffset {
    Millis ahead{0};  // at `since`
    Time since;       // by the server's clock

    // Returns the rest of the offset at a time of the server's clock.
    [[nodiscard]] Millis at(Time server) const;

    bool operator==(const ClockOffset&) const = default;
};

// The row that the nodes share, with the server's time when it was read.
struct AgreedTime {
    Time server;
    Time mark;  // store time is never earlier; raised about every second
    ClockOffset offset;
};

// Reads and writes that row. Used by one thread at a time.
class AgreedTimes {
public:
    AgreedTimes() = default;
    virtual ~AgreedTimes() = default;
    AgreedTimes(const AgreedTimes&) = delete;
    AgreedTimes& operator=(const AgreedTimes&) = delete;

    [[nodiscard]] virtual Result<AgreedTime> read() = 0;
    // Writes `offset` if the row still has `old`. Returns false if another node was first.
    [[nodiscard]] virtual Result<bool> replace(const ClockOffset& old,
                                               const ClockOffset& offset) = 0;
};

class SharedTime {
public:
    using Sampler = std::function<ClockSample()>;

    // Reads the row and starts the clock. now() never returns a time before `newest`, the time of
    // the latest commit. `instead` replaces the server's clock in tests.
    // Errors: the row cannot be read, or `refused` if a time in it is after the year 2200.
    // Lifetime: keeps no reference to `agreed`.
    [[nodiscard]] static Result<std::unique_ptr<SharedTime>> open(
        AgreedTimes& agreed, Time newest, const std::optional<Sampler>& instead);

    ~SharedTime() = default;
    SharedTime(const SharedTime&) = delete;
    SharedTime& operator=(const SharedTime&) = delete;

    // Never goes back.
    [[nodiscard]] Time now() { return clock_->now(); }
    // The server's clock minus store time.
    [[nodiscard]] Millis offset() { return server_sample().wall - now(); }
    // Records an answer with the server's time. `asked`: the monotonic clock when it was asked.
    void heard(Time server, std::chrono::nanoseconds asked) { server_.heard(server, asked); }

    // Reads the row and follows its offset. If the server's clock has stepped, writes the new
    // offset, unless another node was first. An error leaves everything unchanged until the next
    // call.
    void agree(AgreedTimes& agreed);

private:
    explicit SharedTime(std::optional<Sampler> instead) : instead_(std::move(instead)) {}

    [[nodiscard]] ClockSample server_sample() const {
        return instead_ ? (*instead_)() : server_.sample();
    }
    // The server's clock minus the offset: the clock that store time follows.
    [[nodiscard]] ClockSample shared_sample() const;
    void set_offset(const ClockOffset& offset);

    const std::optional<Sampler> instead_;
    ServerClock server_;
    mutable std::mutex mutex_;
    ClockOffset offset_;                 // guarded by mutex_
    std::unique_ptr<StoreClock> clock_;  // made by open(), after the server's first answer
};

}  // namespace semel
