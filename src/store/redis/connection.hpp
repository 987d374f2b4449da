// Connection: one connection to Redis. Commands are queued and sent together, and one round trip
// answers all of them.
//
// Errors:
// - `unavailable`: the server cannot be reached, or the connection was lost
// - `timeout`: the server did not answer in time, but might have run the commands
// - `refused`: login or rights
// - `io_error`: the server accepts no writes
//
// Threads: one at a time. All members except queue() block, for `patience` per reply at most.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "store/redis/reachability.hpp"
#include "store/redis/redis_url.hpp"

// A type of hiredis.
struct redisContext;

namespace semel::redis {

// A command and its arguments, each of any bytes.
using Command = std::vector<std::string>;

struct Reply {
    enum class Kind { nil, text, number, list, error };

    Kind kind = Kind::nil;
    std::string text = {};  // also the text of an error
    std::int64_t number = 0;
    std::vector<Reply> items = {};

    [[nodiscard]] bool is_nil() const { return kind == Kind::nil; }
    [[nodiscard]] bool is_error() const { return kind == Kind::error; }
    // The reply as a number, also if the server sent it as text. nullopt: it is no number.
    [[nodiscard]] std::optional<std::int64_t> as_number() const;
};

struct ConnectionOptions {
    RedisUrl url;
    // The time limit of one reply. After it the connection counts as lost. Redis needs
    // microseconds, and callers do not wait longer than this.
    std::chrono::milliseconds patience = std::chrono::seconds(2);
    std::chrono::milliseconds connect_patience = std::chrono::seconds(2);
    // Shared by all connections of a store. Null: this connection does not use it.
    std::shared_ptr<Reachability> reachability = {};
};

class Connection {
public:
    // Connects, logs in and selects the database. `refused`: the server denies the login.
    [[nodiscard]] static Result<std::unique_ptr<Connection>> open(const ConnectionOptions& options);

    // Queues a command. flush() returns its reply.
    void queue(const Command& command);
    // Sends the queued commands and returns one reply per command, in order. A reply can be an
    // error of its command only. After an error of flush() the connection is lost.
    [[nodiscard]] Result<std::vector<Reply>> flush();
    // Queues one command, flushes, and returns its reply. An error reply becomes the call's error.
    [[nodiscard]] Result<Reply> ask(const Command& command);

    // Waits for a message on a subscribed connection, until `fd` is readable or `most` has passed.
    // Returns the messages.
    [[nodiscard]] Result<std::vector<std::string>> wait_for_messages(std::chrono::milliseconds most,
                                                                     int fd);

    // Returns false after the connection was lost.
    [[nodiscard]] bool is_alive() const { return !broken_; }

private:
    struct Free {
        void operator()(redisContext* context) const;
    };

    Connection(redisContext* context, const ConnectionOptions& options)
        : context_(context), options_(options) {}
    [[nodiscard]] Result<void> greet(const RedisUrl& url);
    [[nodiscard]] Result<Reply> receive();
    [[nodiscard]] Error lost();
    [[nodiscard]] Error late();

    std::unique_ptr<redisContext, Free> context_;
    const ConnectionOptions options_;
    std::size_t queued_ = 0;
    bool broken_ = false;
};

// Returns true if the key has a value of another type than the command expects.
[[nodiscard]] inline bool is_wrong_type(const Reply& reply) {
    return reply.is_error() && reply.text.starts_with("WRONGTYPE");
}
// The error for an error reply of the server.
[[nodiscard]] Error error_of(const Reply& reply);

// Reconnecting: a connection that is opened when it is needed, and again after it was lost.
//
// After a failure get() fails at once for 20 ms to 1 s, so that requests do not wait for an
// unavailable server. With Role::follows it also fails while Reachability has an error. One
// connection per store has Role::finds_out: it tries to connect for all.
// Threads: one at a time.
class Reconnecting {
public:
    enum class Role { follows, finds_out };

    explicit Reconnecting(ConnectionOptions options, Role role = Role::follows)
        : options_(std::move(options)), role_(role) {}

    // Returns an open connection, valid until the next get() or drop(). Do not keep the pointer.
    [[nodiscard]] Result<Connection*> get();
    void drop() { connection_.reset(); }

private:
    [[nodiscard]] std::optional<Error> why_not_now() const;

    const ConnectionOptions options_;
    const Role role_;
    std::unique_ptr<Connection> connection_;  // null: opened by the next get()
    std::chrono::milliseconds pause_{0};      // after the last failure
    std::chrono::steady_clock::time_point next_try_;
    std::optional<Error> failure_;  // the last error
};

}  // namespace semel::redis
