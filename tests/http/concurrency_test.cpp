#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "http/fixture.hpp"

namespace semel::test {
namespace {

class ConcurrencyOverHttp : public ApiTest {
protected:
    // Runs `work` on `count` threads, each with a connection of its own, all at once.
    void on_connections(int count, const std::function<void(Caller&, int)>& work) {
        std::atomic<int> ready = 0;
        std::vector<std::thread> threads;
        threads.reserve(static_cast<std::size_t>(count));
        for (int i = 0; i < count; ++i) {
            threads.emplace_back([&, i] {
                Caller own = caller();
                own.get("/healthz");
                ++ready;
                while (ready < count) {
                    std::this_thread::yield();
                }
                work(own, i);
            });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
    }
};

constexpr int kConnections = 16;

TEST_F(ConcurrencyOverHttp, AHundredSchedulesOfOneEntityMakeExactlyOne) {
    std::atomic<int> made = 0;
    std::atomic<int> duplicates = 0;
    std::atomic<int> left = 100;
    on_connections(kConnections, [&](Caller& own, int) {
        while (left.fetch_sub(1) > 0) {
            const Answered answered = own.post(
                "/v1/actions",
                R"({"type":"t","payload":{"entityId":"one"},"deduplication":{"windowSeconds":600}})");
            made += answered.text("/decision") == "new" ? 1 : 0;
            duplicates += answered.text("/decision") == "duplicate" ? 1 : 0;
        }
    });
    EXPECT_EQ(made, 1);
    EXPECT_EQ(duplicates, 99);
    EXPECT_EQ(client_.get("/v1/actions").size("/items"), 1U);
}

TEST_F(ConcurrencyOverHttp, OneKeyOnManyConnectionsHasOneAnswer) {
    std::mutex mutex;
    std::set<std::string> bodies;
    on_connections(kConnections, [&](Caller& own, int) {
        const Answered answered =
            own.post("/v1/actions", R"({"type":"t"})", {{"Idempotency-Key", "same"}});
        EXPECT_EQ(answered.status, 201);
        const std::lock_guard lock(mutex);
        bodies.insert(answered.body);
    });
    EXPECT_EQ(bodies.size(), 1U);
    EXPECT_EQ(client_.get("/v1/actions").size("/items"), 1U);
}

TEST_F(ConcurrencyOverHttp, NoJobIsClaimedTwice) {
    constexpr int kJobs = 200;
    std::string items;
    for (int i = 0; i < kJobs; ++i) {
        items += items.empty() ? "" : ",";
        items += R"({"type":"t"})";
    }
    client_.post("/v1/actions/batch", R"({"items":[)" + items + "]}");
    std::mutex mutex;
    std::vector<std::string> claimed;
    on_connections(8, [&](Caller& own, int) {
        for (;;) {
            const Answered taken = own.post("/v1/jobs/claim", R"({"types":["t"],"max":7})");
            if (taken.size("/jobs") == 0) {
                return;
            }
            const std::lock_guard lock(mutex);
            for (const json::Value job : taken.at("/jobs")->elements()) {
                claimed.emplace_back(job.find("id")->as_string());
            }
        }
    });
    EXPECT_EQ(claimed.size(), static_cast<std::size_t>(kJobs));
    EXPECT_EQ(std::set<std::string>(claimed.begin(), claimed.end()).size(), claimed.size());
}

TEST_F(ConcurrencyOverHttp, AWalkSeesEveryRowThatWasThereOnceWhileOthersWrite) {
    std::set<std::string> before;
    for (int i = 0; i < 60; ++i) {
        before.insert(schedule(R"({"type":"walk"})"));
    }
    std::atomic<bool> walking = true;
    std::multiset<std::string> seen;
    on_connections(4, [&](Caller& own, int index) {
        if (index > 0) {
            while (walking) {
                own.post("/v1/actions", R"({"type":"walk"})");
            }
            return;
        }
        std::string cursor;
        do {
            const Answered page = own.get("/v1/actions?type=walk&limit=7" +
                                          (cursor.empty() ? "" : "&cursor=" + cursor));
            for (const json::Value item : page.at("/items")->elements()) {
                seen.emplace(item.find("id")->as_string());
            }
            cursor = page.text("/nextCursor");
        } while (!cursor.empty());
        walking = false;
    });
    for (const std::string& id : before) {
        EXPECT_EQ(seen.count(id), 1U) << id;
    }
}

TEST(StopOverHttp, AWaitingPollIsAnsweredWhenTheServerStops) {
    const TempFolder folder;
    auto server = std::make_unique<TestServer>(folder.file("semel.db"));
    std::string body;
    std::thread worker([&, url = server->url()] {
        body = Caller(url, {}).post("/v1/jobs/claim", R"({"types":["t"],"waitMs":25000})").body;
    });
    server->wait_for_worker("default", "t");
    const auto began = std::chrono::steady_clock::now();
    server.reset();
    worker.join();
    EXPECT_EQ(body, R"({"jobs":[]})");
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(20));
}

}  // namespace
}  // namespace semel::test
