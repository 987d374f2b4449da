#include "net/client.hpp"

#include <string>

#include <gtest/gtest.h>

#include "net/server.hpp"
#include "unit/net/support.hpp"

namespace semel::net {
namespace {

using namespace test;
using std::chrono::milliseconds;

Url url_of(const Server& server) {
    return *Url::parse("http://127.0.0.1:" + std::to_string(server.port()));
}

TEST(Client, RoundTripsOverOneConnection) {
    const auto server = start({}, echo);
    Client client(url_of(*server));
    for (int i = 0; i < 20; ++i) {
        const std::string body(static_cast<std::size_t>(i) * 10'000, 'b');
        const auto answer = client.send("POST", "/a?i=" + std::to_string(i), {}, body, kPatience);
        ASSERT_TRUE(answer) << answer.error().message();
        EXPECT_EQ(answer->status, 200);
        EXPECT_EQ(answer->body, "POST /a?i=" + std::to_string(i) + "\n" + body);
    }
    EXPECT_EQ(server->stats().accepted, 1u);
}

TEST(Client, SendsHostAndHeaders) {
    Inbox inbox;
    const auto server = start({}, [](const Request& request, const Responder& respond) {
        Response response = text(*request.header("a") + *request.header("host"), 404);
        response.headers = {{"B", "c"}};
        respond(std::move(response));
    });
    Client client(url_of(*server));
    const auto answer = client.send("GET", "/", {{"A", "b"}}, "", kPatience);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 404);
    EXPECT_EQ(answer->body, "b127.0.0.1:" + std::to_string(server->port()));
    ASSERT_NE(answer->header("b"), nullptr);
    EXPECT_EQ(*answer->header("b"), "c");
}

TEST(Client, KnowsAnswersWithoutBody) {
    const auto server = start({}, [](const Request& request, const Responder& respond) {
        respond(text("body", request.method == "HEAD" ? 200 : 204));
    });
    Client client(url_of(*server));
    for (const char* method : {"HEAD", "DELETE", "HEAD"}) {
        const auto answer = client.send(method, "/", {}, "", kPatience);
        ASSERT_TRUE(answer) << answer.error().message();
        EXPECT_EQ(answer->body, "");
    }
    EXPECT_EQ(server->stats().accepted, 1u);
}

TEST(Client, ConnectsAgainWhenTheServerHasClosedTheIdleConnection) {
    ServerOptions options;
    options.limits.idle_timeout = milliseconds(30);
    const auto server = start(std::move(options), echo);
    Client client(url_of(*server));
    ASSERT_TRUE(client.send("POST", "/1", {}, "", kPatience));
    ASSERT_TRUE(eventually([&] { return server->stats().open == 0; }));
    ASSERT_TRUE(client.send("POST", "/2", {}, "", kPatience));
    EXPECT_EQ(server->stats().accepted, 2u);
    EXPECT_EQ(server->stats().requests, 2u);
}

TEST(Client, GivesUpAtItsDeadlineAndMayBeUsedAgain) {
    Inbox inbox;
    const auto server = start({}, inbox.handler());
    Client client(url_of(*server));
    const auto late = client.send("GET", "/", {}, "", milliseconds(30));
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().code(), ErrorCode::timeout);
    const auto first = inbox.next();
    ASSERT_TRUE(first);
    first->respond(text("too late"));
    std::thread answering([&] {
        if (const auto second = inbox.next()) second->respond(text("in time"));
    });
    const auto answer = client.send("GET", "/", {}, "", kPatience);
    answering.join();
    ASSERT_TRUE(answer) << answer.error().message();
    EXPECT_EQ(answer->body, "in time");
}

TEST(Client, NamesAServerThatIsNotThere) {
    std::uint16_t port = 0;
    {
        const auto gone = start({}, echo);
        port = gone->port();
    }
    Client client(*Url::parse("http://127.0.0.1:" + std::to_string(port)));
    const auto answer = client.send("GET", "/", {}, "", kPatience);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code(), ErrorCode::unavailable);
    EXPECT_NE(answer.error().message().find(std::to_string(port)), std::string::npos);
}

TEST(Client, RefusesToSendWhatWouldSplitTheRequest) {
    const auto server = start({}, echo);
    Client client(url_of(*server));
    EXPECT_FALSE(client.send("GET", "/ HTTP/1.1\r\nA: b", {}, "", kPatience));
    EXPECT_FALSE(client.send("GET", "/a b", {}, "", kPatience));
    EXPECT_FALSE(client.send("GET", "", {}, "", kPatience));
    EXPECT_FALSE(client.send("G T", "/", {}, "", kPatience));
    EXPECT_FALSE(client.send("GET", "/", {{"A", "b\r\nC: d"}}, "", kPatience));
    EXPECT_EQ(server->stats().accepted, 0u);
}

TEST(Client, BoundsTheAnswer) {
    const auto server = start({}, [](const Request&, const Responder& respond) {
        respond(text(std::string(1001, 'a')));
    });
    ClientOptions options;
    options.body_bytes_max = 1000;
    Client client(url_of(*server), options);
    EXPECT_FALSE(client.send("GET", "/", {}, "", kPatience));
    options.body_bytes_max = 1001;
    Client larger(url_of(*server), options);
    EXPECT_TRUE(larger.send("GET", "/", {}, "", kPatience));
}

}  // namespace
}  // namespace semel::net
