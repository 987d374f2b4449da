// The library as its users see it: real threads, a real file.
#include <atomic>
#include <condition_variable>
#include <latch>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>
#include <semel/semel.hpp>

#include "support/countdown.hpp"
#include "support/temp_folder.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::Countdown;

std::unique_ptr<Engine> open(const test::TempFolder& folder) {
    auto engine = Engine::open({.store = folder.file("semel.db"), .concurrency = 8});
    EXPECT_TRUE(engine.has_value()) << engine.error().message();
    return std::move(*engine);
}

TEST(Engine, AnActionIsHandledAndItsOutputKept) {
    const test::TempFolder folder;
    const auto engine = open(folder);
    Countdown handled(1);
    engine->handle("greet", [&](const Work& work) {
        EXPECT_EQ(work.payload, R"({"name":"Ada"})");
        EXPECT_EQ(work.attempt, 1);
        EXPECT_GT(work.token, 0);
        handled.one();
        return done(R"("hello")");
    });
    engine->start();
    const auto answer = engine->schedule({.type = "greet", .payload = R"({"name":"Ada"})"});
    ASSERT_TRUE(answer.has_value());
    ASSERT_TRUE(handled.wait());
    engine->stop();
    const auto shown = engine->get(answer->id);
    ASSERT_TRUE(shown.has_value() && shown->has_value());
    EXPECT_EQ((*shown)->status, Status::completed);
    EXPECT_EQ((*shown)->output, R"("hello")");
}

