// One connection's life as a client sees it.
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "net/server.hpp"
#include "unit/net/support.hpp"

namespace semel::net {
namespace {

using namespace test;

std::string get(const std::string& path, const std::string& lines = "") {
    return "GET " + path + " HTTP/1.1\r\nHost: x\r\n" + lines + "\r\n";
}
std::string post_to(const std::string& path, const std::string& body) {
    return "POST " + path +
           " HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
           body;
}

TEST(Connection, GivesTheHandlerTheWholeRequest) {
    Inbox inbox;
    const auto server = start({}, inbox.handler());
    RawClient client(server->port());
    const std::string body("\0\r\n\xff", 4);
    client.send(
        "PUT /a%2Fb?c=%20 HTTP/1.1\r\nHost: x\r\nA: 1\r\na: 2\r\nContent-Encoding: gzip\r\n"
        "Content-Length: 4\r\n\r\n" +
        body);
    const auto pending = inbox.next();
    ASSERT_TRUE(pending);
    const Request& request = pending->request;
    EXPECT_EQ(request.method, "PUT");
    EXPECT_EQ(request.path, "/a%2Fb");
    EXPECT_EQ(request.query, "c=%20");
    EXPECT_EQ(request.body, body);
    EXPECT_EQ(request.count("a"), 2u);
    EXPECT_EQ(*request.header("content-encoding"), "gzip");
    EXPECT_EQ(request.peer.substr(0, 10), "127.0.0.1:");
    EXPECT_TRUE(request.peer_is_loopback);
    EXPECT_FALSE(request.tls);
    pending->respond(text("done"));
    const auto answer = client.read_response();
    ASSERT_TRUE(answer);
    EXPECT_EQ(body_of(*answer), "done");
}

TEST(Connection, ServesManyRequestsOneAfterTheOther) {
    const auto server = start({}, echo);
    RawClient client(server->port());
    for (int i = 0; i < 50; ++i) {
        client.send(
            post_to("/" + std::to_string(i), std::string(static_cast<std::size_t>(i), 'b')));
        const auto answer = client.read_response();
        ASSERT_TRUE(answer);
        EXPECT_EQ(body_of(*answer), "POST /" + std::to_string(i) + "\n" +
                                        std::string(static_cast<std::size_t>(i), 'b'));
    }
    EXPECT_EQ(server->stats().accepted, 1u);
    EXPECT_EQ(server->stats().requests, 50u);
}

TEST(Connection, AnswersPipelinedRequestsInOrder) {
    const auto server = start({}, echo);
    RawClient client(server->port());
    constexpr int kRequests = 2000;
    std::string bytes;
    for (int i = 0; i < kRequests; ++i) {
        bytes +=
            i % 2 == 0 ? get("/" + std::to_string(i)) : post_to("/" + std::to_string(i), "body");
    }
    std::thread sender([&] { client.send(bytes); });
    for (int i = 0; i < kRequests; ++i) {
        const auto answer = client.read_response();
        if (!answer) {
            ADD_FAILURE() << "no answer to request " << i;
            break;
        }
        const std::string start = (i % 2 == 0 ? "GET /" : "POST /") + std::to_string(i) + "\n";
        EXPECT_EQ(body_of(*answer).substr(0, start.size()), start);
    }
    sender.join();
}

TEST(Connection, HandlesOneRequestAtATime) {
    Inbox inbox;
    const auto server = start({}, inbox.handler());
    RawClient client(server->port());
    client.send(get("/1") + get("/2"));
    const auto first = inbox.next();
    ASSERT_TRUE(first);
    EXPECT_EQ(first->request.path, "/1");
    EXPECT_EQ(server->stats().requests, 1u);
    first->respond(text("one"));
    const auto second = inbox.next();
    ASSERT_TRUE(second);
    second->respond(text("two"));
    // Late and repeated answers must not become the answer to another request.
    first->respond(text("one again"));
    second->respond(text("two again"));
    client.send(get("/3", "Connection: close\r\n"));
    const auto third = inbox.next();
    ASSERT_TRUE(third);
    first->respond(text("one for the third time"));
    third->respond(text("three"));
    const auto answers = client.read_to_end();
    ASSERT_TRUE(answers);
    EXPECT_EQ(count_responses(*answers), 3u);
    EXPECT_EQ(answers->find("again"), std::string::npos);
    EXPECT_EQ(answers->find("third"), std::string::npos);
    EXPECT_NE(answers->find("three"), std::string::npos);
}

TEST(Connection, TakesTheFirstOfManyAnswersFromManyThreads) {
    Inbox inbox;
    const auto server = start({}, inbox.handler());
    RawClient client(server->port());
    for (int round = 0; round < 50; ++round) {
        client.send(get("/"));
        const auto pending = inbox.next();
        ASSERT_TRUE(pending);
        std::vector<std::thread> threads;
        threads.reserve(4);
        for (int i = 0; i < 4; ++i) threads.emplace_back([&] { pending->respond(text("answer")); });
        const auto answer = client.read_response();
        for (std::thread& thread : threads) thread.join();
        ASSERT_TRUE(answer);
        EXPECT_EQ(body_of(*answer), "answer");
    }
    client.finish_sending();
    EXPECT_EQ(client.read_to_end(), "");
}

TEST(Connection, TakesABodyWhereverItsBytesAreCut) {
    const auto server = start({}, echo);
    const std::string head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    const std::string bytes = head + "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n";
    RawClient client(server->port());
    for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
        client.send(bytes.substr(0, cut));
        client.send(bytes.substr(cut));
        const auto answer = client.read_response();
        ASSERT_TRUE(answer) << cut;
        EXPECT_EQ(body_of(*answer), "POST /\nhello world");
    }
    for (const char byte : bytes) client.send(std::string_view(&byte, 1));
    const auto answer = client.read_response();
    ASSERT_TRUE(answer);
    EXPECT_EQ(body_of(*answer), "POST /\nhello world");
}

TEST(Connection, HeadHasTheLengthButNoBody) {
    const auto server = start({}, echo);
    RawClient client(server->port());
    client.send("HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n" + get("/b", "Connection: close\r\n"));
    const auto answers = client.read_to_end();
    ASSERT_TRUE(answers);
    EXPECT_NE(answers->find("\r\nContent-Length: 8\r\n"), std::string::npos);
    EXPECT_EQ(answers->find("HEAD /a"), std::string::npos);
    EXPECT_EQ(answers->substr(answers->size() - 7), "GET /b\n");
}

TEST(Connection, Http10IsAnsweredAndClosed) {
    const auto server = start({}, echo);
    RawClient client(server->port());
    client.send("GET /old HTTP/1.0\r\nHost: x\r\n\r\n" + get("/never"));
    const auto answer = client.read_to_end();
    ASSERT_TRUE(answer);
    EXPECT_EQ(count_responses(*answer), 1u);
    EXPECT_EQ(body_of(*answer), "GET /old\n");
}

TEST(Connection, SaysContinueToAClientThatWaitsForIt) {
    const auto server = start({}, echo);
    RawClient client(server->port());
    const std::string head =
        "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n";
    const std::string go_on = "HTTP/1.1 100 Continue\r\n\r\n";
    client.send(head);
    EXPECT_EQ(client.read_bytes(go_on.size()), go_on);
    client.send("hello");
    const auto answer = client.read_response();
    ASSERT_TRUE(answer);
    EXPECT_EQ(body_of(*answer), "POST /\nhello");
    // One that does not wait gets its answer alone.
    client.send(head + "again");
    const auto second = client.read_response();
    ASSERT_TRUE(second);
    EXPECT_EQ(body_of(*second), "POST /\nagain");
}

TEST(Connection, AHalfClosedClientStillGetsItsAnswer) {
    const auto server = start({}, echo);
    RawClient client(server->port());
    client.send(get("/a"));
    client.finish_sending();
    const auto answer = client.read_to_end();
    ASSERT_TRUE(answer);
    EXPECT_EQ(body_of(*answer), "GET /a\n");
}

TEST(Connection, ADisconnectCancelsNothingAndTheAnswerIsHarmless) {
    Inbox inbox;
    const auto server = start({}, inbox.handler());
    std::vector<Pending> pending;
    for (int i = 0; i < 20; ++i) {
        RawClient client(server->port());
        client.send(post_to("/", "body"));
        auto request = inbox.next();
        ASSERT_TRUE(request);
        EXPECT_EQ(request->request.body, "body");
        pending.push_back(std::move(*request));
        if (i % 2 == 0) client.reset();
    }
    for (const Pending& one : pending) one.respond(text(std::string(100'000, 'a')));
    EXPECT_TRUE(eventually([&] { return server->stats().open == 0; }));
    EXPECT_EQ(server->stats().requests, 20u);
}

TEST(Connection, ATruncatedBodyNeverReachesTheHandler) {
    const auto server = start({}, echo);
    for (const char* bytes : {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhell",
                              "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                              "4\r\nhell\r\n0\r\n"}) {
        RawClient client(server->port());
        client.send(bytes);
        client.finish_sending();
        EXPECT_EQ(client.read_to_end(), "");
    }
    EXPECT_EQ(server->stats().requests, 0u);
}

TEST(Connection, AHandlerThatThrowsOrForgetsIsA500AndTheConnectionGoesOn) {
    const auto server = start({}, [](const Request& request, const Responder& respond) {
        if (request.path == "/throw") throw std::runtime_error("out of luck");
        if (request.path == "/forget") return;
        if (request.path == "/split") {
            Response response;
            response.headers = {{"A", "b\r\n\r\nHTTP/1.1 200 OK"}};
            return respond(std::move(response));
        }
        echo(request, respond);
    });
    RawClient client(server->port());
    for (const char* path : {"/throw", "/forget", "/split"}) {
        client.send(get(path));
        const auto answer = client.read_response();
        ASSERT_TRUE(answer) << path;
        EXPECT_EQ(status_of(*answer), 500) << path;
        EXPECT_EQ(answer->find("luck"), std::string::npos);
    }
    EXPECT_EQ(server->stats().handler_exceptions, 1u);
    client.send(get("/well"));
    const auto answer = client.read_response();
    ASSERT_TRUE(answer);
    EXPECT_EQ(status_of(*answer), 200);
}

TEST(Connection, AHandlerMayAskForTheEnd) {
    const auto server = start({}, [](const Request&, const Responder& respond) {
        Response response = text("bye");
        response.headers = {{"Connection", "close"}};
        respond(std::move(response));
    });
    RawClient client(server->port());
    client.send(get("/") + get("/never"));
    const auto answer = client.read_to_end();
    ASSERT_TRUE(answer);
    EXPECT_EQ(count_responses(*answer), 1u);
    EXPECT_EQ(body_of(*answer), "bye");
}

TEST(Connection, RefusalsLookAsTheOptionsSay) {
    ServerOptions options;
    options.error_response = [](int status, std::string_view detail) {
        Response response = text("{\"detail\":\"" + std::string(detail) + "\"}", status);
        response.headers = {{"Content-Type", "application/problem+json"}};
        return response;
    };
    const auto server = start(std::move(options), echo);
    RawClient client(server->port());
    client.send("GET / HTTP/1.1\r\n\r\n");
    const auto answer = client.read_to_end();
    ASSERT_TRUE(answer);
    EXPECT_EQ(status_of(*answer), 400);
    EXPECT_NE(answer->find("application/problem+json"), std::string::npos);
    EXPECT_EQ(body_of(*answer), "{\"detail\":\"Host must occur exactly once.\"}");
}

}  // namespace
}  // namespace semel::net
