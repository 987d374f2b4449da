// EndsLine: how nodes hear that a fence elsewhere has ended. It has two connections: one that
// listens can do nothing else.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>

#include "store/hint_line.hpp"
#include "store/redis/connection.hpp"

namespace semel::redis {

class EndsLine final : private HintLine::Ear {
public:
    // `chore` is called every so often with a connection; it also finds out when a server that was
    // away is back.
    EndsLine(const ConnectionOptions& options, std::function<void(Connection&)> chore);

    // Calls `look` on a thread of its own every so often. Null: no more; it is not running when
    // this returns.
    void watch(std::function<void()> look) { line_.watch(std::move(look)); }
    // The same, when another node may have ended a hold.
    void watch_ends(std::function<void()> look) { line_.watch_ends(std::move(look)); }

    // Whether the server does not let us hear: then the looks are all there is. Thread-safe.
    [[nodiscard]] bool is_deaf() const { return is_deaf_; }
    // Whether it does not let others hear of what ends here. Thread-safe.
    [[nodiscard]] bool is_mute() const { return is_mute_; }

private:
    [[nodiscard]] bool serve() override;
    [[nodiscard]] HintLine::Heard listen(std::chrono::milliseconds most, int fd) override;
    void do_chores() override;
    void try_to_publish(Connection& connection);

    const ConnectionOptions options_;
    const std::function<void(Connection&)> chore_;
    std::atomic<bool> is_deaf_ = false;
    std::atomic<bool> is_mute_ = false;
    // Of the thread alone.
    Reconnecting asking_;
    std::unique_ptr<Connection> hearing_;               // null: it listens to nobody
    std::chrono::steady_clock::time_point deaf_until_;  // it is not tried before
    std::chrono::steady_clock::time_point next_trial_;  // of publishing
    HintLine line_;                                     // last: it uses the rest
};

}  // namespace semel::redis
