// The writer, the readers and whoever asks are different threads.
#include <atomic>
#include <latch>
#include <thread>

#include <gmock/gmock.h>
#include <sqlite3.h>

#include "store/threads/task_thread.hpp"
#include "unit/store/sqlite/sqlite_fixture.hpp"

namespace semel::test {
namespace {

TEST(TaskThread, RunsTasksInOrder) {
    std::vector<int> order;
    {
        TaskThread thread(1000);
        for (int i = 0; i < 100; ++i) {
            ASSERT_TRUE(thread.post([&order, i] { order.push_back(i); }));
        }
    }  // runs what is waiting
    ASSERT_EQ(order.size(), 100U);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(TaskThread, RefusesMoreThanItsLimit) {
    std::latch started(1);
    std::latch go_on(1);
    std::atomic<int> ran = 0;
    {
        TaskThread thread(2);
        ASSERT_TRUE(thread.post([&] {
            started.count_down();
            go_on.wait();
        }));
        started.wait();
        EXPECT_TRUE(thread.post([&] { ++ran; }));
        EXPECT_TRUE(thread.post([&] { ++ran; }));
        EXPECT_FALSE(thread.post([&] { ++ran; }));
        go_on.count_down();
    }
    EXPECT_EQ(ran, 2);
}

class SqliteThreads : public SqliteTest {};

TEST_F(SqliteThreads, ReadsFromManyThreadsSeeWholeCommits) {
    const auto store = open();
    constexpr int kPerCommit = 10;
    constexpr int kCommits = 50;
    std::atomic<bool> is_done = false;
    std::atomic<int> walks = 0;
    constexpr int kReaders = 4;
    std::vector<std::thread> readers;
    readers.reserve(kReaders);
    for (int i = 0; i < kReaders; ++i) {
        readers.emplace_back([&] {
            // Reads need no committer.
            while (!is_done) {
                std::promise<std::size_t> count;
                store->reads().list_actions("acme", {}, std::nullopt, 10'000,
                                            [&](Result<std::vector<ActionView>> views) {
                                                count.set_value(views.value().size());
                                            });
                EXPECT_EQ(count.get_future().get() % kPerCommit, 0U);
                EXPECT_GE(store->now(), Time{});
                ++walks;
            }
        });
    }
    StoreDriver driver(*store);
    for (int commit = 0; commit < kCommits; ++commit) {
        std::vector<Job> jobs;
        jobs.reserve(kPerCommit);
        for (int i = 0; i < kPerCommit; ++i) {
            jobs.push_back(ready_job(commit * kPerCommit + i));
        }
        ASSERT_TRUE(driver.write(inserting(jobs)).has_value());
    }
    is_done = true;
    for (std::thread& reader : readers) reader.join();
    EXPECT_GT(walks, 0);
    EXPECT_EQ(driver.list_actions("acme").size(), static_cast<std::size_t>(kPerCommit * kCommits));
}

TEST_F(SqliteThreads, TheLogIsFoldedInAgainAndAgain) {
    const auto store = open();
    StoreDriver driver(*store);
    const std::string payload(100'000, 'x');
    for (int n = 0; n < 200; ++n) {
        Changes changes = inserting({ready_job(n)});
        changes.bodies[0].second.payload = payload;
        ASSERT_TRUE(driver.write(std::move(changes)).has_value());
    }
    // 20 MB went through the log, which is folded in at about 4 MB.
    EXPECT_LT(std::filesystem::file_size(options.path + "-wal"), 8'000'000U);
    EXPECT_GT(std::filesystem::file_size(options.path), 12'000'000U);
}

TEST_F(SqliteThreads, ALogThatAReaderHeldIsFoldedInSoonAfter) {
    const auto store = open();
    StoreDriver driver(*store);
    sqlite3* reader = nullptr;
    ASSERT_EQ(sqlite3_open(options.path.c_str(), &reader), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(reader, "begin; select count(*) from job", nullptr, nullptr, nullptr),
              SQLITE_OK);
    const std::string payload(1'000'000, 'x');
    for (int n = 0; n < 9; ++n) {
        Changes changes = inserting({ready_job(n)});
        changes.bodies[0].second.payload = payload;
        ASSERT_TRUE(driver.write(std::move(changes)).has_value());
    }
    EXPECT_LT(std::filesystem::file_size(options.path), 1'000'000U);
    ASSERT_EQ(sqlite3_close_v2(reader), SQLITE_OK);
    for (int n = 100; n < 120; ++n) {
        ASSERT_TRUE(driver.write(inserting({ready_job(n)})).has_value());
    }
    EXPECT_GT(std::filesystem::file_size(options.path), 8'000'000U);
}

TEST_F(SqliteThreads, ASlowReadHoldsUpNoOther) {
    auto store = open();
    std::promise<void> go_on;
    const auto may_go_on = go_on.get_future().share();
    constexpr int kQuick = 20;
    std::vector<std::promise<void>> quick(kQuick);
    store->reads().count_jobs([&](const Result<std::vector<JobCount>>&) { may_go_on.wait(); });
    for (auto& one : quick) {
        store->reads().count_jobs([&](const Result<std::vector<JobCount>>&) { one.set_value(); });
    }
    const auto last = quick.back().get_future();
    constexpr auto kLong = std::chrono::seconds(20);  // waited for only when it fails
    EXPECT_EQ(last.wait_for(kLong), std::future_status::ready);
    go_on.set_value();
    store.reset();  // its threads use what stands above
}

TEST_F(SqliteThreads, AStoreMayBeClosedWhileReadsAreWaiting) {
    auto store = open();
    insert(*store, {ready_job(1)});
    std::atomic<int> answers = 0;
    for (int i = 0; i < 100; ++i) {
        store->reads().count_jobs([&](const Result<std::vector<JobCount>>&) { ++answers; });
    }
    store.reset();
    EXPECT_EQ(answers, 100);
}

}  // namespace
}  // namespace semel::test
