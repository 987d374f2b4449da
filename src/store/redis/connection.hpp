// Connection: one connection to Redis, used by one thread. Commands are queued and sent together;
// one round trip answers them all.
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

// hiredis's.
struct redisContext;

namespace semel::redis {

// A command and its arguments, bytes each.
using Command = std::vector<std::string>;

struct Reply {
    enum class Kind { nil, text, number, list, error };

    Kind kind = Kind::nil;
    std::string text = {};  // also of an error
    std::int64_t number = 0;
    std::vector<Reply> items = {};

    [[nodiscard]] bool is_nil() const { return kind == Kind::nil; }
    [[nodiscard]] bool is_error() const { return kind == Kind::error; }
    // What it says as a number, also where that is written as text; nothing: it is none.
    [[nodiscard]] std::optional<std::int64_t> as_number() const;
};

struct ConnectionOptions {
    RedisUrl url;
    // How long one round trip may take. Beyond it the connection is given up. Callers wait for no
    // longer than this, and Redis takes microseconds.
    std::chrono::milliseconds patience = std::chrono::seconds(2);
    std::chrono::milliseconds connect_patience = std::chrono::seconds(2);
    // What all connections of a store know of its server. Null: this one is by itself.
    std::shared_ptr<Reachability> reachability = {};
};

class Connection {
public:
    // Connects, says who we are and chooses the database. `refused`: the server does not let us.
    [[nodiscard]] static Result<std::unique_ptr<Connection>> open(const ConnectionOptions& options);

    // Queues a command. Its reply comes from `flush`.
    void queue(const Command& command);
    // Sends what is queued and waits for it: a reply for each command, in order. A reply may be an
    // error of its own. After an error of this call the connection is of no use any more;
    // `timeout`: the server has the commands, perhaps, and did not answer.
    [[nodiscard]] Result<std::vector<Reply>> flush();
    // The same for a single command; its own error is the call's.
    [[nodiscard]] Result<Reply> ask(const Command& command);

    // For one that is subscribed: waits until something was published, `fd` can be read, or the
    // time is over. What was published.
    [[nodiscard]] Result<std::vector<std::string>> wait_for_messages(std::chrono::milliseconds most,
                                                                     int fd);

    // False: the server or the way to it is gone; open another one.
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

// What an error that the server replied means for whoever asked.
// What stands under a key is something else than was asked for.
[[nodiscard]] inline bool is_wrong_type(const Reply& reply) {
    return reply.is_error() && reply.text.starts_with("WRONGTYPE");
}
[[nodiscard]] Error error_of(const Reply& reply);

// A connection that is opened when it is needed, and again when it was lost; after a failure not at
// once, so that a server which is away is not called for each request. Where a store has several,
// one of them finds out when the server is back; until then the others fail at once.
class Reconnecting {
public:
    enum class Role { follows, finds_out };

    explicit Reconnecting(ConnectionOptions options, Role role = Role::follows)
        : options_(std::move(options)), role_(role) {}

    // REQUIRES of the pointer: it is not kept.
    [[nodiscard]] Result<Connection*> get();
    void drop() { connection_.reset(); }

private:
    [[nodiscard]] std::optional<Error> why_not_now() const;

    const ConnectionOptions options_;
    const Role role_;
    std::unique_ptr<Connection> connection_;  // null: opened by the next `get`
    std::chrono::milliseconds pause_{0};      // after the last failure
    std::chrono::steady_clock::time_point next_try_;
    std::optional<Error> failure_;  // the last one
};

}  // namespace semel::redis
