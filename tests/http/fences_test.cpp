// Fences over HTTP: the decisions, and the calls of an owner.
#include "http/fence_fixture.hpp"

namespace semel::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class FencesOverHttp : public FenceTest {};

TEST_F(FencesOverHttp, OneIsNewAndAfterTheSealEveryoneGetsTheSameBytes) {
    const Answered won = expect("new", "k", R"("content":{"total":12})");
    EXPECT_GT(won.integer("/token"), 0);
    EXPECT_NE(won.text("/leaseUntil"), "");
    EXPECT_FALSE(won.at("/takeover"));
    const Answered sealed = seal("k", won.integer("/token"),
                                 R"("effectId":"ch_9","receipt":{"big":12345678901234567890})");
    EXPECT_EQ(sealed.text("/key"), "k");
    EXPECT_EQ(sealed.text("/effectId"), "ch_9");
    EXPECT_EQ(sealed.raw("/receipt"), R"({"big":12345678901234567890})");
    const Answered first = expect("duplicate", "k", R"("content":{ "total": 12.0 })");
    const Answered second = expect("duplicate", "k");
    EXPECT_EQ(first.body, second.body);
    EXPECT_EQ(first.body, fmt::format(R"({{"decision":"duplicate","key":"k","effectId":"ch_9",)"
                                      R"("receipt":{{"big":12345678901234567890}},"sealedAt":"{}",)"
                                      R"("expiresAt":"{}"}})",
                                      sealed.text("/sealedAt"), sealed.text("/expiresAt")));
}

TEST_F(FencesOverHttp, WhileSomebodyIsAtItOthersAreInFlight) {
    own("k");
    const Answered told = expect("in_flight", "k");
    EXPECT_GT(told.integer("/retryAfterMs"), 0);
    EXPECT_FALSE(told.at("/token")) << "a token is its owner's";
    EXPECT_FALSE(told.at("/receipt"));
}

TEST_F(FencesOverHttp, PartsMakeAKeyThatIsUnambiguous) {
    const auto by = [&](const std::string& parts) {
        const Answered told = ask(fmt::format(R"({{"parts":{}}})", parts));
        EXPECT_EQ(told.status, 200) << told.body;
        return told;
    };
    const Answered first = by(R"({"sourceType":"ab","sourceId":"c"})");
    EXPECT_THAT(first.text("/key"), testing::MatchesRegex("[0-9a-f]{64}"));
    const Answered second = by(R"({"sourceType":"a","sourceId":"bc"})");
    EXPECT_EQ(second.text("/decision"), "new");
    EXPECT_NE(second.text("/key"), first.text("/key"));
    EXPECT_EQ(by(R"({"sourceId":"c","sourceType":"ab"})").text("/decision"), "in_flight");
    EXPECT_EQ(by(R"({"sourceType":"n","sourceId":1})").text("/key"),
              by(R"({"sourceType":"n","sourceId":"1"})").text("/key"));
    seal(first.text("/key"), first.integer("/token"));
    EXPECT_EQ(by(R"({"sourceType":"ab","sourceId":"c"})").text("/decision"), "duplicate");
}

TEST_F(FencesOverHttp, OtherContentIsAConflictWithADiffAndWithoutSecrets) {
    const auto token = own("k", R"("content":{"total":12,"card":"4242","to":"ada"})");
    for (const bool is_sealed : {false, true}) {
        if (is_sealed) seal("k", token, R"("effectId":"ch_9")");
        const Answered refused =
            ask(R"({"key":"k","content":{"total":13,"card":"5555","to":"ada"}})");
        EXPECT_EQ(refused.status, 409) << refused.body;
        EXPECT_EQ(*refused.header("content-type"), "application/problem+json");
        EXPECT_EQ(refused.code(), "conflict");
        EXPECT_EQ(refused.text("/decision"), "conflict");
        EXPECT_THAT(refused.raw("/diff"), HasSubstr(R"("path":"/total","value":13)"));
        EXPECT_THAT(refused.body, Not(HasSubstr("5555")));
        EXPECT_THAT(refused.body, Not(HasSubstr("4242")));
        EXPECT_EQ(refused.text("/claimId"), claim_id("k"));
        EXPECT_EQ(refused.raw("/retryable"), "false");
    }
    EXPECT_EQ(ask(R"({"key":"k","content":{"total":13}})").text("/effectId"), "ch_9");
}

