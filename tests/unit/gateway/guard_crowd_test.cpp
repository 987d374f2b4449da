// Many equal messages at once: each one is sent once, whatever the times between them.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <random>
#include <thread>

#include <gmock/gmock.h>

#include "unit/gateway/guard_fixture.hpp"

namespace semel::gateway {
namespace {

using namespace net::test;
using ::testing::HasSubstr;
using ::testing::StartsWith;

using Clock = std::chrono::steady_clock;

// The sanitizers of memory and threads make a request ten times as slow.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kRounds = 4;
#else
constexpr int kRounds = 40;
#endif

// A message that leaves at a time, on a connection of its own.
struct Departure {
    Clock::duration at{};
    int message = 0;
};

// Two hundred messages within two seconds, each with a twin 90 to 350 ms later: the times that the
// guard's first user had measured.
std::vector<Departure> draw_departures() {
    std::mt19937 random(20260517);
    std::uniform_int_distribution<int> start(0, 2000);
    std::uniform_int_distribution<int> gap(90, 350);
    std::vector<Departure> all;
    for (int i = 0; i < 200; ++i) {
        const Millis at(start(random));
        all.push_back({at, i});
        all.push_back({at + Millis(gap(random)), i});
    }
    std::ranges::sort(all, {}, &Departure::at);
    return all;
}

// Blocks this thread until a time, on a timer.
void wait_until(Clock::time_point at) {
    std::mutex mutex;
    std::condition_variable never;
    std::unique_lock lock(mutex);
    while (Clock::now() < at) never.wait_until(lock, at);
}

class GuardCrowdTest : public GuardTest {};

TEST_F(GuardCrowdTest, TwinsAreSentOnce) {
    start_messages([](GatewayRoute& route) { route.guard->wait = std::chrono::seconds(60); });
    const auto began = Clock::now();
    std::vector<std::pair<RawClient, int>> clients;
    for (const Departure& departure : draw_departures()) {
        wait_until(began + departure.at);
        clients.emplace_back(RawClient(gateway_->port()), departure.message);
        clients.back().first.send(post({.phone = "+1555" + std::to_string(departure.message)}));
    }
    std::vector<int> originals(200);
    std::vector<int> duplicates(200);
    for (auto& [client, message] : clients) {
        const std::string answer = client.read_to_end().value_or("");
        auto& count = status_of(answer) == 201 ? originals : duplicates;
        ++count.at(static_cast<std::size_t>(message));
        if (status_of(answer) != 201) {
            EXPECT_THAT(std::string(body_of(answer)), StartsWith(R"({"duplicateOnly":true,)"));
        }
    }
    EXPECT_EQ(originals, std::vector<int>(200, 1));
    EXPECT_EQ(duplicates, std::vector<int>(200, 1));
    EXPECT_EQ(sent(), 200U);
}

TEST_F(GuardCrowdTest, TwinsOfASlowUpstreamAreSentOnce) {
    Inbox inbox;
    start_upstream(inbox.handler());
    start_gateway({patient_route()});
    std::vector<RawClient> firsts;
    std::vector<RawClient> seconds;
    std::vector<Pending> held;
    for (int i = 0; i < 100; ++i) {
        const Message message{.phone = "+1555" + std::to_string(i)};
        firsts.emplace_back(gateway_->port());
        firsts.back().send(post(message));
        auto pending = inbox.next();
        ASSERT_TRUE(pending);
        held.push_back(*std::move(pending));
        seconds.emplace_back(gateway_->port());
        seconds.back().send(post(message));
    }
    for (const Pending& pending : held) pending.respond(net::test::text(R"({"message":7})"));
    for (RawClient& client : firsts) {
        EXPECT_EQ(body_of(client.read_to_end().value_or("")), R"({"message":7})");
    }
    for (RawClient& client : seconds) {
        EXPECT_THAT(client.read_to_end().value_or(""), HasSubstr(R"(,"message":7})"));
    }
    EXPECT_EQ(inbox.waiting(), 0U);
}

// 256 connections, of which each one asks again as soon as it is answered.
TEST_F(GuardCrowdTest, TenThousandEqualMessagesAreSentOnce) {
    constexpr int kThreads = 8;
    constexpr int kConnections = 256;
    Inbox inbox;
    start_upstream(inbox.handler());
    start_gateway({patient_route()});
    const std::string request = post_text(to_json({}), "Content-Type: application/json\r\n");
    std::atomic<int> asked{0};
    std::atomic<int> originals{0};
    std::atomic<int> duplicates{0};
    const auto run = [&] {
        std::vector<RawClient> clients;
        clients.reserve(kConnections / kThreads);
        for (int i = 0; i < kConnections / kThreads; ++i) clients.emplace_back(gateway_->port());
        for (int round = 0; round < kRounds; ++round) {
            for (RawClient& client : clients) client.send(request);
            asked += kConnections / kThreads;
            for (RawClient& client : clients) {
                const std::string answer = client.read_response().value_or("");
                const std::string_view body = body_of(answer);
                if (body == R"({"message":7})") ++originals;
                const bool is_duplicate = status_of(answer) == 200 &&
                                          body.starts_with(R"({"duplicateOnly":true,)") &&
                                          body.ends_with(R"(,"message":7})");
                if (is_duplicate) ++duplicates;
            }
        }
    };
    std::vector<std::thread> threads;
    threads.reserve(kThreads);
    for (int i = 0; i < kThreads; ++i) threads.emplace_back(run);
    auto pending = inbox.next();
    EXPECT_TRUE(pending);
    EXPECT_TRUE(eventually([&] { return asked >= kConnections; }));
    if (pending) pending->respond(net::test::text(R"({"message":7})"));
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(originals, 1);
    EXPECT_EQ(duplicates, kConnections * kRounds - 1);
    EXPECT_EQ(inbox.waiting(), 0U);
}

}  // namespace
}  // namespace semel::gateway
