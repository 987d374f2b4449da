// EndsChannel: receives hints that another node has ended a fence. The commits publish them
// (scripts/commit.lua). It uses two connections, because a subscribed connection can run no other
// command.
//
// Errors: none. Lost connections are opened again, and hints until then are lost (see HintChannel).
// Threads: any. Callbacks run on the EndsChannel's thread.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>

#include "store/redis/connection.hpp"
#include "store/threads/hint_channel.hpp"

namespace semel::redis {

class EndsChannel final : private HintChannel::Ear {
public:
    // `chore` is called about every 500 ms with a connection. That also finds out when the server
    // is available again.
    EndsChannel(const ConnectionOptions& options, std::function<void(Connection&)> chore);

    // Sets a function to call every 500 ms. After watch(nullptr) returns, the old function is not
    // running and will not run.
    void watch(std::function<void()> poll) { channel_.watch(std::move(poll)); }
    // Sets a function to call at a hint that another node might have ended a fence.
    void watch_ends(std::function<void()> poll) { channel_.watch_ends(std::move(poll)); }

    // Returns true if the Redis user is not allowed to subscribe. Then only the periodic polls
    // remain.
    [[nodiscard]] bool is_deaf() const { return is_deaf_; }
    // Returns true if the Redis user is not allowed to publish, so that other nodes get no hints
    // from this node.
    [[nodiscard]] bool is_mute() const { return is_mute_; }

private:
    [[nodiscard]] bool serve() override;
    [[nodiscard]] HintChannel::Heard listen(std::chrono::milliseconds most, int fd) override;
    void do_chores() override;
    void try_to_publish(Connection& connection);

    const ConnectionOptions options_;
    const std::function<void(Connection&)> chore_;
    std::atomic<bool> is_deaf_ = false;
    std::atomic<bool> is_mute_ = false;
    // Used only on the thread.
    Reconnecting asking_;
    std::unique_ptr<Connection> hearing_;               // null: not subscribed
    std::chrono::steady_clock::time_point deaf_until_;  // no attempt to subscribe before
    std::chrono::steady_clock::time_point next_trial_;  // of publishing
    HintChannel channel_;                               // last: it uses the rest
};

}  // namespace semel::redis
