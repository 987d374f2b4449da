// EndsLine: how nodes hear that a fence elsewhere has ended. A hint may be lost; so each node also
// looks by itself, again and again. It has two connections: one that listens can do nothing else.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "store/redis/connection.hpp"

namespace semel::redis {

class EndsLine {
public:
    // `chore` is called every so often with a connection.
    EndsLine(const ConnectionOptions& options, std::function<void(Connection&)> chore);
    ~EndsLine();
    EndsLine(const EndsLine&) = delete;
    EndsLine& operator=(const EndsLine&) = delete;

    // Calls `look` on a thread of its own every so often. Null: no more; it is not running when
    // this returns.
    void watch(std::function<void()> look);
    // The same, when another node may have ended a hold.
    void watch_ends(std::function<void()> look);

private:
    void run();
    void listen();
    // Until something was published, it is time for a look, or this ends.
    [[nodiscard]] bool wait(std::chrono::milliseconds most);
    void call(const std::function<void()>& look);

    Reconnecting asking_;
    const ConnectionOptions options_;
    const std::function<void(Connection&)> chore_;
    const int wake_;  // an eventfd: this ends
    std::atomic<bool> is_ending_ = false;
    std::mutex mutex_;
    std::function<void()> look_;           // guarded by mutex_
    std::function<void()> look_at_ends_;   // guarded by mutex_
    std::unique_ptr<Connection> hearing_;  // of the thread alone; null: it listens to nobody
    std::thread thread_;                   // last: it uses the rest
};

}  // namespace semel::redis
