// HintLine: the thread on which a store hears of other nodes. A hint may be lost; so it also looks
// by itself, again and again, and never rests on having been told. How hints come is a store's own.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <thread>

namespace semel {

// From now; never negative.
[[nodiscard]] std::chrono::milliseconds time_until(std::chrono::steady_clock::time_point at);

class HintLine {
public:
    struct Heard {
        bool work = false;  // somebody left something to do
        bool ends = false;  // somebody ended what others may wait for
    };

    // What connects, listens and tells. Called on the thread alone.
    class Ear {
    public:
        virtual ~Ear() = default;

        // Connects where that is needed, and tells what is to be told. What fails is tried again
        // later. True: it hears again, and has missed what was told before.
        [[nodiscard]] virtual bool serve() = 0;
        // Until something is heard, `fd` can be read, or the time is over.
        [[nodiscard]] virtual Heard listen(std::chrono::milliseconds most, int fd) = 0;
        // Every so often.
        virtual void do_chores() = 0;
    };

    // `ear` is used until this is gone.
    explicit HintLine(Ear& ear);
    ~HintLine();
    HintLine(const HintLine&) = delete;
    HintLine& operator=(const HintLine&) = delete;

    // Calls `look` on the thread whenever there is a hint of work, and every so often. Null: no
    // more; it is not running when this returns.
    void watch(std::function<void()> look);
    // The same, but only for a hint of an end.
    void watch_ends(std::function<void()> look);

    // There is something to tell: ends a wait. Thread-safe.
    void wake() const;
    // The wait of an ear that hears nobody.
    static void wait(std::chrono::milliseconds most, int fd);

private:
    void run();
    void call(const std::function<void()>& look);

    Ear& ear_;
    const int wake_;  // an eventfd
    std::atomic<bool> is_ending_ = false;
    std::mutex mutex_;
    std::function<void()> look_;          // guarded by mutex_
    std::function<void()> look_at_ends_;  // guarded by mutex_
    std::thread thread_;                  // last: it uses the rest
};

}  // namespace semel