TEST_F(FencesOverHttp, AFingerprintAloneHasNoDiff) {
    own("k", R"("fingerprint":"one")");
    const Answered refused = ask(R"({"key":"k","fingerprint":"two"})");
    EXPECT_EQ(refused.status, 409) << refused.body;
    EXPECT_EQ(refused.raw("/diff"), "null");
    EXPECT_EQ(ask(R"({"key":"k","fingerprint":"one"})").text("/decision"), "in_flight");
}

TEST_F(FencesOverHttp, AReleaseLetsTheNextOneInWithItsOwnContent) {
    const auto token = own("k", R"("content":1)");
    const Answered released = call("k", "release", token);
    EXPECT_EQ(released.status, 200) << released.body;
    EXPECT_EQ(released.text("/state"), "free");
    EXPECT_EQ(call("k", "release", token).body, released.body) << "the same call, the same answer";
    const Answered next = expect("new", "k", R"("content":2)");
    EXPECT_GT(next.integer("/token"), token);
    EXPECT_FALSE(next.at("/takeover"));
}

TEST_F(FencesOverHttp, ALateOwnerIsRefusedAndChangesNothing) {
    const auto late = own("k", R"("leaseMs":100)");
    const Answered next = expect("new", "k", R"("waitMs":20000)");
    EXPECT_EQ(next.raw("/takeover"), "true");
    for (const char* verb : {"seal", "release", "heartbeat", "uncertain"}) {
        const std::string more = std::string(verb) == "seal" ? R"("effectId":"late")" : "";
        const Answered refused = call("k", verb, late, more);
        EXPECT_EQ(refused.status, 409) << refused.body;
        EXPECT_EQ(refused.code(), "stale_token");
    }
    seal("k", next.integer("/token"), R"("effectId":"second")");
    EXPECT_EQ(expect("duplicate", "k").text("/effectId"), "second");
}

TEST_F(FencesOverHttp, AnOwnerPastItsLeaseIsAcceptedUntilSomebodyTookOver) {
    const auto token = own("k", R"("leaseMs":100)");
    const Answered beat = call("k", "heartbeat", token, R"("leaseMs":60000)");
    EXPECT_EQ(beat.status, 200) << beat.body;
    EXPECT_EQ(beat.integer("/token"), token);
    EXPECT_NE(beat.text("/leaseUntil"), "");
    expect("in_flight", "k");
    seal("k", token);
}

TEST_F(FencesOverHttp, RepeatedCallsAreAnsweredAlikeAndOthersAreRefused) {
    const auto token = own("k");
    const Answered sealed = seal("k", token, R"("effectId":"e","receipt":{"a":1,"b":2})");
    EXPECT_EQ(seal("k", token, R"("receipt":{"b":2,"a":1},"effectId":"e")").body, sealed.body);
    const Answered other = call("k", "seal", token, R"("effectId":"f","receipt":{"a":1,"b":2})");
    EXPECT_EQ(other.status, 409);
    EXPECT_EQ(other.code(), "conflict");
    EXPECT_THAT(other.raw("/diff"), HasSubstr("/effectId"));
    for (const char* verb : {"release", "heartbeat", "uncertain"}) {
        const Answered refused = call("k", verb, token);
        EXPECT_EQ(refused.code(), "wrong_state") << verb;
        EXPECT_EQ(refused.text("/state"), "sealed") << verb;
    }
    EXPECT_EQ(call("k", "seal", token + 1, R"("effectId":"e")").code(), "stale_token");
    EXPECT_EQ(call("nobody", "seal", token, R"("effectId":"e")").status, 404);
}