TEST(Engine, EachOfManyActionsRunsOnce) {
    constexpr int kActions = 2000;
    const test::TempFolder folder;
    const auto engine = open(folder);
    Countdown handled(kActions);
    std::mutex mutex;
    std::multiset<std::string> seen;
    engine->handle("work", [&](const Work& work) {
        {
            const std::lock_guard lock(mutex);
            seen.insert(work.payload);
        }
        handled.one();
        return done();
    });
    engine->start();
    std::vector<std::thread> callers;
    for (int t = 0; t < 4; ++t) {
        callers.emplace_back([&, t] {
            for (int i = 0; i < kActions / 4; i += 50) {
                std::vector<ActionSpec> batch;
                for (int j = 0; j < 50; ++j) {
                    batch.push_back(
                        {.type = "work", .payload = std::to_string(t * 100'000 + i + j)});
                }
                EXPECT_TRUE(engine->schedule_all(batch).has_value());
            }
        });
    }
    for (auto& caller : callers) caller.join();
    EXPECT_TRUE(handled.wait());
    engine->stop();
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(kActions));
    EXPECT_EQ(std::set<std::string>(seen.begin(), seen.end()).size(), seen.size());
}

TEST(Engine, OfConcurrentSchedulesOfOneEntityOneIsNew) {
    const test::TempFolder folder;
    const auto engine = open(folder);
    engine->start();
    std::atomic<int> fresh{0};
    std::latch go(16);
    std::vector<std::thread> callers;
    for (int t = 0; t < 16; ++t) {
        callers.emplace_back([&] {
            go.arrive_and_wait();
            for (int i = 0; i < 10; ++i) {
                const auto answer = engine->schedule(
                    {.type = "a", .payload = R"({"entityId":1})", .deduplication = {.window = 1h}});
                fresh += answer.has_value() && answer->decision == Decision::new_ ? 1 : 0;
            }
        });
    }
    for (auto& caller : callers) caller.join();
    EXPECT_EQ(fresh, 1);
}

TEST(Engine, ATimedOutHandlerIsToldToStopAndItsResultIsRefused) {
    const test::TempFolder folder;
    const auto engine = open(folder);
    Countdown stopped(1);
    engine->handle(
        "slow",
        [&](const Work& work) {
            std::mutex mutex;
            std::condition_variable_any told;
            std::unique_lock lock(mutex);
            told.wait(lock, work.stop, [] { return false; });
            stopped.one();
            return done(R"("too late")");
        },
        50ms);
    engine->start();
    const auto answer = engine->schedule({.type = "slow", .max_retries = 1});
    ASSERT_TRUE(stopped.wait());
    engine->stop();
    const auto shown = engine->get(answer->id);
    EXPECT_EQ((*shown)->status, Status::failed);
    EXPECT_EQ((*shown)->error_code, "timeout");
    EXPECT_FALSE((*shown)->output.has_value());
}

TEST(Engine, WhatWasAcknowledgedIsThereAfterReopening) {
    const test::TempFolder folder;
    Uuid id;
    {
        const auto engine = open(folder);
        engine->start();
        id = engine->schedule({.type = "later", .payload = "[1]", .delay = 1h})->id;
        engine->stop();
    }
    const auto engine = open(folder);
    engine->start();
    const auto shown = engine->get(id);
    ASSERT_TRUE(shown.has_value() && shown->has_value());
    EXPECT_EQ((*shown)->payload, "[1]");
    EXPECT_FALSE((*engine->cancel(id)).has_value());
    EXPECT_EQ((*engine->cancel(id))->code, ProblemCode::wrong_state);
    EXPECT_FALSE((*engine->retry(id)).has_value());
    EXPECT_FALSE((*engine->run_now(id)).has_value());
}

TEST(Engine, BadRequestsAreRefusedAndChangeNothing) {
    const test::TempFolder folder;
    const auto engine = open(folder);
    engine->start();
    EXPECT_EQ(engine->schedule({.type = ""})->problem->code, ProblemCode::invalid);
    EXPECT_EQ(engine->schedule({.type = "a", .payload = "{"})->problem->pointer, "/payload");
    EXPECT_EQ(engine->schedule({.type = "a", .payload = R"(1,"type":"b")"})->problem->pointer,
              "/payload");
    EXPECT_EQ(engine->schedule({.type = "a", .backoff = "fast"})->problem->pointer, "/backoff");
    EXPECT_EQ(engine->schedule({.type = "a", .deduplication = {.key = ""}})->problem->pointer,
              "/deduplication/key");
    EXPECT_EQ(engine->schedule({.type = "a", .tenant = ""})->problem->pointer, "/tenant");
    EXPECT_FALSE((*engine->get(Uuid{})).has_value());
}

TEST(Engine, CallsOutsideStartAndStopSaySo) {
    const test::TempFolder folder;
    const auto engine = open(folder);
    EXPECT_EQ(engine->schedule({.type = "a"}).error().code(), ErrorCode::stopped);
    engine->start();
    EXPECT_TRUE(engine->schedule({.type = "a"}).has_value());
    engine->stop();
    EXPECT_EQ(engine->schedule({.type = "a"}).error().code(), ErrorCode::stopped);
}

TEST(Engine, EveryCallReturnsWhenTheEngineStopsMeanwhile) {
    const test::TempFolder folder;
    const auto engine = open(folder);
    engine->start();
    std::latch busy(4);
    std::atomic<int> async_open{0};
    std::vector<std::thread> callers;
    for (int t = 0; t < 4; ++t) {
        callers.emplace_back([&] {
            for (int i = 0;; ++i) {
                if (i == 5) busy.count_down();
                ++async_open;
                engine->schedule_async({.type = "a"}, [&](const auto&) { --async_open; });
                if (!engine->schedule({.type = "a"}).has_value()) break;
            }
        });
    }
    busy.wait();
    engine->stop();
    for (auto& caller : callers) caller.join();
    EXPECT_EQ(async_open, 0);
}

TEST(Engine, AHandlerThatOutlivesTheGraceIsReleasedAndTheEngineMayGo) {
    const test::TempFolder folder;
    Uuid id;
    {
        const auto engine = open(folder);
        Countdown started(1);
        engine->handle("stubborn", [&](const Work& work) {
            started.one();
            std::mutex mutex;
            std::condition_variable_any told;
            std::unique_lock lock(mutex);
            told.wait(lock, work.stop, [] { return false; });
            return done();
        });
        engine->start();
        id = engine->schedule({.type = "stubborn"})->id;
        ASSERT_TRUE(started.wait());
        engine->stop(0ms);
    }
    const auto engine = open(folder);
    const auto shown = engine->get(id);
    EXPECT_EQ((*shown)->status, Status::pending);
    EXPECT_EQ((*shown)->attempts, 0);
}

TEST(Engine, AStoreThatCannotBeOpenedSaysWhy) {
    EXPECT_EQ(Engine::open({.store = ""}).error().code(), ErrorCode::invalid);
    EXPECT_EQ(Engine::open({.store = "mysql://host/db"}).error().code(), ErrorCode::invalid);
    EXPECT_FALSE(Engine::open({.store = "/no/such/folder/semel.db"}).has_value());
}

}  // namespace
}  // namespace semel
