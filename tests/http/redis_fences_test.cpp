// Fences that are kept in Redis: what is said of it, and what happens when it goes away.
#include "http/fence_fixture.hpp"
#include "support/redis_server.hpp"

namespace semel::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class FencesOnRedis : public testing::Test {
protected:
    Answered claim(const std::string& key) {
        return client_.post("/v1/fences/claim", R"({"key":")" + key + R"("})");
    }
    // Until the server has noticed that Redis is back.
    Answered claim_until_answered(const std::string& key) {
        const auto deadline = std::chrono::steady_clock::now() + kPatience;
        Answered told = claim(key);
        while (told.status == 503 && std::chrono::steady_clock::now() < deadline) {
            told = claim(key);
        }
        return told;
    }
    Answered ready_until(const std::string& text) {
        const auto deadline = std::chrono::steady_clock::now() + kPatience;
        Answered seen = client_.get("/readyz");
        while (seen.body.find(text) == std::string::npos &&
               std::chrono::steady_clock::now() < deadline) {
            seen = client_.get("/readyz");
        }
        return seen;
    }

    TempFolder folder_;
    RedisServer redis_{{"requirepass=hush"}};
    TestServer server_{folder_.file("semel.db"),
                       {.fences = "redis://:hush@127.0.0.1:" + std::to_string(redis_.port())}};
    Caller client_{server_.url(), {}};
};

TEST_F(FencesOnRedis, ReadyzSaysWhatItPromisesAndWhatToSet) {
    const Answered ready = client_.get("/readyz");
    EXPECT_EQ(ready.status, 200) << ready.body;
    EXPECT_EQ(ready.text("/fences/kind"), "redis");
    EXPECT_EQ(ready.raw("/fences/durable"), "false");
    EXPECT_THAT(ready.text("/fences/durability"), HasSubstr("appendfsync = no"));
    EXPECT_EQ(ready.text("/warnings/0/name"), "redis_forgets");
    EXPECT_THAT(ready.body, Not(HasSubstr("hush")));
}

TEST_F(FencesOnRedis, AreNotInTheListOfUncertainClaims) {
    const Answered all = client_.get("/v1/claims?state=uncertain");
    EXPECT_EQ(all.status, 200) << all.body;
    EXPECT_EQ(all.size("/items"), 0U);
    const Answered fences = client_.get("/v1/claims?state=uncertain&space=fences");
    EXPECT_EQ(fences.status, 400) << fences.body;
    EXPECT_EQ(fences.code(), "invalid");
    EXPECT_THAT(fences.text("/detail"), HasSubstr("fences are in Redis"));
}

TEST_F(FencesOnRedis, WithoutItFencesAreUnavailableAndEverythingElseGoesOn) {
    const auto token = claim("k").integer("/token");
    redis_.kill();
    const Answered refused = claim("k");
    EXPECT_EQ(refused.status, 503) << refused.body;
    EXPECT_EQ(refused.code(), "store_unavailable");
    const Answered ready = client_.get("/readyz");
    EXPECT_EQ(ready.status, 503);
    EXPECT_THAT(ready.body, HasSubstr("fence_store_failed"));
    EXPECT_THAT(ready.body, Not(HasSubstr("hush")));
    EXPECT_EQ(client_.post("/v1/actions", R"({"type":"mail"})").status, 201);
    redis_.start();
    EXPECT_EQ(claim_until_answered("k").text("/decision"), "in_flight") << "it kept what it had";
    const Answered sealed =
        client_.post("/v1/fences/k/seal", token_body(token, R"("effectId":"e")"));
    EXPECT_EQ(sealed.status, 200) << sealed.body;
}

