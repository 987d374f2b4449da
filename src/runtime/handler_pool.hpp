// HandlerPool: a pool of threads that run the handlers of this process.
//
// Errors: a handler that throws fails its attempt.
// Threads: add() before the first run(). run() and request_stop(): any. stop() and the destructor:
// one controlling thread, which is not a pool thread.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/env.hpp"

namespace semel {

// Handles one attempt, on a pool thread. An exception fails the attempt, with its text as the
// error.
using HandlerFunction = std::function<HandlerResult(const TakenJob&, std::stop_token)>;

class HandlerPool {
public:
    // Starts threads when there is work for them, up to `threads_max`.
    explicit HandlerPool(int threads_max) : threads_max_(threads_max) {}
    ~HandlerPool();  // stop()
    HandlerPool(const HandlerPool&) = delete;
    HandlerPool& operator=(const HandlerPool&) = delete;

    // Sets the handler of a type. A second one for the type replaces the first.
    void add(std::string type, HandlerFunction handler);

    // Runs the handler of the job's type. A pool thread then calls `done` once; a type without a
    // handler is a failed attempt. Jobs that wait for a free thread wait without limit, and their
    // `done` is not called if the pool stops first.
    void run(const TakenJob& job, std::function<void(HandlerResult)> done);
    // Sets the stop token of this attempt, if it waits or runs. The handler's stop callbacks run
    // here.
    void request_stop(const JobId& id, Token token);

    // Asks every handler to stop, and waits until the running ones have returned. Idempotent.
    void stop();

private:
    struct Work {
        TakenJob job;
        std::function<void(HandlerResult)> done;
        std::stop_source stop;
    };
    using RunKey = std::pair<JobId, Token>;

    void work();
    // Wakes or starts one thread, unless a woken thread has not read the queue yet. That thread
    // wakes the next one before it begins its work. So short jobs stay with the threads that are
    // awake: waking one for each job costs more than the job. REQUIRES: mutex_ is held.
    void call_a_thread();
    [[nodiscard]] HandlerResult call(const Work& work) const;

    const int threads_max_;
    std::map<std::string, HandlerFunction> handlers_;  // constant once running

    std::mutex mutex_;
    std::condition_variable wake_;
    // Guarded by mutex_:
    std::deque<Work> queue_;
    std::map<RunKey, std::stop_source> running_;  // with those in queue_
    std::vector<std::thread> threads_;
    int idle_ = 0;
    bool is_one_coming_ = false;  // a thread was woken and has not read the queue yet
    bool stopping_ = false;
};

}  // namespace semel
