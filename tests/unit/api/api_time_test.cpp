// The API in virtual time, on a store that can be made to fail: what takes a day over a socket.
#include <gmock/gmock.h>

#include "api/api.hpp"
#include "api/metrics.hpp"
#include "support/test_node.hpp"

namespace semel::test {
namespace {

using testing::HasSubstr;

ApiOptions options() {
    ApiOptions made;
    made.version = "1";
    made.listen = "127.0.0.1:1";
    return made;
}

class ApiInVirtualTime : public testing::Test {
protected:
    ApiInVirtualTime() : api_(node_.node, metrics_, options()) {
        node_.env.observe(metrics_);
        EXPECT_TRUE(api_.open().has_value());
        node_.node.start();
        node_.env.settle();
    }

    net::Response send(const std::string& method, const std::string& path,
                       const std::string& body = {}, std::vector<net::Header> headers = {}) {
        net::Request request;
        request.method = method;
        request.path = path;
        request.body = body;
        request.peer_is_loopback = true;
        request.headers = std::move(headers);
        request.headers.push_back({"Host", "localhost"});
        if (!body.empty()) {
            request.headers.push_back({"Content-Type", "application/json"});
        }
        std::optional<net::Response> answered;
        api_.handle(std::move(request),
                    [&answered](net::Response response) { answered = std::move(response); });
        node_.env.settle();
        EXPECT_TRUE(answered.has_value()) << method << " " << path;
        return answered.value_or(net::Response{});
    }
    static std::string member(const net::Response& response, std::string_view name) {
        const auto parsed = json::Document::parse(response.body);
        const auto value = parsed ? parsed->root().find(name) : std::nullopt;
        return value && value->is_string() ? std::string(value->as_string()) : "";
    }

    Metrics metrics_;
    TestNode node_;
    Api api_;
};

constexpr const char* kBody = R"({"type":"t"})";

TEST_F(ApiInVirtualTime, AKeyIsRememberedForADay) {
    const std::vector<net::Header> key = {{"Idempotency-Key", "k"}};
    const std::string first = send("POST", "/v1/actions", kBody, key).body;
    node_.env.advance(std::chrono::hours(24) - Millis(1));
    EXPECT_EQ(send("POST", "/v1/actions", kBody, key).body, first);
    node_.env.advance(Millis(1));
    const net::Response next = send("POST", "/v1/actions", kBody, key);
    EXPECT_EQ(next.status, 201);
    EXPECT_NE(next.body, first);
    EXPECT_EQ(next.header("idempotent-replayed"), nullptr);
}

TEST_F(ApiInVirtualTime, AMatchWhoseRowsAreGoneAnswersItsIdAndStatus) {
    const std::string body = R"({"type":"t","payload":{"entityId":1},
        "deduplication":{"scope":"any","windowSeconds":2000000}})";
    const std::string id = member(send("POST", "/v1/actions", body), "id");
    EXPECT_EQ(send("POST", "/v1/actions/" + id + "/cancel").status, 200);
    node_.env.skip(std::chrono::hours(24 * 8));
    node_.env.advance(std::chrono::minutes(2));
    EXPECT_EQ(send("GET", "/v1/actions/" + id).status, 404);
    const net::Response purged = send("POST", "/v1/actions", body);
    EXPECT_EQ(purged.status, 200);
    EXPECT_EQ(purged.body, R"({"id":")" + id +
                               R"(","decision":"duplicate","replaced":false,)"
                               R"("status":"cancelled","purged":true})");
}

TEST_F(ApiInVirtualTime, AFailingStoreIsSaidToFailAndReadinessNamesTheCause) {
    EXPECT_EQ(send("GET", "/readyz").status, 200);
    node_.store.fail_commit = Error(ErrorCode::io_error, "disk full");
    const net::Response refused = send("POST", "/v1/actions", kBody);
    EXPECT_EQ(refused.status, 503);
    EXPECT_EQ(member(refused, "code"), "store_unavailable");
    EXPECT_EQ(*refused.header("retry-after"), "1");
    EXPECT_EQ(*refused.header("content-type"), "application/problem+json");
    EXPECT_THAT(refused.body, testing::Not(HasSubstr("disk full")));
    const net::Response unready = send("GET", "/readyz");
    EXPECT_EQ(unready.status, 503);
    EXPECT_THAT(unready.body, HasSubstr(R"("name":"store_write_failed","detail":"disk full")"));
    EXPECT_EQ(send("GET", "/healthz").status, 200);
    node_.store.fail_commit.reset();
    EXPECT_EQ(send("POST", "/v1/actions", kBody).status, 201);
    EXPECT_EQ(send("GET", "/readyz").status, 200);
}

