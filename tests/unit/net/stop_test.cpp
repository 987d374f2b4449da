// Starting and stopping.
#include <future>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "net/server.hpp"
#include "unit/net/support.hpp"

namespace semel::net {
namespace {

using namespace test;

const std::string kStopGet = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

TEST(Start, NamesTheAddressThatIsInUse) {
    const auto first = start({}, echo);
    ServerOptions options;
    options.port = first->port();
    const auto second = Server::start(std::move(options), echo);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code(), ErrorCode::busy);
    EXPECT_EQ(
        second.error().message(),
        "cannot listen on 127.0.0.1:" + std::to_string(first->port()) + ": Address already in use");
}

TEST(Start, NamesAnAddressThatIsNotOurs) {
    ServerOptions options;
    options.address = "192.0.2.1";
    options.port = 7363;
    const auto server = Server::start(std::move(options), echo);
    ASSERT_FALSE(server);
    EXPECT_NE(server.error().message().find("192.0.2.1:7363"), std::string::npos);
}

TEST(Start, TakesNamesAndIpv6) {
    for (const char* address : {"localhost", "::1", "[::1]", "0.0.0.0"}) {
        ServerOptions options;
        options.address = address;
        const auto server = Server::start(std::move(options), echo);
        EXPECT_TRUE(server) << address << ": " << server.error().message();
    }
}

TEST(Start, APortIsFreeAgainAfterStop) {
    auto server = start({}, echo);
    const std::uint16_t port = server->port();
    RawClient client(port);
    client.send(kStopGet);
    ASSERT_TRUE(client.read_response());
    server->stop();
    ServerOptions options;
    options.port = port;
    EXPECT_EQ(start(std::move(options), echo)->port(), port);
}

class Stop : public testing::TestWithParam<int> {
protected:
    ServerOptions options_;
    Stop() { options_.threads = GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Threads, Stop, testing::Values(1, 3));

TEST_P(Stop, AnswersRequestsInProgressAndClosesIdleConnections) {
    Inbox inbox;
    const auto server = start(std::move(options_), inbox.handler());
    std::vector<RawClient> busy;
    for (int i = 0; i < 10; ++i) {
        busy.emplace_back(server->port());
        busy.back().send(kStopGet + kStopGet);  // the second one is not in progress
    }
    RawClient idle(server->port());
    std::vector<Pending> pending;
    for (int i = 0; i < 10; ++i) {
        auto request = inbox.next();
        ASSERT_TRUE(request);
        pending.push_back(std::move(*request));
    }
    auto stopped = std::async(std::launch::async, [&] { server->stop(); });
    // Stop has begun when the idle connection closes.
    EXPECT_EQ(idle.read_to_end(), "");
    for (const Pending& one : pending) one.respond(text("in time"));
    for (RawClient& client : busy) {
        const auto answer = client.read_to_end();
        ASSERT_TRUE(answer);
        EXPECT_EQ(count_responses(*answer), 1u);
        EXPECT_EQ(body_of(*answer), "in time");
        EXPECT_NE(answer->find("\r\nConnection: close\r\n"), std::string::npos);
        client.close();
    }
    stopped.get();
    EXPECT_EQ(server->stats().open, 0u);
    EXPECT_EQ(server->stats().requests, 10u);
}

TEST_P(Stop, DoesNotWaitForTheRestOfARequest) {
    options_.limits.stop_timeout = std::chrono::hours(1);
    const auto server = start(std::move(options_), echo);
    RawClient half_a_head(server->port());
    half_a_head.send("GET / HTTP/1.1\r\nHost:");
    RawClient half_a_body(server->port());
    half_a_body.send(
        "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    ASSERT_TRUE(half_a_body.read_bytes(25));  // the head has been read
    half_a_body.send("o");
    RawClient half_of_chunks(server->port());
    half_of_chunks.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab");
    ASSERT_TRUE(eventually([&] { return server->stats().open == 3; }));
    server->stop();
    EXPECT_EQ(server->stats().open, 0u);
    EXPECT_EQ(server->stats().requests, 0u);
}

TEST_P(Stop, ARequestThatIsDroppedMeanwhileIsToldToComeAgain) {
    options_.error_response = [](int status, std::string_view detail) {
        Response response;
        response.status = status;
        response.body = std::string("problem: ").append(detail);
        return response;
    };
    Inbox inbox;
    const auto server = start(std::move(options_), inbox.handler());
    RawClient client(server->port());
    client.send(kStopGet);
    auto pending = inbox.next();
    ASSERT_TRUE(pending);
    RawClient idle(server->port());
    auto stopped = std::async(std::launch::async, [&] { server->stop(); });
    EXPECT_EQ(idle.read_to_end(), "");  // stop has begun
    pending.reset();
    const auto answer = client.read_to_end();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->find("HTTP/1.1 503 "), 0u) << *answer;
    EXPECT_EQ(body_of(*answer), "problem: The server is stopping.");
    client.close();
    stopped.get();
}

TEST_P(Stop, ClosesWhatIsNotAnsweredInTimeAndLateAnswersAreHarmless) {
    options_.limits.stop_timeout = std::chrono::milliseconds(50);
    Inbox inbox;
    auto server = start(std::move(options_), inbox.handler());
    RawClient client(server->port());
    client.send(kStopGet);
    const auto pending = inbox.next();
    ASSERT_TRUE(pending);
    server->stop();
    EXPECT_EQ(client.read_to_end(), "");
    pending->respond(text("after stop"));
    server.reset();
    pending->respond(text("after the server"));
}

TEST_P(Stop, RespondersThatOutliveTheServerAreHarmless) {
    options_.limits.stop_timeout = std::chrono::milliseconds(0);
    Inbox inbox;
    auto server = start(std::move(options_), inbox.handler());
    std::vector<RawClient> clients;
    for (int i = 0; i < 20; ++i) {
        clients.emplace_back(server->port());
        clients.back().send(kStopGet);
    }
    ASSERT_TRUE(eventually([&] { return inbox.waiting() == 20; }));
    std::thread answering([&] {
        for (int i = 0; i < 20; ++i) {
            if (const auto pending = inbox.next()) pending->respond(text("racing"));
        }
    });
    server.reset();
    answering.join();
}

TEST_P(Stop, IsIdempotentAndRefusesNewConnections) {
    const auto server = start(std::move(options_), echo);
    server->stop();
    server->stop();
    auto client = Server::start({}, echo);
    EXPECT_TRUE(client);
}

TEST(Threads, ServeTheirConnectionsSideBySide) {
    ServerOptions options;
    options.threads = 3;
    const auto server = start(std::move(options), echo);
    std::vector<std::thread> threads;
    threads.reserve(6);
    std::atomic<int> answered{0};
    for (int t = 0; t < 6; ++t) {
        threads.emplace_back([&] {
            RawClient client(server->port());
            for (int i = 0; i < 200; ++i) {
                client.send(kStopGet);
                if (client.read_response()) ++answered;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(answered, 1200);
    EXPECT_EQ(server->stats().requests, 1200u);
}

}  // namespace
}  // namespace semel::net
