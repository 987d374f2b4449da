// WakeLine: how nodes hear of each other's work. A hint may be lost; so each node also looks by
// itself, again and again, and never rests on having been told.
//
// It has a connection of its own: a NOTIFY inside a batch would make all commits wait in one line.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "store/postgres/connection.hpp"

namespace semel::postgres {

class WakeLine {
public:
    // `chore` is called every so often with its connection.
    WakeLine(ConnectionOptions options, std::function<void(Connection&)> chore);
    ~WakeLine();
    WakeLine(const WakeLine&) = delete;
    WakeLine& operator=(const WakeLine&) = delete;

    // Calls `look` on a thread of its own whenever another node may have left work, and every so
    // often. Null: no more; it is not running when this returns.
    void watch(std::function<void()> look);

    // The same, but only when another node may have ended a chain.
    void watch_ends(std::function<void()> look);

    // Tells the other nodes: that there is work; that a chain has ended. Thread-safe, and return at
    // once.
    void tell();
    void tell_ends();

private:
    void run();
    void serve(std::unique_ptr<Connection>& connection);
    [[nodiscard]] Result<std::unique_ptr<Connection>> connect() const;
    void wake();
    void look();
    void look_at_ends();
    // When there is something to do without having been told.
    [[nodiscard]] std::chrono::steady_clock::time_point next() const;

    const ConnectionOptions options_;
    const std::function<void(Connection&)> chore_;
    const int wake_;  // an eventfd: something is to be told, or this ends
    std::atomic<bool> is_telling_ = false;
    std::atomic<bool> is_telling_ends_ = false;
    std::atomic<bool> is_ending_ = false;
    std::mutex mutex_;
    std::function<void()> look_;          // guarded by mutex_
    std::function<void()> look_at_ends_;  // guarded by mutex_
    // Of the thread alone.
    std::chrono::steady_clock::time_point next_look_;
    std::chrono::steady_clock::time_point next_ends_;  // they are not told before
    std::thread thread_;                               // last: it uses the rest
};

}  // namespace semel::postgres