TEST_F(FencesOnRedis, WhileItIsFrozenCallersAndReadyzAreToldInTime) {
    (void)claim("k");
    redis_.freeze();
    const auto began = std::chrono::steady_clock::now();
    const Answered refused = claim("k");
    EXPECT_EQ(refused.status, 503) << refused.body;
    EXPECT_EQ(refused.code(), "store_unavailable");
    EXPECT_NE(refused.header("Retry-After"), nullptr);
    EXPECT_THAT(refused.text("/detail"), HasSubstr("did not answer in time"));
    const Answered ready = client_.get("/readyz");
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(8)) << "2, if well";
    EXPECT_EQ(ready.status, 503);
    EXPECT_THAT(ready.body, HasSubstr("Redis at 127.0.0.1:" + std::to_string(redis_.port()) +
                                      " did not answer within 2 s"));
    EXPECT_THAT(ready.body, HasSubstr(R"("name":"fence_store_failed")"));
    EXPECT_THAT(ready.body, Not(HasSubstr(R"("name":"store_write_failed")")));
    EXPECT_EQ(client_.post("/v1/actions", R"({"type":"mail"})").status, 201);
    redis_.thaw();
    EXPECT_EQ(ready_until(R"("status":"ready")").status, 200) << "though nobody has claimed since";
    EXPECT_EQ(claim_until_answered("k").text("/decision"), "in_flight");
}

TEST_F(FencesOnRedis, ADamagedRowIsRefusedAloneAndCanBeDeleted) {
    (void)claim("k");
    const std::string id = client_.get("/v1/fences/k").text("/claimId");
    redis_.send("HSET semel:claim:" + id + " d nonsense");
    const Answered refused = claim("k");
    EXPECT_EQ(refused.status, 503);
    EXPECT_EQ(refused.raw("/retryable"), "false");
    EXPECT_THAT(refused.text("/detail"), HasSubstr("DELETE /v1/claims/" + id));
    EXPECT_EQ(claim("other").text("/decision"), "new");
    EXPECT_EQ(client_.get("/readyz").status, 200) << "one row is not the store";
    const Answered shown = client_.get("/v1/fences/k");
    EXPECT_EQ(shown.status, 503);
    EXPECT_EQ(shown.text("/claimId"), id);
    for (const char* key : {"", "&key=other"}) {
        const Answered unknown = client_.send("DELETE", "/v1/claims/" + id + "?reason=seen" + key);
        EXPECT_EQ(unknown.status, 400) << "nobody knows whose it is";
    }
    const Answered freed = client_.send("DELETE", "/v1/claims/" + id + "?reason=seen&key=k");
    EXPECT_EQ(freed.status, 200) << freed.body;
    EXPECT_EQ(claim("k").text("/decision"), "new");
}

TEST_F(FencesOnRedis, WhenItComesBackEmptyPeopleHearOfItAndTokensStillGrow) {
    const auto token = claim("k").integer("/token");
    redis_.kill();
    redis_.clear();
    redis_.start();
    const Answered told = claim_until_answered("k");
    EXPECT_EQ(told.text("/decision"), "new") << told.body;
    EXPECT_GT(told.integer("/token"), token);
    EXPECT_THAT(ready_until("redis_lost_fences").body, HasSubstr("redis_lost_fences"));
    const Answered late = client_.post("/v1/fences/k/seal", token_body(token, R"("effectId":"e")"));
    EXPECT_EQ(late.code(), "stale_token");
}

TEST_F(FencesOnRedis, ClaimsOfBothStoresAreFoundAndFreed) {
    (void)claim("k");
    client_.post("/v1/actions", R"({"type":"mail","payload":{"entityId":"k"}})");
    const Answered told = client_.get("/v1/explain?key=k");
    ASSERT_EQ(told.size("/items"), 2U) << told.body;
    for (const char* item : {"/items/0", "/items/1"}) {
        const std::string id = told.text(std::string(item) + "/claimId");
        EXPECT_EQ(client_.get("/v1/explain?claimId=" + id).size("/items"), 1U);
        const Answered freed = client_.send("DELETE", "/v1/claims/" + id + "?reason=seen");
        EXPECT_EQ(freed.status, 200) << freed.body;
    }
    EXPECT_EQ(claim("k").text("/decision"), "new");
}

}  // namespace
}  // namespace semel::test