TEST_F(FencesOverHttp, WhatIsUncertainIsRefusedUntilItIsResolved) {
    for (const char* outcome : {"sealed", "released"}) {
        const std::string key = outcome;
        const auto token = own(key);
        const Answered unsure = call(key, "uncertain", token, R"("reason":"no answer")");
        EXPECT_EQ(unsure.status, 200) << unsure.body;
        EXPECT_EQ(unsure.text("/state"), "uncertain");
        const Answered refused = ask(fmt::format(R"({{"key":"{}","waitMs":1000}})", key));
        EXPECT_EQ(refused.status, 409) << refused.body;
        EXPECT_EQ(refused.code(), "uncertain");
        EXPECT_EQ(refused.text("/claimId"), unsure.text("/claimId"));
        const Answered late = call(key, "seal", token, R"("effectId":"e")");
        EXPECT_EQ(late.code(), "wrong_state");
        EXPECT_EQ(late.text("/state"), "uncertain");
    }
    EXPECT_EQ(
        client_.post(path("sealed", "/resolve"), R"({"outcome":"sealed","reason":"r"})").code(),
        "invalid")
        << "nobody said which effect";
    const Answered sealed = client_.post(
        path("sealed", "/resolve"), R"({"outcome":"sealed","effectId":"ch_9","reason":"seen"})");
    EXPECT_EQ(sealed.status, 200) << sealed.body;
    EXPECT_EQ(sealed.text("/effectId"), "ch_9");
    EXPECT_EQ(expect("duplicate", "sealed").text("/effectId"), "ch_9");
    const Answered released =
        client_.post("/v1/claims/" + claim_id("released") + "/resolve",
                     R"({"outcome":"released","reason":"the bank has nothing"})");
    EXPECT_EQ(released.status, 200) << released.body;
    own("released");
    EXPECT_EQ(
        client_.post(path("sealed", "/resolve"), R"({"outcome":"released","reason":"r"})").code(),
        "conflict");
    own("k");
    const Answered early =
        client_.post(path("k", "/resolve"), R"({"outcome":"released","reason":"r"})");
    EXPECT_EQ(early.code(), "wrong_state");
    EXPECT_EQ(early.text("/state"), "owned");
}

TEST_F(FencesOverHttp, AnOlderVersionIsStaleAndAnotherOneWaits) {
    const auto version = [&](int revision, int number, const std::string& more = {}) {
        return ask(fmt::format(
            R"({{"parts":{{"sourceType":"doc","sourceId":"7","revision":"{}"}},"version":{}{}}})",
            revision, number, more));
    };
    const Answered second = version(2, 2);
    EXPECT_EQ(second.text("/decision"), "new") << second.body;
    EXPECT_EQ(version(3, 3).text("/decision"), "in_flight") << "the source is held";
    seal(second.text("/key"), second.integer("/token"));
    const Answered stale = version(1, 1);
    EXPECT_EQ(stale.text("/decision"), "stale") << stale.body;
    EXPECT_EQ(stale.integer("/lastVersion"), 2);
    EXPECT_EQ(version(2, 2).text("/decision"), "duplicate") << "its own claim is judged first";
    EXPECT_EQ(version(4, 2).text("/decision"), "new") << "equal is not lower";
}

TEST_F(FencesOverHttp, AFenceCanBeLookedAt) {
    EXPECT_EQ(client_.get(path("k")).status, 404);
    const auto token = own("k", R"("class":"batch")");
    const Answered open = client_.get(path("k"));
    EXPECT_EQ(open.status, 200) << open.body;
    EXPECT_EQ(open.text("/state"), "owned");
    EXPECT_EQ(open.integer("/token"), token);
    EXPECT_FALSE(open.at("/effectId"));
    EXPECT_FALSE(open.at("/expiresAt"));
    EXPECT_EQ(client_.get(path("k", "?sealed=true")).status, 404);
    EXPECT_EQ(client_.get(path("k", "?sealed=maybe")).status, 400);
    EXPECT_EQ(client_.get(path("k", "?colour=red")).status, 400);
    const Answered sealed = seal("k", token, R"("effectId":"e","receipt":[1,2])");
    const Answered shown = client_.get(path("k", "?sealed=true"));
    EXPECT_EQ(shown.status, 200) << shown.body;
    EXPECT_EQ(shown.raw("/receipt"), "[1,2]");
    EXPECT_EQ(shown.text("/expiresAt"), sealed.text("/expiresAt"));
}

TEST_F(FencesOverHttp, AKeyMayHoldAnythingThatAPathEscapes) {
    const std::string key = R"(a/b c?%&=ü)";
    const auto token = own(key);
    const std::string escaped = "a%2Fb%20c%3F%25%26%3D%C3%BC";
    EXPECT_EQ(client_.get(path(escaped)).text("/key"), key);
    EXPECT_EQ(seal(escaped, token).text("/key"), key);
}

