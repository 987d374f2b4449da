// Fences and what is wrong with a request about one.
#include "http/fence_fixture.hpp"

namespace semel::test {
namespace {

struct RefusedFence {
    std::string body;
    std::string code;
    std::string pointer;
};

class BadFences : public FenceTest {
protected:
    void expect_refused(const std::string& target, const std::vector<RefusedFence>& cases,
                        int status = 400) {
        for (const RefusedFence& expected : cases) {
            const Answered refused = client_.post(target, expected.body);
            EXPECT_EQ(refused.status, status) << expected.body << refused.body;
            EXPECT_EQ(refused.code(), expected.code) << expected.body << refused.body;
            EXPECT_EQ(refused.text("/pointer"), expected.pointer) << expected.body << refused.body;
        }
    }
};

TEST_F(BadFences, AClaimSaysWhichMemberIsWrong) {
    const std::string long_name(256, 'x');
    expect_refused(
        "/v1/fences/claim",
        {
            {"{}", "invalid", "/key"},
            {"[]", "invalid", ""},
            {"{", "invalid", ""},
            {R"({"key":1})", "invalid", "/key"},
            {R"({"key":""})", "invalid", "/key"},
            {R"({"key":"a\u0000b"})", "invalid", "/key"},
            {R"({"key":")" + long_name + "\"}", "invalid", "/key"},
            {R"({"key":"k","parts":{"sourceId":"1"}})", "invalid", "/parts"},
            {R"({"parts":{}})", "invalid", "/parts"},
            {R"({"parts":[]})", "invalid", "/parts"},
            {R"({"parts":{"sourceId":true}})", "invalid", "/parts/sourceId"},
            {R"({"parts":{"colour":"red"}})", "unknown_member", "/parts/colour"},
            {R"({"parts":{"sourceId":")" + std::string(1025, 'x') + "\"}}", "invalid",
             "/parts/sourceId"},
            {R"({"key":"k","class":"cron"})", "invalid", "/class"},
            {R"({"key":"k","content":1,"fingerprint":"a"})", "invalid", "/fingerprint"},
            {R"({"key":"k","fingerprint":""})", "invalid", "/fingerprint"},
            {R"({"key":"k","version":1})", "invalid", "/version"},
            {R"({"parts":{"sourceType":"a","sourceId":"b"},"version":-1})", "invalid", "/version"},
            {R"({"parts":{"sourceType":"a","sourceId":"b"},"version":9007199254740992})", "invalid",
             "/version"},
            {R"({"key":"k","leaseMs":99})", "invalid", "/leaseMs"},
            {R"({"key":"k","leaseMs":86400001})", "invalid", "/leaseMs"},
            {R"({"key":"k","ttlSeconds":0})", "invalid", "/ttlSeconds"},
            {R"({"key":"k","waitMs":60001})", "invalid", "/waitMs"},
            {R"({"key":"k","waitMs":"1"})", "invalid", "/waitMs"},
            {R"({"key":"k","runWindowSeconds":60})", "invalid", "/runWindowSeconds"},
            {R"({"key":"k","colour":"red"})", "unknown_member", "/colour"},
            {R"({"key":"k","key":"j"})", "invalid", "/key"},
        });
    EXPECT_EQ(client_.get(path("k")).status, 404) << "nothing was changed";
}

