// CallPool: the connections of one io thread to other servers, and the calls on them. A caller
// acquires a Reserved connection, then sends one request on it.
//
// Errors: see acquire(), and CallResult (call.hpp).
// Threads: constructor, destructor and stats(): any. Everything else, and every Reserved and Call
// of the pool: the io thread, which also runs every callback.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "base/result.hpp"
#include "net/call.hpp"
#include "net/origin.hpp"

namespace semel::net {

class IoThread;

// A connection that was checked and is set aside for one call. If it is dropped unused, it goes
// back to the pool. REQUIRES: it is dropped on the io thread, or after the thread has stopped.
class Reserved {
public:
    Reserved(Reserved&& other) noexcept;
    Reserved& operator=(Reserved&& other) noexcept;
    ~Reserved();
    Reserved(const Reserved&) = delete;
    Reserved& operator=(const Reserved&) = delete;

    // Sends the request. The connection is checked again just before the first byte. If it has
    // died, the pool dials another one, once, because nothing was written. The listener is called
    // later. REQUIRES: this is the first send() of a Reserved that was not moved from.
    std::shared_ptr<Call> send(CallRequest request, CallListener listener) &&;

    // Returns true if the connection was idle in the pool, so the server can have closed it.
    [[nodiscard]] bool is_reused() const;

    struct Seat;
    explicit Reserved(std::unique_ptr<Seat> seat);

private:
    std::unique_ptr<Seat> seat_;
};

class CallPool {
public:
    using Clock = std::chrono::steady_clock;
    using OnReserved = std::function<void(Result<Reserved>)>;

    enum class Want { any, fresh };

    struct Stats {
        std::uint64_t dialled = 0;  // connections that were tried
        std::uint64_t reused = 0;   // calls and reservations on a connection from the pool
        std::uint64_t open = 0;     // connections, with those being made
        std::uint64_t idle = 0;
        std::uint64_t waiting = 0;  // acquisitions, for a connection of a busy origin
    };

    // The thread must outlive the pool. `check_address` of the options holds for every call of the
    // pool, so calls under another rule need another pool.
    CallPool(IoThread& thread, DialOptions options);
    // Calls stop(). REQUIRES: called on the io thread, or after it has stopped.
    ~CallPool();
    CallPool(const CallPool&) = delete;
    CallPool& operator=(const CallPool&) = delete;

    // Gives a connection: an idle one, the last used first, else a new one. If
    // `max_connections` of the origin are busy, the acquisition waits behind earlier ones.
    // With Want::fresh the connection is a new one. `on_reserved` is called once, perhaps
    // within the call. Errors: those of a dial (dialer.hpp); `timeout` after `deadline`; `stopped`.
    void acquire(const Origin& origin, Clock::time_point deadline, OnReserved on_reserved,
                 Want want = Want::any);

    // Gives an idle connection, or nothing. It does not dial, wait or overtake an acquisition.
    [[nodiscard]] std::optional<Reserved> try_reserve(const Origin& origin);

    // Ends every call as `cancelled`, every acquisition with `stopped`, and closes the connections.
    // Later acquisitions fail. Idempotent.
    void stop();

    [[nodiscard]] Stats stats() const;

    class Impl;

private:
    std::shared_ptr<Impl> impl_;
};

}  // namespace semel::net