// A claim takes no key: whoever followed such advice would be refused.
TEST_F(ApiInVirtualTime, WhatMayHaveBeenDoneIsRepeatedInTheWayOfItsSurface) {
    const auto told_unknown = [&](const std::string& path, const std::string& body) {
        node_.store.lose_commit = Error(ErrorCode::commit_unknown, "lost");
        const net::Response answer = send("POST", path, body);
        EXPECT_EQ(answer.status, 503) << answer.body;
        return member(answer, "detail");
    };
    EXPECT_THAT(told_unknown("/v1/actions", kBody), HasSubstr("Idempotency-Key"));
    const std::string claim = R"({"key":"k"})";
    const std::string words = told_unknown("/v1/fences/claim", claim);
    EXPECT_THAT(words, testing::Not(HasSubstr("Idempotency-Key")));
    EXPECT_THAT(words, HasSubstr("repeat it as it is"));
    EXPECT_EQ(member(send("POST", "/v1/fences/claim", claim), "decision"), "in_flight");
    node_.env.advance(std::chrono::seconds(60));
    EXPECT_EQ(member(send("POST", "/v1/fences/claim", claim), "decision"), "new")
        << "as the words say";
}

TEST_F(ApiInVirtualTime, AClaimOnAFailingStoreIsRefusedToo) {
    node_.store.fail_load = Error(ErrorCode::unavailable, "gone");
    EXPECT_EQ(send("POST", "/v1/jobs/claim", R"({"types":["t"]})").status, 503);
    EXPECT_EQ(send("POST", "/v1/tokens", R"({"scopes":["admin"]})").status, 503);
    EXPECT_FALSE(api_.has_tokens()) << "a token that was not committed must not count";
}

TEST_F(ApiInVirtualTime, ALongPollIsAnsweredWhenItsTimeComes) {
    net::Request request;
    request.method = "POST";
    request.path = "/v1/jobs/claim";
    request.body = R"({"types":["t"],"waitMs":60000})";
    request.peer_is_loopback = true;
    request.headers = {{"Host", "localhost"}, {"Content-Type", "application/json"}};
    std::optional<net::Response> answered;
    api_.handle(std::move(request),
                [&answered](net::Response response) { answered = std::move(response); });
    node_.env.advance(Millis(59'999));
    EXPECT_FALSE(answered);
    node_.env.advance(Millis(1));
    ASSERT_TRUE(answered);
    EXPECT_EQ(answered->body, R"({"jobs":[]})");
}

TEST_F(ApiInVirtualTime, ADelayedActionWakesALongPollAtItsTime) {
    send("POST", "/v1/actions", R"({"type":"t","delayMs":30000})");
    net::Request request;
    request.method = "POST";
    request.path = "/v1/jobs/claim";
    request.body = R"({"types":["t"],"waitMs":60000})";
    request.peer_is_loopback = true;
    request.headers = {{"Host", "localhost"}, {"Content-Type", "application/json"}};
    std::optional<net::Response> answered;
    api_.handle(std::move(request),
                [&answered](net::Response response) { answered = std::move(response); });
    node_.env.advance(Millis(29'999));
    EXPECT_FALSE(answered);
    node_.env.advance(Millis(1));
    ASSERT_TRUE(answered);
    EXPECT_THAT(answered->body, HasSubstr(R"("attempt":1)"));
}

TEST_F(ApiInVirtualTime, AnAnswerMayComeAfterTheApiHasGone) {
    auto metrics = std::make_unique<Metrics>();
    auto api = std::make_unique<Api>(node_.node, *metrics, options());
    net::Request request;
    request.method = "POST";
    request.path = "/v1/jobs/claim";
    request.body = R"({"types":["t"],"waitMs":1000})";
    request.peer_is_loopback = true;
    request.headers = {{"Host", "localhost"}, {"Content-Type", "application/json"}};
    bool is_answered = false;
    api->handle(std::move(request), [&](const net::Response&) { is_answered = true; });
    api.reset();
    node_.env.advance(Millis(1000));
    EXPECT_TRUE(is_answered);
}

TEST_F(ApiInVirtualTime, WhatTheServerRefusesIsAProblemToo) {
    const std::vector<std::pair<int, std::string>> codes = {
        {400, "invalid"},   {408, "invalid"}, {413, "too_large"},  {417, "invalid"},
        {431, "too_large"}, {500, ""},        {503, "overloaded"}, {505, "invalid"}};
    for (const auto& [status, code] : codes) {
        const net::Response refused = api_.refuse(status, "why");
        EXPECT_EQ(refused.status, status);
        EXPECT_EQ(member(refused, "code"), code) << status;
        EXPECT_EQ(member(refused, "detail"), "why") << status;
        EXPECT_EQ(*refused.header("content-type"), "application/problem+json");
        EXPECT_EQ(*refused.header("x-content-type-options"), "nosniff");
    }
}

}  // namespace
}  // namespace semel::test
