// HandlerPool: threads that run the handlers of this process.
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

// Runs on a pool thread. An exception fails the attempt with its text.
using HandlerFunction = std::function<HandlerResult(const TakenJob&, std::stop_token)>;

class HandlerPool {
public:
    // Threads are made when there is work for them, up to `threads_max`.
    explicit HandlerPool(int threads_max) : threads_max_(threads_max) {}
    ~HandlerPool();  // stop()
    HandlerPool(const HandlerPool&) = delete;
    HandlerPool& operator=(const HandlerPool&) = delete;

    // Before the first run.
    void add(std::string type, HandlerFunction handler);

    // `done` is called on a pool thread, once. Thread-safe.
    void run(const TakenJob& job, std::function<void(HandlerResult)> done);
    // Asks a running handler to stop. Thread-safe.
    void request_stop(const JobId& id, Token token);

    // Asks every handler to stop and waits for them. Idempotent.
    void stop();

private:
    struct Work {
        TakenJob job;
        std::function<void(HandlerResult)> done;
        std::stop_source stop;
    };
    using RunKey = std::pair<JobId, Token>;

    void work();
    // One at a time: it calls the next before it begins its work. Handlers that end at once are so
    // left to the threads that are awake; calling one for each job costs more than the job.
    // REQUIRES: mutex_ is held.
    void call_a_thread();
    [[nodiscard]] HandlerResult call(const Work& work) const;

    const int threads_max_;
    std::map<std::string, HandlerFunction> handlers_;  // constant once running

    std::mutex mutex_;
    std::condition_variable wake_;
    // Guarded by mutex_:
    std::deque<Work> queue_;
    std::map<RunKey, std::stop_source> running_;  // queued ones too
    std::vector<std::thread> threads_;
    int idle_ = 0;
    bool is_one_coming_ = false;  // a thread was called and has not looked at the queue yet
    bool stopping_ = false;
};

}  // namespace semel
