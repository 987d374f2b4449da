// The gateway in front of a real upstream, over sockets: what it passes on, and what it refuses.
#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "unit/gateway/gateway_fixture.hpp"

namespace semel::gateway {
namespace {

using namespace net::test;

constexpr std::size_t kLarge = std::size_t{100} * 1024 * 1024;

// Answers with the request line, the headers, and the body's size.
void describe(const net::Request& request, const net::Responder& respond) {
    std::string text = request.method + " " + request.path + "?" + request.query + "\n";
    for (const net::Header& header : request.headers)
        text += header.name + ": " + header.value + "\n";
    respond(net::test::text(std::move(text)));
}

TEST_F(GatewayTest, PassesARequestAndItsAnswer) {
    start_both(describe);
    const std::string answer = ask(get("/a/b?x=1&y=%20", "X-Own: kept\r\nSemel-Token: 7\r\n"));
    EXPECT_EQ(status_of(answer), 200);
    const std::string_view seen = body_of(answer);
    EXPECT_EQ(seen.substr(0, seen.find('\n')), "GET /a/b?x=1&y=%20");
    EXPECT_NE(seen.find("\nX-Own: kept\n"), std::string::npos);
    EXPECT_NE(seen.find("\nX-Forwarded-For: 127.0.0.1\n"), std::string::npos);
    EXPECT_NE(seen.find("\nX-Forwarded-Host: shop.example\n"), std::string::npos);
    EXPECT_EQ(seen.find("Semel-Token"), std::string::npos);
}

TEST_F(GatewayTest, KeepsConnectionsOnBothSides) {
    start_both(describe);
    RawClient client(gateway_->port());
    for (int i = 0; i < 20; ++i) {
        client.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi");
        ASSERT_EQ(status_of(client.read_response().value()), 200);
    }
    EXPECT_EQ(upstream_->stats().requests, 20U);
    EXPECT_LT(upstream_->stats().accepted, 10U);  // one, unless the machine stands still
}

TEST_F(GatewayTest, PassesStatusHeadersAndEmptyBodies) {
    start_both([](const net::Request& request, const net::Responder& respond) {
        net::Response response;
        response.status = request.path == "/none" ? 204 : 404;
        response.headers = {
            {"X-Reason", "gone"}, {"Semel-Claim", "forged"}, {"Keep-Alive", "timeout=5"}};
        response.body = request.path == "/none" ? "" : "not here";
        respond(std::move(response));
    });
    const std::string missing = ask(get("/x"));
    EXPECT_EQ(status_of(missing), 404);
    EXPECT_EQ(body_of(missing), "not here");
    EXPECT_NE(missing.find("\r\nX-Reason: gone\r\n"), std::string::npos);
    EXPECT_EQ(missing.find("Semel-Claim"), std::string::npos);
    EXPECT_EQ(missing.find("Keep-Alive"), std::string::npos);
    EXPECT_EQ(status_of(ask(get("/none"))), 204);
}

TEST_F(GatewayTest, HeadHasTheLengthAndNoBody) {
    start_both([](const net::Request&, const net::Responder& respond) {
        respond(net::test::text(std::string(12345, 'x')));
    });
    const std::string answer = ask("HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    EXPECT_NE(answer.find("\r\nContent-Length: 12345\r\n"), std::string::npos);
    EXPECT_EQ(body_of(answer), "");
}

TEST_F(GatewayTest, StreamsLargeBodiesBothWays) {
    streams_ = true;
    std::atomic<std::size_t> received{0};
    start_both([&](net::Request request, const net::Responder& respond) {
        // Counts, and answers with as many bytes.
        auto body = std::move(request.source);
        auto next = std::make_shared<std::function<void()>>();
        *next = [&received, body, next, respond] {
            body->read([&received, next, respond](Result<std::string_view> piece) {
                if (!piece || piece->empty()) {
                    respond(net::test::text(std::string(received, 'y')));
                    return *next = nullptr, void();
                }
                received += piece->size();
                (*next)();
            });
        };
        (*next)();
    });
    RawClient client(gateway_->port());
    client.send(
        "POST /up HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n");
    const std::string chunk = "100000\r\n" + std::string(1 << 20, 'x') + "\r\n";
    for (std::size_t sent = 0; sent < kLarge; sent += 1 << 20) ASSERT_TRUE(client.send(chunk));
    client.send("0\r\n\r\n");
    const auto answer = client.read_to_end();
    ASSERT_TRUE(answer);
    EXPECT_EQ(received, kLarge);
    EXPECT_EQ(body_of(*answer).size(), kLarge);
}

TEST_F(GatewayTest, AnUpstreamThatIsDownIsA502AtOnce) {
    start_upstream(describe);
    const std::uint16_t port = upstream_->port();
    upstream_.reset();
    start_gateway({route_to(port)});
    for (const char* method : {"GET", "POST"}) {
        const std::string answer =
            ask(std::string(method) +
                " / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        EXPECT_EQ(status_of(answer), 502);
        EXPECT_NE(answer.find("\"upstream_unavailable\""), std::string::npos) << answer;
    }
}

TEST_F(GatewayTest, AnUpstreamThatHangsIsA504) {
    Inbox inbox;
    start_upstream(inbox.handler());
    GatewayRoute route = route_to(upstream_->port());
    route.timeout = Millis(100);
    start_gateway({route});
    EXPECT_EQ(status_of(ask(
                  "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")),
              504);
}

TEST_F(GatewayTest, AClientThatLeavesEndsTheCall) {
    std::atomic<bool> is_gone{false};
    std::atomic<int> arrived{0};
    net::Responder kept;
    start_both([&](const net::Request& request, const net::Responder& respond) {
        request.when_gone([&] { is_gone = true; });
        kept = respond;
        ++arrived;
    });
    {
        RawClient client(gateway_->port());
        client.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n");
        ASSERT_TRUE(eventually([&] { return arrived == 1; }));
    }
    EXPECT_TRUE(eventually([&] { return is_gone.load(); }));
}

TEST_F(GatewayTest, AClientThatOnlySendsNoMoreIsToldSo) {
    std::atomic<int> arrived{0};
    net::Responder kept;
    start_both([&](const net::Request&, const net::Responder& respond) {
        kept = respond;
        ++arrived;
    });
    RawClient client(gateway_->port());
    client.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n");
    ASSERT_TRUE(eventually([&] { return arrived == 1; }));
    client.finish_sending();
    EXPECT_EQ(status_of(client.read_to_end().value()), 400);
}

TEST_F(GatewayTest, RefusesWhatItCannotRoute) {
    start_upstream(describe);
    GatewayRoute route = route_to(upstream_->port());
    route.path = "/api/*";
    route.methods = {"POST"};
    start_gateway({route});
    EXPECT_EQ(status_of(ask(get("/other"))), 404);
    const std::string wrong_method = ask(get("/api/x"));
    EXPECT_EQ(status_of(wrong_method), 405);
    EXPECT_NE(wrong_method.find("\r\nAllow: POST\r\n"), std::string::npos);
    EXPECT_EQ(status_of(ask(get("/api/../admin"))), 400);
    EXPECT_EQ(status_of(ask(get("/api/%2e%2e/admin"))), 400);
    EXPECT_EQ(status_of(ask("POST /api/x HTTP/1.1\r\nHost: a\r\nConnection: close, host\r\n\r\n")),
              400);
    EXPECT_EQ(upstream_->stats().requests, 0U);
}

TEST_F(GatewayTest, ABodyOverTheRoutesLimitIsA413) {
    start_upstream([](const net::Request&, const net::Responder&) {});
    GatewayRoute route = route_to(upstream_->port());
    route.max_body = 10;
    start_gateway({route});
    EXPECT_EQ(status_of(ask("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n")), 413);
    EXPECT_EQ(
        status_of(ask("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n")),
        413);
}

TEST_F(GatewayTest, AnEarlyRefusalOfAnUploadReachesTheClient) {
    streams_ = true;
    start_both([](const net::Request&, const net::Responder& respond) {
        respond(net::test::text("too large for us", 413));
    });
    RawClient client(gateway_->port());
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n" +
                std::string(1 << 20, 'x'));
    const auto answer = client.read_to_end();
    ASSERT_TRUE(answer);
    EXPECT_EQ(status_of(*answer), 413);
    EXPECT_EQ(body_of(*answer), "too large for us");
}

TEST_F(GatewayTest, StopLetsRequestsInProgressFinish) {
    Inbox inbox;
    start_upstream(inbox.handler());
    start_gateway({route_to(upstream_->port())});
    RawClient client(gateway_->port());
    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    auto pending = inbox.next();
    ASSERT_TRUE(pending);
    RawClient idle(gateway_->port());
    std::thread stopping([&] { gateway_->stop(); });
    EXPECT_EQ(idle.read_to_end(), "");  // stop has begun
    pending->respond(net::test::text("in time"));
    const auto answer = client.read_to_end();
    ASSERT_TRUE(answer);
    EXPECT_EQ(body_of(*answer), "in time");
    client.close();
    stopping.join();
}

// ---- requests with a key ------------------------------------------------------------------------

std::string post(const std::string& key, const std::string& body,
                 const std::string& more = "Content-Type: application/json\r\n") {
    return "POST /charge HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\nIdempotency-Key: " +
           key + "\r\n" + more + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
           body;
}

// An upstream that charges a card for each request that it gets.
class KeyedGatewayTest : public GatewayTest {
protected:
    GatewayRoute keyed_route() {
        GatewayRoute route = route_to(upstream_->port());
        route.idempotency_key = KeyRule{};
        return route;
    }
    // Each request is answered with the number of the charge.
    void start_charging(int status = 201) {
        start_upstream([this, status](const net::Request& request, const net::Responder& respond) {
            const std::lock_guard lock(mutex_);
            seen_.push_back(request);
            net::Response response =
                net::test::text("{\"charge\": " + std::to_string(seen_.size()) + "}", status);
            response.headers = {
                {"Content-Type", "application/json"}, {"ETag", "\"e\""}, {"Set-Cookie", "s=1"}};
            respond(std::move(response));
        });
        start_gateway({keyed_route()});
    }
    std::size_t charges() {
        const std::lock_guard lock(mutex_);
        return seen_.size();
    }

    std::mutex mutex_;
    std::vector<net::Request> seen_;
};

TEST_F(KeyedGatewayTest, ARepeatGetsTheSameAnswerAndIsNotSent) {
    start_charging();
    const std::string first = ask(post("k1", "{\"amount\":5}"));
    EXPECT_EQ(status_of(first), 201);
    EXPECT_EQ(body_of(first), "{\"charge\": 1}");
    EXPECT_EQ(header_of(first, "Idempotent-Replayed"), "none");
    EXPECT_EQ(header_of(first, "Semel-Claim").size(), 64U);
    const std::string again = ask(post("k1", "{ \"amount\": 5 }"));
    EXPECT_EQ(status_of(again), 201);
    EXPECT_EQ(body_of(again), body_of(first));
    EXPECT_EQ(header_of(again, "Idempotent-Replayed"), "true");
    EXPECT_EQ(header_of(again, "Content-Type"), "application/json");
    EXPECT_EQ(header_of(again, "ETag"), "\"e\"");
    EXPECT_EQ(header_of(again, "Set-Cookie"), "none");
    EXPECT_EQ(header_of(again, "Semel-Claim"), header_of(first, "Semel-Claim"));
    EXPECT_EQ(body_of(ask(post("k2", "{\"amount\":5}"))), "{\"charge\": 2}");
    EXPECT_EQ(charges(), 2U);
}

TEST_F(KeyedGatewayTest, TheUpstreamGetsKeyTokenAttemptAndTenant) {
    start_charging();
    (void)ask(post("\"quoted key\"", "{}"));
    const net::Request& seen = seen_.at(0);
    EXPECT_EQ(*seen.header("Idempotency-Key"), "\"quoted key\"");
    EXPECT_GT(std::stoll(*seen.header("Semel-Token")), 0);
    EXPECT_EQ(*seen.header("Semel-Attempt"), "1");
    EXPECT_EQ(*seen.header("Semel-Tenant"), "default");
    EXPECT_EQ(seen.body, "{}");
}

TEST_F(KeyedGatewayTest, AnotherBodyUnderTheKeyIsRefusedWithTheDifference) {
    start_charging();
    (void)ask(post("k", "{\"amount\":5}"));
    const std::string other = ask(post("k", "{\"amount\":6}"));
    EXPECT_EQ(status_of(other), 409);
    EXPECT_NE(other.find("\"key_reused\""), std::string::npos);
    EXPECT_NE(other.find("{\"op\":\"replace\",\"path\":\"/amount\",\"value\":6}"),
              std::string::npos)
        << other;
    EXPECT_EQ(charges(), 1U);
}

TEST_F(KeyedGatewayTest, AnotherCallerNeverSeesTheAnswer) {
    start_charging();
    const std::string json = "Content-Type: application/json\r\n";
    for (const char* who : {"Authorization: Bearer a\r\n", "Authorization: Bearer b\r\n",
                            "Cookie: s=1\r\n", "X-Api-Key: a\r\n", ""}) {
        const std::string answer = ask(post("k", "{}", json + who));
        EXPECT_EQ(header_of(answer, "Idempotent-Replayed"), "none") << who;
    }
    EXPECT_EQ(charges(), 5U);
}

TEST_F(KeyedGatewayTest, ARefusalThatDidNothingFreesTheKey) {
    start_charging(422);
    for (int i = 0; i < 2; ++i) EXPECT_EQ(status_of(ask(post("k", "{}"))), 422);
    EXPECT_EQ(charges(), 2U);
}

TEST_F(KeyedGatewayTest, AnUpstreamsOwn500IsToldAsIt) {
    start_charging(500);
    for (int i = 0; i < 2; ++i) EXPECT_EQ(status_of(ask(post("k", "{}"))), 500);
    EXPECT_EQ(charges(), 1U);
}

TEST_F(KeyedGatewayTest, ASecondRequestWaitsForTheFirst) {
    Inbox inbox;
    start_upstream(inbox.handler());
    start_gateway({keyed_route()});
    RawClient first(gateway_->port());
    first.send(post("k", "{}"));
    auto pending = inbox.next();
    ASSERT_TRUE(pending);
    RawClient second(gateway_->port());
    second.send(post("k", "{}"));
    pending->respond(net::test::text("done"));
    EXPECT_EQ(body_of(first.read_to_end().value()), "done");
    const auto told = second.read_to_end();
    ASSERT_TRUE(told);
    EXPECT_EQ(body_of(*told), "done");
    EXPECT_EQ(header_of(*told, "Idempotent-Replayed"), "true");
    EXPECT_EQ(inbox.waiting(), 0U);
}

TEST_F(KeyedGatewayTest, WhoWaitsTooLongIsToldToComeAgain) {
    Inbox inbox;
    start_upstream(inbox.handler());
    GatewayRoute route = keyed_route();
    route.idempotency_key->wait = Millis(50);
    start_gateway({route});
    RawClient first(gateway_->port());
    first.send(post("k", "{}"));
    auto pending = inbox.next();
    ASSERT_TRUE(pending);
    const std::string told = ask(post("k", "{}"));
    EXPECT_EQ(status_of(told), 409);
    EXPECT_NE(told.find("\"in_progress\""), std::string::npos);
    EXPECT_EQ(header_of(told, "Retry-After"), "1");
    pending->respond(net::test::text("done"));
    EXPECT_EQ(body_of(first.read_to_end().value()), "done");
}

TEST_F(KeyedGatewayTest, AnAnswerThatIsCutLeavesTheKeyUncertain) {
    // A server that promises more than it sends.
    start_upstream([](const net::Request&, const net::Responder& respond) {
        class Cut : public net::BodySource {
            [[nodiscard]] std::optional<std::uint64_t> length() const override { return 10; }
            void read(OnPiece on_piece) override { on_piece(Error(ErrorCode::io_error, "cut")); }
            void abort() override {}
        };
        net::Response response;
        response.source = std::make_shared<Cut>();
        respond(std::move(response));
    });
    start_gateway({keyed_route()});
    const std::string first = ask(post("k", "{}"));
    EXPECT_EQ(status_of(first), 502);
    EXPECT_NE(first.find("\"uncertain\""), std::string::npos) << first;
    const std::string again = ask(post("k", "{}"));
    EXPECT_EQ(status_of(again), 409);
    EXPECT_EQ(header_of(again, "Semel-Claim"), header_of(first, "Semel-Claim"));
    EXPECT_EQ(upstream_->stats().requests, 1U);
}

TEST_F(KeyedGatewayTest, A502OfTheUpstreamIsDoubtAndSaysSo) {
    start_charging(502);
    const std::string first = ask(post("k", "{}"));
    EXPECT_EQ(status_of(first), 502);
    EXPECT_EQ(body_of(first), "{\"charge\": 1}");
    EXPECT_EQ(header_of(first, "Semel-Uncertain"), header_of(first, "Semel-Claim"));
    EXPECT_EQ(status_of(ask(post("k", "{}"))), 409);
    EXPECT_EQ(charges(), 1U);
}

TEST_F(KeyedGatewayTest, AnUpstreamThatIsDownFreesTheKey) {
    start_upstream(describe);
    const GatewayRoute route = keyed_route();
    upstream_.reset();
    start_gateway({route});
    for (int i = 0; i < 2; ++i) {
        const std::string answer = ask(post("k", "{}"));
        EXPECT_EQ(status_of(answer), 502);
        EXPECT_NE(answer.find("\"upstream_unavailable\""), std::string::npos) << answer;
    }
}

TEST_F(KeyedGatewayTest, AnAnswerTooLargeToKeepIsStreamedOnce) {
    constexpr std::size_t kSize = std::size_t{3} << 20;
    start_upstream([](const net::Request&, const net::Responder& respond) {
        respond(net::test::text(std::string(kSize, 'x')));
    });
    start_gateway({keyed_route()});
    const std::string first = ask(post("k", "{}"));
    EXPECT_EQ(body_of(first).size(), kSize);
    const std::string again = ask(post("k", "{}"));
    EXPECT_EQ(status_of(again), 409);
    EXPECT_NE(again.find("\"response_not_retained\""), std::string::npos) << again;
    EXPECT_EQ(upstream_->stats().requests, 1U);
}

TEST_F(KeyedGatewayTest, KeysThatCannotBeReadAreRefused) {
    start_charging();
    EXPECT_EQ(status_of(ask(post("", "{}"))), 400);
    EXPECT_EQ(status_of(ask(post("a b", "{}"))), 400);
    EXPECT_EQ(status_of(ask(post("a\r\nIdempotency-Key: b", "{}"))), 400);
    EXPECT_EQ(status_of(ask(post(std::string(256, 'k'), "{}"))), 400);
    EXPECT_EQ(charges(), 0U);
}

TEST_F(KeyedGatewayTest, GetPassesItsKeyOnAndClaimsNothing) {
    start_charging();
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(header_of(ask(get("/charge", "Idempotency-Key: k\r\n")), "Semel-Claim"), "none");
    }
    EXPECT_EQ(charges(), 2U);
    EXPECT_EQ(*seen_.at(0).header("Idempotency-Key"), "k");
}

TEST_F(KeyedGatewayTest, TwoHundredAtOnceAreOneCharge) {
    start_charging();
    std::vector<RawClient> clients;
    for (int i = 0; i < 200; ++i) {
        clients.emplace_back(gateway_->port());
        clients.back().send(post("k", "{}"));
    }
    for (RawClient& client : clients) {
        EXPECT_EQ(body_of(client.read_to_end().value()), "{\"charge\": 1}");
    }
    EXPECT_EQ(charges(), 1U);
}

}  // namespace
}  // namespace semel::gateway