TEST_F(BadFences, ACallSaysWhichMemberIsWrong) {
    own("k");
    expect_refused(path("k", "/seal"), {{"{}", "invalid", "/token"},
                                        {R"({"token":0,"effectId":"e"})", "invalid", "/token"},
                                        {R"({"token":"1","effectId":"e"})", "invalid", "/token"},
                                        {R"({"token":1})", "invalid", "/effectId"},
                                        {R"({"token":1,"effectId":""})", "invalid", "/effectId"},
                                        {R"({"token":1,"effectId":"e","leaseMs":1000})",
                                         "unknown_member", "/leaseMs"}});
    expect_refused(path("k", "/heartbeat"),
                   {{R"({"token":1,"leaseMs":1})", "invalid", "/leaseMs"},
                    {R"({"token":1,"effectId":"e"})", "unknown_member", "/effectId"}});
    expect_refused(path("k", "/release"),
                   {{R"({"token":1,"reason":"r"})", "unknown_member", "/reason"}});
    expect_refused(path("k", "/uncertain"), {{R"({"token":1,"reason":""})", "invalid", "/reason"}});
    expect_refused(
        path("k", "/resolve"),
        {{"{}", "invalid", "/outcome"},
         {R"({"outcome":"maybe","reason":"r"})", "invalid", "/outcome"},
         {R"({"outcome":"sealed"})", "invalid", "/reason"},
         {R"({"outcome":"released","effectId":"e","reason":"r"})", "invalid", "/effectId"},
         {R"({"outcome":"released","receipt":1,"reason":"r"})", "invalid", "/receipt"}});
    EXPECT_EQ(client_.get(path("k")).text("/state"), "owned") << "nothing was changed";
}

TEST_F(BadFences, WhatIsTooLargeIsRefused) {
    const std::string large = R"({"key":"k","content":")" + std::string(1 << 20, 'x') + "\"}";
    EXPECT_EQ(ask(large).status, 413);
    const auto token = own("k");
    const Answered receipt = call(
        "k", "seal", token, R"("effectId":"e","receipt":")" + std::string(1 << 20, 'x') + "\"");
    EXPECT_EQ(receipt.status, 413);
    EXPECT_EQ(client_.get(path("k")).text("/state"), "owned");
}

// The limit is the body's: a receipt has what its envelope leaves.
TEST_F(BadFences, ABodyOfExactlyTheLimitIsTaken) {
    constexpr std::size_t kBodyBytes = std::size_t{1} << 20;
    const auto token = own("k");
    const std::string head = fmt::format(R"({{"token":{},"effectId":"e","receipt":")", token);
    const std::string receipt(kBodyBytes - head.size() - 2, 'x');
    EXPECT_EQ(client_.post(path("k", "/seal"), head + receipt + "x\"}").status, 413);
    EXPECT_EQ(client_.get(path("k")).text("/state"), "owned");
    const Answered sealed = client_.post(path("k", "/seal"), head + receipt + "\"}");
    EXPECT_EQ(sealed.status, 200);
    EXPECT_EQ(sealed.text("/receipt"), receipt);
}

TEST_F(BadFences, ContentAboveWhatIsKeptIsComparedAndHasNoDiff) {
    const std::string content(70'000, 'x');
    own("k", R"("content":")" + content + "\"");
    expect("in_flight", "k", R"("content":")" + content + "\"");
    const Answered refused = ask(R"({"key":"k","content":"y"})");
    EXPECT_EQ(refused.status, 409) << refused.body;
    EXPECT_EQ(refused.raw("/diff"), "null");
}

TEST_F(BadFences, PathsThatAreNoneAreRefused) {
    const std::string body = token_body(1, R"("effectId":"e")");
    EXPECT_EQ(client_.post(path("%00", "/seal"), body).status, 400);
    EXPECT_EQ(client_.post(path("%zz", "/seal"), body).status, 400);
    EXPECT_EQ(client_.post(path(std::string(256, 'x'), "/seal"), body).status, 400);
    EXPECT_EQ(client_.post(path("k", "/open"), body).status, 404);
    EXPECT_EQ(client_.post("/v1/fences", body).status, 404);
    EXPECT_EQ(client_.get("/v1/fences/claim/seal").status, 405);
    EXPECT_EQ(client_.send("PUT", path("k")).status, 405);
    EXPECT_EQ(
        client_.post("/v1/claims/xyz/resolve", R"({"outcome":"released","reason":"r"})").status,
        404);
}

TEST_F(BadFences, CallsBeforeAnyClaimFindNothing) {
    for (const char* verb : {"seal", "release", "heartbeat", "uncertain"}) {
        const std::string more = std::string(verb) == "seal" ? R"("effectId":"e")" : "";
        EXPECT_EQ(call("k", verb, 1, more).status, 404) << verb;
    }
    EXPECT_EQ(client_.post(path("k", "/resolve"), R"({"outcome":"released","reason":"r"})").status,
              404);
}

}  // namespace
}  // namespace semel::test
