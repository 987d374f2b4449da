// SharedTime: store time where several nodes share a server. All of them go by the server's clock,
// and by one row of it that says how far that is ahead of store time since it was last set; so a
// step of it is the same for nodes that saw it and for those that started later.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "base/result.hpp"
#include "store/server_clock.hpp"
#include "store/store_clock.hpp"

namespace semel {

// How far the server's clock is ahead of store time. A step is made up for by and by.
struct ClockOffset {
    Millis ahead{0};  // at `since`
    Time since;       // by the server's clock

    // What is left of it.
    [[nodiscard]] Millis at(Time server) const;

    bool operator==(const ClockOffset&) const = default;
};

// What the nodes of a server have agreed on, and what its clock said then.
struct AgreedTime {
    Time server;
    Time mark;  // no time before it is store time any more; raised every second or so
    ClockOffset offset;
};

// Where they write it down. Asked on one thread at a time.
class AgreedTimes {
public:
    AgreedTimes() = default;
    virtual ~AgreedTimes() = default;
    AgreedTimes(const AgreedTimes&) = delete;
    AgreedTimes& operator=(const AgreedTimes&) = delete;

    [[nodiscard]] virtual Result<AgreedTime> read() = 0;
    // False: another node was first.
    [[nodiscard]] virtual Result<bool> replace(const ClockOffset& old,
                                               const ClockOffset& offset) = 0;
};

class SharedTime {
public:
    using Sampler = std::function<ClockSample()>;

    // It never answers a time before `newest`, which was committed. `instead`: in place of the
    // server's clock, for tests.
    [[nodiscard]] static Result<std::unique_ptr<SharedTime>> open(
        AgreedTimes& agreed, Time newest, const std::optional<Sampler>& instead);

    ~SharedTime() = default;
    SharedTime(const SharedTime&) = delete;
    SharedTime& operator=(const SharedTime&) = delete;

    // Never goes back. Thread-safe, as are the next two.
    [[nodiscard]] Time now() { return clock_->now(); }
    // How far the server's clock is ahead of it.
    [[nodiscard]] Millis offset() { return server_sample().wall - now(); }
    // What the server's clock said; it was asked at `asked`.
    void heard(Time server, std::chrono::nanoseconds asked) { server_.heard(server, asked); }

    // Reads what the nodes have agreed on; where the server's clock has stepped against it, writes
    // that down, unless another node was first. On one thread; what fails is done the next time.
    void agree(AgreedTimes& agreed);

private:
    explicit SharedTime(std::optional<Sampler> instead) : instead_(std::move(instead)) {}

    [[nodiscard]] ClockSample server_sample() const {
        return instead_ ? (*instead_)() : server_.sample();
    }
    // The server's, less the offset: what store time follows.
    [[nodiscard]] ClockSample shared_sample() const;
    void set_offset(const ClockOffset& offset);

    const std::optional<Sampler> instead_;
    ServerClock server_;
    mutable std::mutex mutex_;
    ClockOffset offset_;                 // guarded by mutex_
    std::unique_ptr<StoreClock> clock_;  // made by `open`, once the server was heard
};

}  // namespace semel