TEST_F(FencesOverHttp, AClaimIsDeletedWithAReasonAndItsOwnerIsFenced) {
    const auto token = own("k");
    const std::string id = claim_id("k");
    EXPECT_EQ(client_.send("DELETE", "/v1/claims/" + id).status, 400) << "without a reason";
    EXPECT_EQ(client_.send("DELETE", "/v1/claims/" + id + "?reason=").status, 400);
    const Answered freed = client_.send("DELETE", "/v1/claims/" + id + "?reason=a%20test");
    EXPECT_EQ(freed.status, 200) << freed.body;
    EXPECT_EQ(freed.text("/state"), "free");
    EXPECT_GT(freed.integer("/token"), token);
    EXPECT_EQ(call("k", "seal", token, R"("effectId":"e")").code(), "stale_token");
    EXPECT_GT(own("k"), freed.integer("/token"));
    EXPECT_THAT(get_until("/v1/decisions", "a test").body, HasSubstr(R"("reason":"a test")"));
    EXPECT_EQ(client_.send("DELETE", "/v1/claims/" + std::string(64, '0') + "?reason=r").status,
              404);
    EXPECT_EQ(client_.send("DELETE", "/v1/claims/nonsense?reason=r").status, 404);
}

TEST_F(FencesOverHttp, TenantsNeverMeet) {
    own("k");
    Caller other = tenant_caller("acme");
    EXPECT_EQ(other.get(path("k")).status, 404);
    EXPECT_EQ(other.send("DELETE", "/v1/claims/" + claim_id("k") + "?reason=r").status, 404);
    EXPECT_EQ(other.get("/v1/explain?key=k").size("/items"), 0U);
    const Answered own_one = other.post("/v1/fences/claim", R"({"key":"k"})");
    EXPECT_EQ(own_one.text("/decision"), "new");
}

TEST_F(FencesOverHttp, AnIdempotencyKeyWorksOnTheCallsThatEndAHold) {
    const auto token = own("k");
    const Headers header = {{"Idempotency-Key", "i"}};
    const std::string body = token_body(token, R"("effectId":"e")");
    const Answered first = client_.post(path("k", "/seal"), body, header);
    const Answered again = client_.post(path("k", "/seal"), body, header);
    EXPECT_EQ(again.body, first.body);
    ASSERT_NE(again.header("idempotent-replayed"), nullptr);
    EXPECT_EQ(client_.post("/v1/fences/claim", R"({"key":"j"})", header).status, 400);
    EXPECT_EQ(client_.post(path("k", "/heartbeat"), token_body(token), header).status, 400);
}

TEST_F(FencesOverHttp, TheStoryOfAKeyIsTold) {
    const auto token = own("k", R"("content":{"total":12})");
    seal("k", token, R"("effectId":"ch_9")");
    ask(R"({"key":"k","content":{"total":13}})");
    for (const std::string& query :
         {std::string("key=k"), std::string("key=k&space=fences"), "claimId=" + claim_id("k")}) {
        const Answered told = get_until("/v1/explain?" + query, R"("conflict")");
        ASSERT_EQ(told.size("/items"), 1U) << told.body;
        EXPECT_EQ(told.text("/items/0/key"), "k");
        EXPECT_EQ(told.text("/items/0/effectId"), "ch_9");
        EXPECT_EQ(told.text("/items/0/rule"), "first");
        EXPECT_EQ(told.text("/items/0/state"), "sealed");
        EXPECT_EQ(told.text("/items/0/decisions/0/decision"), "conflict");
        EXPECT_THAT(told.text("/items/0/summary"), HasSubstr("ch_9"));
    }
    EXPECT_EQ(client_.get("/v1/explain?key=nobody").size("/items"), 0U);
    EXPECT_EQ(client_.get("/v1/explain?key=nobody&space=fences").size("/items"), 0U);
    EXPECT_EQ(client_.get("/v1/explain?claimId=" + std::string(64, '0')).status, 404);
    for (const char* query : {"", "key=a&claimId=b", "claimId=b", "space=fences", "colour=red",
                              "claimId=x&space=fences"}) {
        EXPECT_EQ(client_.get(std::string("/v1/explain?") + query).status, 400) << query;
    }
}

TEST_F(FencesOverHttp, AnActionsKeyHasAStoryToo) {
    const std::string id = schedule(R"({"type":"mail","payload":{"entityId":"order-7"}})");
    const Answered told = client_.get("/v1/explain?key=order-7");
    ASSERT_EQ(told.size("/items"), 1U) << told.body;
    EXPECT_EQ(told.text("/items/0/space"), "actions");
    EXPECT_EQ(told.text("/items/0/effectId"), id);
}

}  // namespace
}  // namespace semel::test
