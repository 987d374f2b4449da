// The list of uncertain claims, and how operators end them.
#include "http/claim_fixture.hpp"

namespace semel::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

const std::string kReleased = R"({"outcome":"released","reason":"asked"})";
const std::string kFound =
    R"({"outcome":"sealed","reason":"asked","response":{"status":201,)"
    R"("headers":{"Location":"/m/7","Set-Cookie":"a=b","X-Trace":"1","Content-Type":"text/plain"},)"
    R"("body":"done"}})";

class ClaimsOverHttp : public ClaimTest {};

// ---- the list -----------------------------------------------------------------------------------

TEST_F(ClaimsOverHttp, AreListedWithTheirRequest) {
    EXPECT_THAT(ids(list()), IsEmpty());
    const PassAnswer pass = doubt({.key = "order-17"});
    const Answered listed = list();
    ASSERT_THAT(ids(listed), ElementsAre(id_of(pass.key)));
    EXPECT_EQ(listed.text("/items/0/space"), "key.message.api");
    EXPECT_EQ(listed.text("/items/0/state"), "uncertain");
    EXPECT_EQ(listed.raw("/items/0/keyParts"), R"(["ann","order-17"])");
    EXPECT_EQ(listed.text("/items/0/key"), R"(["ann","order-17"])");
    const std::string effect = pass.key->effect->id;
    EXPECT_EQ(listed.text("/items/0/effectId"), effect);
    EXPECT_EQ(listed.raw("/items/0/owner"), R"({"kind":"effect","id":")" + effect + "\"}");
    EXPECT_EQ(listed.text("/items/0/createdAt"), format_rfc3339(pass.key->created_at));
    EXPECT_EQ(listed.text("/items/0/dispatchedAt"),
              format_rfc3339(*pass.key->effect->pass->dispatched_at));
    EXPECT_EQ(listed.integer("/items/0/attempt"), 1);
    EXPECT_EQ(listed.integer("/items/0/duplicates"), 0);
    for (const char* absent : {"sealedAt", "expiresAt", "twin", "response"}) {
        EXPECT_EQ(listed.raw(std::string("/items/0/") + absent), "null") << absent;
    }
    EXPECT_EQ(listed.raw("/nextCursor"), "null");
}

TEST_F(ClaimsOverHttp, BothClaimsOfARequestAreListedAndResolvedTogether) {
    const PassAnswer pass = doubt({.key = "k", .guard = "hello"});
    const Answered listed = list();
    EXPECT_THAT(ids(listed), UnorderedElementsAre(id_of(pass.key), id_of(pass.guard)));
    const Answered keys = list("&space=key.message.api");
    EXPECT_THAT(ids(keys), ElementsAre(id_of(pass.key)));
    EXPECT_EQ(keys.text("/items/0/twin"), id_of(pass.guard));
    EXPECT_EQ(list("&space=guard.message.api").text("/items/0/twin"), id_of(pass.key));
    EXPECT_THAT(ids(list("&space=key.other")), IsEmpty());
    EXPECT_EQ(resolve(pass.guard, kReleased).text("/state"), "free");
    EXPECT_THAT(ids(list()), IsEmpty());
    EXPECT_EQ(passes_.admit({.key = "k", .guard = "hello"}).decision, Decision::new_);
}

TEST_F(ClaimsOverHttp, FencesAreInTheSameList) {
    const auto token = client_.post("/v1/fences/claim", R"({"key":"invoice"})").integer("/token");
    client_.post("/v1/fences/invoice/uncertain", token_body(token));
    const Answered listed = list("&space=fences");
    ASSERT_EQ(ids(listed).size(), 1U) << listed.body;
    EXPECT_EQ(listed.text("/items/0/key"), "invoice");
    EXPECT_EQ(listed.raw("/items/0/keyParts"), R"(["invoice"])");
    EXPECT_EQ(listed.raw("/items/0/effectId"), "null");
    EXPECT_FALSE(listed.at("/items/0/dispatchedAt")) << "of requests only";
    client_.post("/v1/claims/" + ids(listed).front() + "/resolve", kReleased);
    EXPECT_THAT(ids(list()), IsEmpty());
}

TEST_F(ClaimsOverHttp, ArePagedNewestFirst) {
    std::vector<std::string> made;
    for (int i = 0; i < 5; ++i) made.push_back(id_of(doubt({.key = std::to_string(i)}).key));
    std::vector<std::string> met;
    std::string cursor;
    do {
        const Answered page = list("&limit=2" + (cursor.empty() ? "" : "&cursor=" + cursor));
        EXPECT_LE(page.size("/items"), 2U);
        for (const std::string& id : ids(page)) met.push_back(id);
        cursor = page.text("/nextCursor");
    } while (!cursor.empty());
    EXPECT_THAT(met, testing::UnorderedElementsAreArray(made));
}

TEST_F(ClaimsOverHttp, NeedReadAndShowOneTenant) {
    const PassAnswer pass = doubt({.key = "k"});
    EXPECT_THAT(ids(tenant_caller("zeta").get("/v1/claims?state=uncertain")), IsEmpty());
    const std::string secret =
        client_.post("/v1/tokens", R"({"scopes":["admin"]})").text("/secret");
    remember_secret(secret);
    Caller admin = caller({{"Authorization", "Bearer " + secret}});
    EXPECT_THAT(ids(token_caller(admin, R"(["read"])").get("/v1/claims?state=uncertain")),
                ElementsAre(id_of(pass.key)));
    EXPECT_EQ(token_caller(admin, R"(["work"])").get("/v1/claims?state=uncertain").status, 403);
    EXPECT_EQ(client_.get("/v1/claims?state=uncertain").status, 401);
    Caller writer = token_caller(admin, R"(["read","write"])");
    EXPECT_EQ(writer.post("/v1/claims/" + id_of(pass.key) + "/resolve", kReleased).status, 403);
}

