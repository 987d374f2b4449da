// Limits, each at its value and one above.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "net/server.hpp"
#include "unit/net/support.hpp"

namespace semel::net {
namespace {

using namespace test;

// A request whose head has exactly so many bytes, spread over headers.
std::string head_of_size(std::size_t size) {
    std::string head = "GET / HTTP/1.1\r\nHost: x\r\n";
    const std::string end = "\r\n";
    while (head.size() + end.size() + 600 < size) head += "A: " + std::string(500, 'a') + "\r\n";
    const std::size_t left = size - head.size() - end.size();
    return head + "B: " + std::string(left - 5, 'b') + "\r\n" + end;
}

std::string post_of_size(std::size_t size, bool is_chunked) {
    const std::string body(size, 'b');
    const std::string head = "POST /p HTTP/1.1\r\nHost: x\r\n";
    if (!is_chunked) {
        return head + "Content-Length: " + std::to_string(size) + "\r\n\r\n" + body;
    }
    std::string bytes = head + "Transfer-Encoding: chunked\r\n\r\n";
    char size_line[32];
    for (std::size_t at = 0; at < size; at += 1000) {
        const std::string chunk = body.substr(at, 1000);
        std::snprintf(size_line, sizeof size_line, "%zx\r\n", chunk.size());
        bytes += size_line + chunk + "\r\n";
    }
    return bytes + "0\r\n\r\n";
}

int status_for_head(const Server& server, std::size_t size, std::size_t step) {
    RawClient client(server.port());
    const std::string bytes = head_of_size(size);
    EXPECT_EQ(bytes.size(), size);
    for (std::size_t at = 0; at < size; at += step) {
        if (!client.send(std::string_view(bytes).substr(at, step))) break;
    }
    client.finish_sending();
    const auto answer = client.read_to_end();
    EXPECT_EQ(count_responses(answer.value_or("")), 1U);
    return status_of(answer.value_or(""));
}

TEST(Limits, AHeadOfTheLimitIsTakenAndOneByteMoreIsA431) {
    // The second limit lies between two reads, so that the byte too many arrives with the others.
    for (const std::size_t limit : {8192U, 3000U}) {
        ServerOptions options;
        EXPECT_EQ(options.limits.head_bytes_max, 8192U);
        options.limits.head_bytes_max = limit;
        const auto server = start(std::move(options), echo);
        for (const std::size_t step : {1U, 100'000U}) {
            EXPECT_EQ(status_for_head(*server, limit, step), 200) << limit;
            EXPECT_EQ(status_for_head(*server, limit + 1, step), 431) << limit;
            EXPECT_EQ(status_for_head(*server, 2 * limit, step), 431) << limit;
        }
    }
}

TEST(Limits, AHeadWithoutEndIsA431) {
    const auto server = start({}, echo);
    RawClient client(server->port());
    client.send("GET /" + std::string(8187, 'a'));
    const auto answer = client.read_to_end();
    ASSERT_TRUE(answer);
    EXPECT_EQ(status_of(*answer), 431);
}

TEST(Limits, TheNumberOfHeadersIsExact) {
    ServerOptions options;
    options.limits.headers_max = 3;
    const auto server = start(std::move(options), echo);
    for (const int extra : {2, 3}) {
        RawClient client(server->port());
        std::string head = "GET / HTTP/1.1\r\nHost: x\r\n";
        for (int i = 0; i < extra; ++i) head += "A: b\r\n";
        client.send(head + "\r\n");
        client.finish_sending();
        const auto answer = client.read_to_end();
        ASSERT_TRUE(answer);
        EXPECT_EQ(status_of(*answer), extra == 2 ? 200 : 431);
    }
}

TEST(Limits, ABodyOfTheLimitIsTakenAndOneByteMoreIsA413) {
    const auto server = start({}, echo);
    constexpr std::size_t kLimit = 1024 * 1024;
    for (const bool is_chunked : {false, true}) {
        for (const std::size_t size : {kLimit, kLimit + 1}) {
            RawClient client(server->port());
            client.send(post_of_size(size, is_chunked) + "GET /next HTTP/1.1\r\nHost: x\r\n\r\n");
            client.finish_sending();
            const auto answer = client.read_to_end();
            ASSERT_TRUE(answer);
            EXPECT_FALSE(client.was_reset());
            EXPECT_EQ(status_of(*answer), size == kLimit ? 200 : 413);
            EXPECT_EQ(answer->find("the limit of 1048576 bytes") == std::string::npos,
                      size == kLimit);
            EXPECT_EQ(count_responses(*answer), size == kLimit ? 2u : 1u);
        }
    }
    EXPECT_EQ(server->stats().bad_requests, 2u);
}

TEST(Limits, TheBodyLimitMayDependOnTheRequest) {
    ServerOptions options;
    options.on_head = [](const Request& head) {
        EXPECT_EQ(head.body, "");
        return WholeBody{head.path == "/p" ? std::size_t{16} * 1024 * 1024 : 10};
    };
    const auto server = start(std::move(options), echo);
    RawClient client(server->port());
    client.send(post_of_size(16 * 1024 * 1024, false));
    const auto large = client.read_response();
    ASSERT_TRUE(large);
    EXPECT_EQ(status_of(*large), 200);
    EXPECT_EQ(body_of(*large).size(), 8u + 16 * 1024 * 1024);
    client.send("POST /q HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n");
    const auto small = client.read_to_end();
    ASSERT_TRUE(small);
    EXPECT_EQ(status_of(*small), 413);
}

TEST(Limits, ATooLargeBodyGetsNoContinue) {
    const auto server = start({}, echo);
    RawClient client(server->port());
    client.send(
        "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
        "Content-Length: 1048577\r\n\r\n");
    const auto answer = client.read_to_end();
    ASSERT_TRUE(answer);
    EXPECT_EQ(status_of(*answer), 413);
    EXPECT_EQ(answer->find("100 Continue"), std::string::npos);
}

TEST(Limits, APromisedLengthAllocatesNothingAndWaitsForTheBytes) {
    ServerOptions options;
    options.on_head = [](const Request&) { return WholeBody{std::size_t{1} << 62}; };
    const auto server = start(std::move(options), echo);
    RawClient client(server->port());
    client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4611686018427387904\r\n\r\nabc");
    client.finish_sending();
    EXPECT_EQ(client.read_to_end(), "");
    RawClient healthy(server->port());
    healthy.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_TRUE(healthy.read_response());
}

TEST(Limits, ConnectionsAboveTheLimitAreA503UntilOneLeaves) {
    ServerOptions options;
    options.limits.connections_max = 3;
    const auto server = start(std::move(options), echo);
    std::vector<RawClient> clients;
    for (int i = 0; i < 3; ++i) {
        clients.emplace_back(server->port());
        clients.back().send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        ASSERT_TRUE(clients.back().read_response());
    }
    RawClient refused(server->port());
    refused.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto answer = refused.read_to_end();
    ASSERT_TRUE(answer);
    EXPECT_EQ(status_of(*answer), 503);
    EXPECT_EQ(server->stats().refused, 1u);
    refused.close();
    clients.pop_back();
    ASSERT_TRUE(eventually([&] { return server->stats().open == 2; }));
    RawClient taken(server->port());
    taken.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto served = taken.read_response();
    ASSERT_TRUE(served);
    EXPECT_EQ(status_of(*served), 200);
}

TEST(Limits, TwoThousandIdleConnectionsDoNotHurtAHealthyClient) {
    ServerOptions options;
    options.threads = 2;
    const auto server = start(std::move(options), echo);
    std::vector<RawClient> idle;
    for (int i = 0; i < 2000; ++i) {
        idle.emplace_back(server->port());
        if (i % 2 == 0) idle.back().send("GET / HT");
    }
    RawClient client(server->port());
    for (int i = 0; i < 200; ++i) {
        client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        ASSERT_TRUE(client.read_response());
    }
    EXPECT_EQ(server->stats().open, 2001u);
    idle.front().send("TP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_TRUE(idle.front().read_response());
}

}  // namespace
}  // namespace semel::net
