// WakeLine: how nodes hear of each other's work.
//
// It has a connection of its own: a NOTIFY inside a batch would make all commits wait in one line.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>

#include "store/hint_line.hpp"
#include "store/postgres/connection.hpp"

namespace semel::postgres {

class WakeLine final : private HintLine::Ear {
public:
    // `chore` is called every so often with its connection.
    WakeLine(ConnectionOptions options, std::function<void(Connection&)> chore);

    // Calls `look` on a thread of its own whenever another node may have left work, and every so
    // often. Null: no more; it is not running when this returns.
    void watch(std::function<void()> look) { line_.watch(std::move(look)); }
    // The same, but only when another node may have ended a chain.
    void watch_ends(std::function<void()> look) { line_.watch_ends(std::move(look)); }

    // Tells the other nodes: that there is work; that a chain has ended. Thread-safe, and return at
    // once.
    void tell();
    void tell_ends();

private:
    [[nodiscard]] bool serve() override;
    [[nodiscard]] HintLine::Heard listen(std::chrono::milliseconds most, int fd) override;
    void do_chores() override;

    [[nodiscard]] Result<std::unique_ptr<Connection>> connect() const;
    void tell_others();

    const ConnectionOptions options_;
    const std::function<void(Connection&)> chore_;
    std::atomic<bool> is_telling_ = false;
    std::atomic<bool> is_telling_ends_ = false;
    // Of the thread alone.
    std::unique_ptr<Connection> connection_;           // null: it listens to nobody
    std::chrono::steady_clock::time_point next_ends_;  // they are not told before
    HintLine line_;                                    // last: it uses the rest
};

}  // namespace semel::postgres