TEST_F(ClaimsOverHttp, MetricsCountThemByRoute) {
    doubt({.key = "a"});
    const PassAnswer last = doubt({.key = "b"});
    const std::string line = "semel_claims_uncertain{route=\"message.api\"} ";
    EXPECT_THAT(client_.get("/metrics").body, HasSubstr(line + "2\n"));
    resolve(last.key, kReleased);
    EXPECT_THAT(client_.get("/metrics").body, HasSubstr(line + "1\n"));
}

// ---- what ends them -----------------------------------------------------------------------------

TEST_F(ClaimsOverHttp, AFoundAnswerIsKeptForRepeatsOfKeyAndGuard) {
    const Asked both{.key = "k", .guard = "hello"};
    const PassAnswer pass = doubt(both);
    const Answered resolved = resolve(pass.guard, kFound);
    ASSERT_EQ(resolved.status, 200) << resolved.body;
    EXPECT_EQ(resolved.text("/state"), "sealed");
    EXPECT_EQ(resolved.raw("/response"),
              R"({"status":201,"headers":{"Location":"/m/7","Content-Type":"text/plain"},)"
              R"("bytes":4,"retained":true})");
    EXPECT_EQ(body_of(*pass.key), "done");
    for (const PassAnswer& replay : {passes_.admit(both), passes_.admit({.guard = "hello"})}) {
        EXPECT_EQ(replay.decision, Decision::duplicate);
        const auto& claim = replay.key ? replay.key : replay.guard;
        EXPECT_EQ(claim->effect->pass->answer->status, 201);
        EXPECT_EQ(
            claim->effect->pass->answer->headers,
            (std::vector<AnswerHeader>{{"Location", "/m/7"}, {"Content-Type", "text/plain"}}));
    }
    EXPECT_EQ(resolve(pass.guard, kFound).body, resolved.body) << "a repeat";
    EXPECT_EQ(resolve(pass.guard, R"({"outcome":"sealed","reason":"asked"})").code(), "conflict");
    EXPECT_THAT(ids(list()), IsEmpty());
}

TEST_F(ClaimsOverHttp, ABodyOfJsonIsKeptAsItIsWritten) {
    const PassAnswer pass = doubt({.key = "k"});
    const Answered resolved = resolve(
        pass.key,
        R"({"outcome":"sealed","reason":"r","response":{"status":200,"body":{"id": 1e400}}})");
    EXPECT_EQ(resolved.raw("/response/headers"), R"({"content-type":"application/json"})");
    EXPECT_EQ(body_of(*pass.key), R"({"id": 1e400})");
}

TEST_F(ClaimsOverHttp, WithoutAnAnswerTheRequestCountsAsDone) {
    const PassAnswer pass = doubt({.key = "k"});
    const Answered resolved = resolve(pass.key, R"({"outcome":"sealed","reason":"r"})");
    EXPECT_EQ(resolved.raw("/response/retained"), "false");
    EXPECT_FALSE(passes_.admit({.key = "k"}).key->effect->pass->answer->has_body);
}

TEST_F(ClaimsOverHttp, AnAnswerWithoutABodyIsKept) {
    const PassAnswer pass = doubt({.key = "k"});
    const Answered resolved =
        resolve(pass.key, R"({"outcome":"sealed","reason":"r","response":{"status":204}})");
    EXPECT_EQ(resolved.raw("/response"),
              R"({"status":204,"headers":{},"bytes":0,"retained":true})");
    EXPECT_EQ(body_of(*pass.key), "");
}

TEST_F(ClaimsOverHttp, TheBodyGoesWithTheLastClaimThatIsFreed) {
    const PassAnswer pass = doubt({.key = "k", .guard = "hello"});
    resolve(pass.key, kFound);
    for (const auto& [claim, left] : {std::pair(pass.key, true), std::pair(pass.guard, false)}) {
        EXPECT_EQ(client_.send("DELETE", "/v1/claims/" + id_of(claim) + "?reason=again").status,
                  200);
        EXPECT_EQ(body_of(*pass.key).has_value(), left);
    }
}

TEST_F(ClaimsOverHttp, ExplainShowsTheAnswerButNeverItsBody) {
    const PassAnswer pass = doubt({.key = "k"});
    const std::string story = "/v1/explain?claimId=" + id_of(pass.key);
    const Answered open = client_.get(story);
    EXPECT_EQ(open.text("/items/0/state"), "uncertain");
    EXPECT_EQ(open.raw("/items/0/response"), "null");
    EXPECT_THAT(open.text("/items/0/summary"), HasSubstr("its answer is not known"));
    EXPECT_EQ(open.text("/items/0/dispatchedAt"),
              format_rfc3339(*pass.key->effect->pass->dispatched_at));
    resolve(pass.key, kFound);
    const Answered sealed = client_.get(story);
    EXPECT_EQ(sealed.integer("/items/0/response/status"), 201);
    EXPECT_EQ(sealed.integer("/items/0/response/bytes"), 4);
    EXPECT_EQ(sealed.text("/items/0/response/headers/Content-Type"), "text/plain");
    EXPECT_THAT(sealed.body, Not(HasSubstr("done")));
}

}  // namespace
}  // namespace semel::test
