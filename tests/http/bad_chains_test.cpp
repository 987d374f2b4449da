// Bad input where chains are meant: a precise refusal, and nothing made.
#include "http/chain_fixture.hpp"

namespace semel::test {
namespace {

class BadChains : public ChainTest {};

struct RefusedChain {
    std::string body;
    std::string code;
    std::string pointer;
};

TEST_F(BadChains, AStartIsRefusedWithTheMemberThatIsMeant) {
    const std::vector<RefusedChain> cases = {
        {R"({})", "invalid", "/type"},
        {R"([])", "invalid", ""},
        {R"({"type":""})", "invalid", "/type"},
        {R"({"type":7})", "invalid", "/type"},
        {R"({"type":"a\u0000"})", "invalid", "/type"},
        {R"({"type":"a","payload":1})", "unknown_member", "/payload"},
        {R"({"type":"a","scheduledAt":"2030-01-01T00:00:00Z"})", "unknown_member", "/scheduledAt"},
        {R"({"type":"a","id":"x"})", "invalid", "/id"},
        {R"({"type":"a","id":"00000000-0000-0000-0000-000000000000"})", "invalid", "/id"},
        {R"({"type":"a","id":"ffffffff-ffff-ffff-ffff-ffffffffffff"})", "invalid", "/id"},
        {R"({"type":"a","id":"0192f0c1-2b7e-4000-8000-000000000001"})", "invalid", "/id"},
        {R"({"type":"a","id":"0192f0c1-2b7e-7000-c000-000000000001"})", "invalid", "/id"},
        {R"({"type":"a","blockers":[{"type":"b","id":"0192f0c1-2b7e-4000-8000-000000000001"}]})",
         "invalid", "/blockers/0/id"},
        {R"({"type":"a","schedule":{"at":"tomorrow"}})", "invalid", "/schedule/at"},
        {R"({"type":"a","schedule":{"afterMs":-1}})", "invalid", "/schedule/afterMs"},
        {R"({"type":"a","schedule":{"at":"2030-01-01T00:00:00Z","afterMs":1}})", "invalid",
         "/schedule/afterMs"},
        {R"({"type":"a","schedule":{"in":1}})", "unknown_member", "/schedule/in"},
        {R"({"type":"a","schedule":5})", "invalid", "/schedule"},
        {R"({"type":"a","maxRetries":1001})", "invalid", "/maxRetries"},
        {R"({"type":"a","onBlockerFailed":"ignore"})", "invalid", "/onBlockerFailed"},
        {R"({"type":"a","blockers":{}})", "invalid", "/blockers"},
        {R"({"type":"a","blockers":[5]})", "invalid", "/blockers/0"},
        {R"({"type":"a","blockers":["x"]})", "invalid", "/blockers/0"},
        {R"({"type":"a","blockers":[{"id":"x"}]})", "invalid", "/blockers/0/id"},
        {R"({"type":"a","blockers":[{}]})", "invalid", "/blockers/0"},
        {R"({"type":"a","blockers":[{"type":"b"},{"type":"c","x":1}]})", "unknown_member",
         "/blockers/1/x"},
        {R"({"type":"a","blockers":[{"type":"b","blockers":[{"type":""}]}]})", "invalid",
         "/blockers/0/blockers/0/type"},
        {R"({"type":"a","deduplication":false})", "invalid", "/deduplication"},
        {R"({"type":"a","deduplication":{}})", "invalid", "/deduplication/key"},
        {R"({"type":"a","deduplication":{"key":""}})", "invalid", "/deduplication/key"},
        {R"({"type":"a","deduplication":{"key":"k","scope":"pending"}})", "invalid",
         "/deduplication/scope"},
        {R"({"type":"a","deduplication":{"key":"k","windowMs":0}})", "invalid",
         "/deduplication/windowMs"},
        {R"({"type":"a","deduplication":{"key":"k","windowMs":99999999999}})", "invalid",
         "/deduplication/windowMs"},
        {R"({"type":"a","deduplication":{"key":"k","excludeChainIds":["x"]}})", "invalid",
         "/deduplication/excludeChainIds"},
        {R"({"type":"a","type":"b"})", "invalid", "/type"},
    };
    for (const RefusedChain& expected : cases) {
        const Answered refused = client_.post("/v1/chains", expected.body);
        EXPECT_EQ(refused.status, 400) << expected.body << refused.body;
        EXPECT_EQ(refused.code(), expected.code) << expected.body << refused.body;
        EXPECT_EQ(refused.text("/pointer"), expected.pointer) << expected.body << refused.body;
    }
    EXPECT_EQ(chains(), 0U);
}

TEST_F(BadChains, WhatIsTooLargeIsRefused) {
    std::string ids;
    for (int i = 0; i < 1001; ++i) ids += (i == 0 ? "\"" : ",\"") + std::string(kNobody) + "\"";
    EXPECT_EQ(client_.post("/v1/chains", R"({"type":"a","blockers":[)" + ids + "]}").code(),
              "too_large");
    std::string excluded;
    for (int i = 0; i < 101; ++i) {
        excluded += (i == 0 ? "\"" : ",\"") + std::string(kNobody) + "\"";
    }
    EXPECT_EQ(
        client_
            .post("/v1/chains", R"({"type":"a","deduplication":{"key":"k","excludeChainIds":[)" +
                                    excluded + "]}}")
            .code(),
        "too_large");
    EXPECT_EQ(
        client_.post("/v1/chains", R"({"type":"a","input":")" + std::string(1 << 20, 'x') + "\"}")
            .status,
        413);
    std::string items;
    for (int i = 0; i < 1001; ++i) items += (i == 0 ? "{}" : ",{}");
    EXPECT_EQ(client_.post("/v1/chains/batch", R"({"items":[)" + items + "]}").code(), "too_large");
    // Blockers within blockers are as deep as JSON may be.
    std::string deep = R"({"type":"a"})";
    for (int i = 0; i < 40; ++i) deep = R"({"type":"a","blockers":[)" + deep + "]}";
    EXPECT_EQ(client_.post("/v1/chains", deep).code(), "invalid");
    EXPECT_EQ(chains(), 0U);
}

TEST_F(BadChains, UnknownIdsAreNotFound) {
    for (const std::string& id : {std::string(kNobody), std::string("nonsense"), std::string("%00"),
                                  std::string(300, 'a')}) {
        EXPECT_EQ(client_.get(path(id)).status, 404) << id;
        EXPECT_EQ(client_.get(path(id, "/jobs")).status, 404) << id;
        EXPECT_EQ(client_.send("POST", path(id, "/cancel")).status, 404) << id;
        EXPECT_EQ(complete(id, 0, "").status, 404) << id;
    }
    const Answered blocker =
        client_.post("/v1/chains", fmt::format(R"({{"type":"a","blockers":["{}"]}})", kNobody));
    EXPECT_EQ(blocker.status, 404) << blocker.body;
    EXPECT_EQ(blocker.text("/pointer"), "/blockers/0");
    EXPECT_EQ(chains(), 0U);
    EXPECT_EQ(client_.send("PUT", path(kNobody)).status, 405);
}

TEST_F(BadChains, ACompletionIsRefusedWithTheMemberThatIsMeant) {
    const std::string id = start(R"({"type":"a"})");
    const std::vector<RefusedChain> cases = {
        {R"({})", "invalid", "/chainIndex"},
        {R"({"chainIndex":-1})", "invalid", "/chainIndex"},
        {R"({"chainIndex":0.5})", "invalid", "/chainIndex"},
        {R"({"chainIndex":2147483648})", "invalid", "/chainIndex"},
        {R"({"chainIndex":0,"token":5})", "unknown_member", "/token"},
        {R"({"chainIndex":0,"output":1,"continueWith":{"type":"b"}})", "invalid", "/continueWith"},
        {R"({"chainIndex":0,"continueWith":[{"type":"b"},{"type":"c"}]})", "invalid",
         "/continueWith"},
        {R"({"chainIndex":0,"continueWith":{}})", "invalid", "/continueWith/type"},
        {R"({"chainIndex":0,"continueWith":{"type":"b","deduplication":{"key":"k"}}})",
         "unknown_member", "/continueWith/deduplication"},
        {R"({"chainIndex":0,"continueWith":{"type":"b","blockers":[7]}})", "invalid",
         "/continueWith/blockers/0"},
    };
    for (const RefusedChain& expected : cases) {
        const Answered refused = client_.post(path(id, "/complete"), expected.body);
        EXPECT_EQ(refused.status, 400) << expected.body << refused.body;
        EXPECT_EQ(refused.code(), expected.code) << expected.body << refused.body;
        EXPECT_EQ(refused.text("/pointer"), expected.pointer) << expected.body << refused.body;
    }
    const Answered cancel = client_.post(path(id, "/cancel"), R"({"force":true})");
    EXPECT_EQ(cancel.code(), "unknown_member");
    EXPECT_EQ(status_of(id), "pending");
}

TEST_F(BadChains, ACursorOfAnotherListIsRefused) {
    const std::string id = start(R"({"type":"a"})");
    complete(id, 0, R"("continueWith":{"type":"b"})");
    const std::string other = start(R"({"type":"a"})");
    complete(other, 0, R"("continueWith":{"type":"b"})");
    const std::string cursor = client_.get(path(id, "/jobs?limit=1")).text("/nextCursor");
    ASSERT_FALSE(cursor.empty());
    EXPECT_EQ(client_.get(path(other, "/jobs?cursor=" + cursor)).code(), "invalid");
    EXPECT_EQ(client_.get("/v1/chains?cursor=" + cursor).code(), "invalid");
    EXPECT_EQ(client_.get(path(id, "/jobs?cursor=nonsense")).code(), "invalid");
    EXPECT_EQ(client_.get(path(id, "/jobs?status=pending")).status, 400);
}

}  // namespace
}  // namespace semel::test
