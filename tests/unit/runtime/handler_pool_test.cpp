#include "runtime/handler_pool.hpp"

#include <barrier>
#include <future>
#include <latch>
#include <stdexcept>

#include <gtest/gtest.h>

namespace semel {
namespace {

TakenJob job_of(const std::string& type, int number = 1) {
    TakenJob taken;
    taken.job.id.bytes[0] = static_cast<std::uint8_t>(number);
    taken.job.type = type;
    taken.job.token = Token{number};
    return taken;
}

HandlerResult run(HandlerPool& pool, const TakenJob& job) {
    std::promise<HandlerResult> ended;
    pool.run(job, [&](HandlerResult result) { ended.set_value(std::move(result)); });
    return ended.get_future().get();
}

TEST(HandlerPool, ExceptionsFailTheAttempt) {
    HandlerPool pool(2);
    pool.add("throws", [](const TakenJob&, std::stop_token) -> HandlerResult {
        throw std::runtime_error("boom");
    });
    pool.add("odd", [](const TakenJob&, std::stop_token) -> HandlerResult { throw 5; });
    EXPECT_FALSE(run(pool, job_of("throws")).completed);
    EXPECT_EQ(run(pool, job_of("throws")).error, "boom");
    EXPECT_FALSE(run(pool, job_of("odd")).completed);
    EXPECT_FALSE(run(pool, job_of("unknown")).completed);
}

TEST(HandlerPool, RunsAsManyAtOnceAsItMay) {
    HandlerPool pool(4);
    std::barrier all(4);
    pool.add("meet", [&](const TakenJob&, std::stop_token) {
        all.arrive_and_wait();  // ends only if four run at once
        return done();
    });
    for (int round = 0; round < 100; ++round) {  // with new threads, then with idle ones
        std::latch ended(4);
        for (int i = 1; i <= 4; ++i) {
            pool.run(job_of("meet", i), [&](const HandlerResult&) { ended.count_down(); });
        }
        ended.wait();
    }
}

TEST(HandlerPool, MoreThanItMayRunAtOnceRunInTurn) {
    HandlerPool pool(3);
    pool.add("short", [](const TakenJob&, std::stop_token) { return done(); });
    constexpr int kJobs = 10'000;
    std::latch ended(kJobs);
    for (int i = 1; i <= kJobs; ++i) {
        pool.run(job_of("short", i), [&](const HandlerResult&) { ended.count_down(); });
    }
    ended.wait();
}

TEST(HandlerPool, AHandlerIsToldToStop) {
    HandlerPool pool(1);
    std::promise<void> started;
    pool.add("wait", [&](const TakenJob&, std::stop_token stop) {
        std::mutex mutex;
        std::condition_variable_any stopped;
        std::unique_lock lock(mutex);
        started.set_value();
        stopped.wait(lock, stop, [] { return false; });
        return failed("stopped");
    });
    std::promise<HandlerResult> ended;
    pool.run(job_of("wait", 7), [&](HandlerResult result) { ended.set_value(std::move(result)); });
    started.get_future().wait();
    pool.request_stop(job_of("wait", 8).job.id, Token{8});  // somebody else
    pool.request_stop(job_of("wait", 7).job.id, Token{7});
    EXPECT_EQ(ended.get_future().get().error, "stopped");
}

}  // namespace
}  // namespace semel
