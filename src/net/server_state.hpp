// ServerState: what the listener, the workers and the connections of one server share: options,
// handler, counters. Threads: any. Everything is constant, atomic or locked.
// Lifetime: its users share it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include <boost/asio/ssl/context.hpp>

#include "net/server.hpp"

namespace semel::net {

struct Counters {
    std::atomic<std::uint64_t> accepted{0};
    std::atomic<std::uint64_t> refused{0};
    std::atomic<std::uint64_t> requests{0};
    std::atomic<std::uint64_t> bad_requests{0};
    std::atomic<std::uint64_t> handler_exceptions{0};
    std::atomic<std::uint64_t> deadlines_passed{0};
};

// Counts the open connections, and waits until the last one is closed. Thread-safe.
class OpenCount {
public:
    void add();
    void remove();
    [[nodiscard]] std::size_t now() const { return open_.load(std::memory_order_relaxed); }
    // Blocks. Returns false if the deadline passed first.
    bool wait_until_none(std::chrono::steady_clock::time_point deadline);

private:
    std::atomic<std::size_t> open_{0};
    std::mutex mutex_;
    std::condition_variable none_;
};

struct ServerState {
    // Constant once the server has started.
    ServerOptions options;
    RequestHandler handler;
    std::unique_ptr<boost::asio::ssl::context> tls;  // null: plain HTTP

    Counters counters;
    OpenCount open;
    std::atomic<bool> stopping{false};

    // Returns the answer of options.error_response, or plain text if that is empty, throws or
    // returns a response that cannot be sent.
    [[nodiscard]] Response render_error(int status, std::string_view detail) const;
};

}  // namespace semel::net
