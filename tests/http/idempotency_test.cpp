// Idempotency-Key on the API's own POSTs.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "http/fixture.hpp"
#include "http/route_paths.hpp"

namespace semel::test {
namespace {

class IdempotencyKey : public ApiTest {
protected:
    static Headers key(const std::string& value) { return {{"Idempotency-Key", value}}; }
    static bool is_replayed(const Answered& answered) {
        const std::string* header = answered.header("idempotent-replayed");
        return header != nullptr && *header == "true";
    }
};

constexpr const char* kBody = R"({"type":"t"})";

TEST_F(IdempotencyKey, ARepeatGetsTheSameBytesAndMakesNothing) {
    const Answered first = client_.post("/v1/actions", kBody, key("k1"));
    EXPECT_EQ(first.status, 201);
    EXPECT_FALSE(is_replayed(first));
    static_cast<void>(claim("t"));  // the action has moved on since
    const Answered second = client_.post("/v1/actions", kBody, key("k1"));
    EXPECT_EQ(second.status, 201);
    EXPECT_EQ(second.body, first.body);
    EXPECT_EQ(*second.header("content-type"), *first.header("content-type"));
    EXPECT_TRUE(is_replayed(second));
    EXPECT_EQ(client_.get("/v1/actions").size("/items"), 1U);
}

TEST_F(IdempotencyKey, QuotedAndBareAreTheSameKey) {
    const Answered bare = client_.post("/v1/actions", kBody, key("k"));
    EXPECT_EQ(client_.post("/v1/actions", kBody, key("\"k\"")).body, bare.body);
    const Answered escaped = client_.post("/v1/actions", kBody, key(R"("a\\b")"));
    EXPECT_EQ(client_.post("/v1/actions", kBody, key(R"(a\b)")).body, escaped.body);
}

TEST_F(IdempotencyKey, AnotherBodyUnderTheSameKeyIsRefused) {
    client_.post("/v1/actions", kBody, key("k"));
    const Answered reused = client_.post("/v1/actions", R"({"type":"u"})", key("k"));
    EXPECT_EQ(reused.status, 409);
    EXPECT_EQ(reused.code(), "key_reused");
    EXPECT_EQ(reused.raw("/retryable"), "false");
    EXPECT_EQ(client_.get("/v1/actions").size("/items"), 1U);
}

TEST_F(IdempotencyKey, ItIsPerPathTenantAndToken) {
    client_.post("/v1/actions", kBody, key("k"));
    EXPECT_EQ(tenant_caller("other").post("/v1/actions", kBody, key("k")).status, 201);
    EXPECT_FALSE(is_replayed(tenant_caller("third").post("/v1/actions", kBody, key("k"))));
    EXPECT_EQ(client_.post("/v1/actions/batch", R"({"items":[]})", key("k")).status, 200);
    Caller admin = token_caller(client_, R"(["admin"])");
    EXPECT_FALSE(is_replayed(admin.post("/v1/actions", kBody, key("k"))));
    EXPECT_TRUE(is_replayed(admin.post("/v1/actions", kBody, key("k"))));
    Caller writer = token_caller(admin, R"(["write"])");
    EXPECT_FALSE(is_replayed(writer.post("/v1/actions", kBody, key("k"))));
}

TEST_F(IdempotencyKey, ARefusalIsNotKept) {
    const std::string id = schedule(R"({"type":"t"})");
    const std::string path = "/v1/actions/" + id + "/retry";
    EXPECT_EQ(client_.post(path, "", key("k")).code(), "wrong_state");
    client_.post("/v1/actions/" + id + "/cancel", "");
    const Answered retried = client_.post(path, "", key("k"));
    EXPECT_EQ(retried.status, 200);
    EXPECT_FALSE(is_replayed(retried));
}

TEST_F(IdempotencyKey, ItProtectsEveryPathThatAcceptsIt) {
    const std::string id = schedule(R"({"type":"t","delayMs":3600000})");
    const std::string action = "/v1/actions/" + id;
    const auto twice = [&](const std::string& path, const std::string& body) {
        const Answered first = client_.post(path, body, key("k"));
        EXPECT_EQ(first.status, 200) << path << first.body;
        const Answered second = client_.post(path, body, key("k"));
        EXPECT_EQ(second.body, first.body) << path;
        EXPECT_TRUE(is_replayed(second)) << path;
    };
    twice(action + "/run", "");
    const std::string job = "/v1/jobs/" + id;
    twice(job + "/release", token_body(claim("t").integer("/jobs/0/token")));
    twice(job + "/fail",
          token_body(claim("t").integer("/jobs/0/token"), R"("error":"e","final":true)"));
    twice(action + "/retry", "{}");
    twice(job + "/complete", token_body(claim("t").integer("/jobs/0/token")));
    const std::string other = schedule(R"({"type":"t"})");
    twice("/v1/actions/" + other + "/cancel", "");
    twice("/v1/actions/batch", R"({"items":[{"type":"b"}]})");
    EXPECT_EQ(client_.get("/v1/actions?type=b").size("/items"), 1U);
}

TEST_F(IdempotencyKey, WhereItIsNotSupportedItIsRefused) {
    int refused = 0;
    for (const Route& route : routes()) {
        if (route.accepts_idempotency_key) {
            continue;
        }
        const std::string path = path_of(route);
        Headers headers = key("k");
        if (route.body != BodyUse::none) {
            headers.push_back({"Content-Type", "application/json"});
        }
        const Answered answered =
            client_.send(route.method, path, route.body == BodyUse::none ? "" : "{}", headers);
        EXPECT_EQ(answered.status, 400) << route.pattern;
        EXPECT_EQ(answered.code(), "key_invalid") << route.pattern;
        ++refused;
    }
    EXPECT_EQ(refused, 35);
}

TEST_F(IdempotencyKey, AMalformedKeyIsRefusedAndNothingIsMade) {
    for (const std::string& bad :
         {std::string(), std::string("\"\""), std::string("\"open"), std::string("\"a\"b\""),
          std::string(R"("a\n")"), std::string(256, 'k'), "\"" + std::string(256, 'k') + "\"",
          std::string("a\tb"), std::string("\xff"), std::string("a, b"),
          std::string("\"a\";v=1")}) {
        const Answered refused = client_.post("/v1/actions", kBody, key(bad));
        EXPECT_EQ(refused.status, 400) << bad;
        EXPECT_EQ(refused.code(), "key_invalid") << bad;
    }
    const Answered twice =
        client_.post("/v1/actions", kBody, {{"Idempotency-Key", "a"}, {"Idempotency-Key", "a"}});
    EXPECT_EQ(twice.code(), "key_invalid");
    EXPECT_EQ(client_.get("/v1/actions").size("/items"), 0U);
    EXPECT_EQ(client_.post("/v1/actions", kBody, key(std::string(255, 'k'))).status, 201);
}

}  // namespace
}  // namespace semel::test
