// What is shown of fences and other keys, and to whom.
#include "http/fence_fixture.hpp"

namespace semel::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class FenceViews : public FenceTest {
protected:
    Answered story(const std::string& query) {
        Answered told = client_.get("/v1/explain?" + query);
        EXPECT_EQ(told.status, 200) << told.body;
        EXPECT_EQ(told.size("/items"), 1U) << told.body;
        return told;
    }
};

// A token is the right to seal: whoever may only read is not shown it.
TEST_F(FenceViews, AReaderIsShownNoTokenAndAWorkerIs) {
    const std::string secret =
        client_.post("/v1/tokens", R"({"scopes":["admin"]})").text("/secret");
    remember_secret(secret);
    Caller admin = caller({{"Authorization", "Bearer " + secret}});
    Caller reader = token_caller(admin, R"(["read"])");
    Caller worker = token_caller(admin, R"(["read","work"])");
    const auto token = worker.post("/v1/fences/claim", R"({"key":"k"})").integer("/token");
    ASSERT_GT(token, 0);
    const std::string digits = std::to_string(token);
    for (const std::string& target :
         {path("k"), std::string("/v1/explain?key=k&space=fences"), std::string("/v1/decisions")}) {
        const Answered shown = worker.get(target);
        EXPECT_EQ(shown.status, 200) << shown.body;
        EXPECT_THAT(shown.body, HasSubstr("\"token\":" + digits)) << target;
        const Answered hidden = reader.get(target);
        EXPECT_EQ(hidden.status, 200) << hidden.body;
        EXPECT_THAT(hidden.body, Not(HasSubstr(digits))) << target;
    }
    EXPECT_FALSE(reader.get(path("k")).at("/token"));
    EXPECT_EQ(reader.get("/v1/decisions").raw("/items/0/token"), "null");
}

// Whoever looks at it by any way is told the same: it is there, and nobody has it.
TEST_F(FenceViews, AKeyThatWasLetGoIsFree) {
    const auto token = own("k", R"("content":{"a":1})");
    EXPECT_EQ(call("k", "release", token).text("/state"), "free");
    const Answered shown = client_.get(path("k"));
    EXPECT_EQ(shown.status, 200) << shown.body;
    EXPECT_EQ(shown.text("/state"), "free");
    EXPECT_FALSE(shown.at("/leaseUntil") || shown.at("/effectId") || shown.at("/previous"));
    EXPECT_EQ(client_.get(path("k", "?sealed=true")).status, 404);
    const Answered told = story("key=k&space=fences");
    EXPECT_EQ(told.text("/items/0/state"), "free");
    EXPECT_EQ(told.raw("/items/0/rule"), "null");
    EXPECT_EQ(told.raw("/items/0/until"), "null");
    own("k", R"("content":{"a":2})");
}

TEST_F(FenceViews, NumbersThatNoDoubleHoldsAreComparedByTheirBytes) {
    const auto token = own("k", R"("content":{"n":1e400})");
    expect("in_flight", "k", R"("content":{"n":1e400})");
    const Answered other = ask(R"({"key":"k","content":{"n":1E400}})");
    EXPECT_EQ(other.status, 409) << other.body;
    EXPECT_THAT(other.raw("/diff"), HasSubstr("1E400"));
    const Answered spaced = ask(R"({"key":"k","content":{"n": 1e400}})");
    EXPECT_EQ(spaced.status, 409) << spaced.body;
    EXPECT_EQ(spaced.raw("/diff"), R"([{"op":"replace","path":"","value":{"n":1e400}}])");
    const Answered sealed = seal("k", token, R"("effectId":"e","receipt":[-1e999])");
    EXPECT_THAT(sealed.body, HasSubstr(R"("receipt":[-1e999])"));
    EXPECT_EQ(seal("k", token, R"("effectId":"e","receipt":[-1e999])").body, sealed.body);
    EXPECT_EQ(ask(R"({"key":"j","leaseMs":1e400})").text("/pointer"), "/leaseMs");
    EXPECT_EQ(client_.post("/v1/actions", R"({"type":"t","payload":1e400})").status, 400)
        << "payloads are read by handlers";
}

TEST_F(FenceViews, SecretsAreMaskedInADiffWhereverTheyStand) {
    own("k", R"("content":{"list":[{"Card":"4111"},{"a":1}],"x":{"TOKEN":["s1"]},"n":1})");
    const Answered refused =
        ask(R"({"key":"k","content":{"list":[{"Card":"4222"},{"a":2,"CVV":{"deep":"777"}}],)"
            R"("x":{"TOKEN":["s2","s3"]},"n":2,"more":[{"password":"hunter2"}]}})");
    EXPECT_EQ(refused.status, 409) << refused.body;
    for (const char* secret : {"4111", "4222", "777", "s1", "s2", "s3", "hunter2"}) {
        EXPECT_THAT(refused.raw("/diff"), Not(HasSubstr(secret)));
    }
    EXPECT_THAT(refused.raw("/diff"), HasSubstr(R"("path":"/n","value":2)"));
}

// ---- stories of the other surfaces ------------------------------------------------------------

TEST_F(FenceViews, TheStoryOfAnActionsKeyHasItsRuleAndItsDuplicates) {
    const std::string body =
        R"({"type":"mail","payload":{"entityId":"order-7"},"deduplication":{"windowSeconds":60}})";
    const std::string id = schedule(body);
    EXPECT_EQ(client_.post("/v1/actions", body).text("/decision"), "duplicate");
    const Answered told = story("key=order-7");
    EXPECT_EQ(told.text("/items/0/space"), "actions");
    EXPECT_EQ(told.text("/items/0/effectId"), id);
    EXPECT_EQ(told.text("/items/0/rule"), "first");
    EXPECT_EQ(told.text("/items/0/since"), told.text("/items/0/firstSeenAt"));
    EXPECT_EQ(told.raw("/complete"), "true");
}

TEST_F(FenceViews, TheStoryOfAChainsKeyAndOfAnIdempotencyKeyIsToldToo) {
    const Headers header = {{"Idempotency-Key", "once-1"}};
    const Answered chain = client_.post(
        "/v1/chains", R"({"type":"c","input":1,"deduplication":{"key":"chain-1"}})", header);
    EXPECT_EQ(chain.status, 201) << chain.body;
    const Answered of_chain = story("key=chain-1");
    EXPECT_EQ(of_chain.text("/items/0/space"), "chains");
    EXPECT_EQ(of_chain.text("/items/0/rule"), "key");
    EXPECT_EQ(of_chain.text("/items/0/effectId"), chain.text("/chain/id"));
    const Answered of_header = story("key=once-1");
    EXPECT_EQ(of_header.text("/items/0/space"), "api");
    EXPECT_EQ(of_header.text("/items/0/rule"), "first");
    EXPECT_EQ(of_header.text("/items/0/state"), "sealed");
    EXPECT_NE(of_header.text("/items/0/until"), "");
}

TEST_F(FenceViews, KeysThatCannotBeAreRefused) {
    for (const char* query : {"key=", "key=%FF", "key=%C3%28", "key=&space=fences"}) {
        EXPECT_EQ(client_.get(std::string("/v1/explain?") + query).status, 400) << query;
    }
    EXPECT_EQ(client_.get("/v1/explain?space=fences&key=" + std::string(300, 'x')).size("/items"),
              0U);
    own("k");
    EXPECT_EQ(client_.send("DELETE", "/v1/claims/" + claim_id("k") + "?reason=%FF").status, 400);
    EXPECT_EQ(client_.get(path("k")).text("/state"), "owned");
}

}  // namespace
}  // namespace semel::test
