// HintChannel: the thread on which a store receives hints about other nodes' commits. A hint is a
// message that can be lost, so the thread also calls `poll` every 500 ms. Each store implements Ear
// for its own messages.
//
// Errors: none. Threads: any. The callbacks and the Ear run on the HintChannel's thread.
// Lifetime: `ear` outlives it. The destructor ends the thread.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <thread>

namespace semel {

// Returns the time until `at`, or 0 if it has passed.
[[nodiscard]] std::chrono::milliseconds time_until(std::chrono::steady_clock::time_point at);

class HintChannel {
public:
    struct Heard {
        bool work = false;  // another node left jobs or commands
        bool ends = false;  // another node ended something that requests can wait for
    };

    // A store's connection for hints. Called only on the thread.
    class Ear {
    public:
        virtual ~Ear() = default;

        // Connects if needed and sends the pending hints. A failure is tried again later. Returns
        // true after a new connection, because hints before it can be lost.
        [[nodiscard]] virtual bool serve() = 0;
        // Blocks until a hint arrives, `fd` is readable, or `most` has passed.
        [[nodiscard]] virtual Heard listen(std::chrono::milliseconds most, int fd) = 0;
        // Called after each `poll`, for periodic work.
        virtual void do_chores() = 0;
    };

    // Starts the thread.
    explicit HintChannel(Ear& ear);
    ~HintChannel();
    HintChannel(const HintChannel&) = delete;
    HintChannel& operator=(const HintChannel&) = delete;

    // Sets the function to call at a hint of work, and every 500 ms. After watch(nullptr) returns,
    // the old function is not running and will not run.
    void watch(std::function<void()> poll);
    // Sets the function to call at a hint of an end.
    void watch_ends(std::function<void()> poll);

    // Ends the wait of listen(), because this node has hints to send.
    void wake() const;
    // Only waits: the listen() of an Ear without a connection.
    static void wait(std::chrono::milliseconds most, int fd);

private:
    void run();
    void call(const std::function<void()>& poll);

    Ear& ear_;
    const int wake_;  // an eventfd
    std::atomic<bool> is_ending_ = false;
    std::mutex mutex_;
    std::function<void()> poll_;       // guarded by mutex_
    std::function<void()> poll_ends_;  // guarded by mutex_
    std::thread thread_;               // last: it uses the rest
};

}  // namespace semel
