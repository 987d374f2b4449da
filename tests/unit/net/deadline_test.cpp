// Slow peers. The deadlines are short here, so that waiting for the server's close is quick.
#include <chrono>
#include <string>

#include <gtest/gtest.h>

#include "net/server.hpp"
#include "unit/net/support.hpp"

namespace semel::net {
namespace {

using namespace test;
using std::chrono::milliseconds;

// Only the deadline under test is short; the others would fail the test by being met.
constexpr milliseconds kShortLimit{60};

class Stopwatch {
public:
    [[nodiscard]] milliseconds elapsed() const {
        return std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - began_);
    }

private:
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

TEST(Deadlines, ASlowHeadIsA408) {
    ServerOptions options;
    options.limits.header_timeout = kShortLimit;
    const auto server = start(std::move(options), echo);
    RawClient client(server->port());
    const Stopwatch watch;
    client.send("GET / HTTP/1.1\r\nHo");
    const auto answer = client.read_to_end();
    ASSERT_TRUE(answer);
    EXPECT_GE(watch.elapsed(), kShortLimit);
    EXPECT_EQ(status_of(*answer), 408);
    EXPECT_EQ(count_responses(*answer), 1u);
    EXPECT_EQ(server->stats().deadlines_passed, 1u);
}

TEST(Deadlines, AHeadThatTricklesEarnsNoTime) {
    ServerOptions options;
    options.limits.header_timeout = kShortLimit;
    const auto server = start(std::move(options), echo);
    RawClient client(server->port());
    client.send("GET / HTTP/1.1\r\nHost: x\r\nA: ");
    // One byte whenever the server has read the last one, for as long as it goes on reading.
    const bool has_ended =
        eventually([&] { return server->stats().deadlines_passed == 1 || !client.send("a"); });
    EXPECT_TRUE(has_ended);
    const auto answer = client.read_to_end();
    ASSERT_TRUE(answer);
    EXPECT_TRUE(status_of(*answer) == 408 || status_of(*answer) == 431) << *answer;
}

TEST(Deadlines, ASlowBodyIsA408) {
    for (const char* framing : {"Content-Length: 10", "Transfer-Encoding: chunked"}) {
        ServerOptions options;
        options.limits.body_timeout = kShortLimit;
        const auto server = start(std::move(options), echo);
        RawClient client(server->port());
        client.send("POST / HTTP/1.1\r\nHost: x\r\n" + std::string(framing) + "\r\n\r\n5\r\n");
        const auto answer = client.read_to_end();
        ASSERT_TRUE(answer);
        EXPECT_EQ(status_of(*answer), 408) << framing;
        EXPECT_EQ(server->stats().requests, 0u);
    }
}

TEST(Deadlines, AClientThatNeverReadsIsClosed) {
    ServerOptions options;
    options.limits.write_timeout = kShortLimit;
    const auto server = start(std::move(options), [](const Request&, const Responder& respond) {
        respond(text(std::string(64 * 1024 * 1024, 'a')));
    });
    RawClient client(server->port(), 4096);
    client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_TRUE(eventually([&] { return server->stats().deadlines_passed == 1; }));
    EXPECT_TRUE(eventually([&] { return server->stats().open == 0; }));
}

TEST(Deadlines, AnIdleConnectionIsClosedWithoutAWord) {
    ServerOptions options;
    options.limits.idle_timeout = kShortLimit;
    const auto server = start(std::move(options), echo);
    RawClient client(server->port());
    EXPECT_EQ(client.read_to_end(), "");
    RawClient second(server->port());
    second.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    ASSERT_TRUE(second.read_response());
    const Stopwatch watch;
    EXPECT_EQ(second.read_to_end(), "");
    EXPECT_GE(watch.elapsed(), kShortLimit / 2);
}

TEST(Deadlines, AClientThatNeverClosesIsClosedAfterTheLastAnswer) {
    ServerOptions options;
    options.limits.linger_timeout = kShortLimit;
    const auto server = start(std::move(options), echo);
    RawClient client(server->port());
    client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    ASSERT_TRUE(client.read_to_end());
    EXPECT_TRUE(eventually([&] { return server->stats().open == 0; }));
}

TEST(Deadlines, AHandlerMayTakeLongerThanAnyOfThem) {
    ServerOptions options;
    options.limits.header_timeout = kShortLimit;
    options.limits.body_timeout = kShortLimit;
    options.limits.write_timeout = kShortLimit;
    options.limits.idle_timeout = 2 * kShortLimit;
    Inbox inbox;
    const auto server = start(std::move(options), inbox.handler());
    RawClient slow(server->port());
    slow.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto pending = inbox.next();
    ASSERT_TRUE(pending);
    // An idle connection that came later has met its deadline: time has passed for the slow one.
    RawClient idle(server->port());
    EXPECT_EQ(idle.read_to_end(), "");
    pending->respond(text("at last"));
    const auto answer = slow.read_response();
    ASSERT_TRUE(answer);
    EXPECT_EQ(body_of(*answer), "at last");
}

// Bytes that come within the timeout of one another, over more than the timeout in all: whether
// that is fast enough is for the rate to say.
class Trickle : public testing::Test {
protected:
    static constexpr milliseconds kTimeout{400};
    static constexpr milliseconds kTick{40};

    // Sends until the body is complete or the server has answered; gives the status.
    static int send_slowly(std::size_t bytes_per_second_min) {
        ServerOptions options;
        options.limits.body_timeout = kTimeout;
        options.limits.bytes_per_second_min = bytes_per_second_min;
        const auto server = start(std::move(options), echo);
        ServerOptions clock_options;
        clock_options.limits.idle_timeout = kTick;
        const auto clock = start(std::move(clock_options), echo);

        constexpr int kSlowBytes = 2 * static_cast<int>(kTimeout / kTick);
        RawClient client(server->port());
        client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(kSlowBytes) +
                    "\r\n\r\n");
        for (int i = 0; i < kSlowBytes; ++i) {
            RawClient tick(clock->port());
            EXPECT_EQ(tick.read_to_end(), "");  // kTick has passed
            if (server->stats().deadlines_passed > 0 || !client.send("b")) break;
        }
        const auto answer = client.read_response();
        return answer ? status_of(*answer) : 0;
    }
};

TEST_F(Trickle, MayTakeLongerThanTheTimeoutAtTheRate) {
    EXPECT_EQ(send_slowly(1), 200);
}

TEST_F(Trickle, IsA408BelowTheRate) {
    EXPECT_EQ(send_slowly(1'000'000), 408);
}

}  // namespace
}  // namespace semel::net
