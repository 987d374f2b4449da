// Waiting for a chain's end, over HTTP.
#include <future>

#include "http/chain_fixture.hpp"

namespace semel::test {
namespace {

using namespace std::chrono_literals;

class ChainWaitsOverHttp : public ChainTest {
protected:
    // Somebody who waits, on a thread of its own.
    std::future<Answered> wait(const std::string& chain, int timeout_ms) {
        return std::async(std::launch::async, [this, chain, timeout_ms] {
            Caller own = caller();
            return own.get(path(chain, fmt::format("/wait?timeoutMs={}", timeout_ms)));
        });
    }
};

TEST_F(ChainWaitsOverHttp, OneThatHasEndedIsAnsweredAtOnce) {
    const std::string id = start(R"({"type":"a"})");
    finish(id, 0, R"({"n":1})");
    const Answered waited = client_.get(path(id, "/wait?timeoutMs=0"));
    EXPECT_EQ(waited.status, 200) << waited.body;
    EXPECT_EQ(waited.body, client_.get(path(id)).body);
    EXPECT_EQ(waited.raw("/chain/output"), R"({"n":1})");
}

TEST_F(ChainWaitsOverHttp, TheEndWakesWhoWaitsLongBeforeTheDeadline) {
    const std::string id = start(R"({"type":"a"})");
    const auto began = std::chrono::steady_clock::now();
    auto waited = wait(id, 60'000);
    complete(id, 0, R"("continueWith":{"type":"b"})");
    finish(id, 1, "2");
    const Answered answer = waited.get();
    EXPECT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(answer.raw("/chain/output"), "2");
    EXPECT_LT(std::chrono::steady_clock::now() - began, 50s) << "answered by its deadline";
}

TEST_F(ChainWaitsOverHttp, ACancelledChainHasEnded) {
    const std::string id = start(R"({"type":"a"})");
    auto waited = wait(id, 25'000);
    client_.send("POST", path(id, "/cancel"));
    EXPECT_EQ(waited.get().text("/chain/status"), "cancelled");
}

TEST_F(ChainWaitsOverHttp, PastItsDeadlineItIs408WithTheChain) {
    const std::string id = start(R"({"type":"a"})");
    complete(id, 0, R"("continueWith":{"type":"b"})");
    const Answered waited = client_.get(path(id, "/wait?timeoutMs=50"));
    EXPECT_EQ(waited.status, 408) << waited.body;
    EXPECT_EQ(*waited.header("content-type"), "application/problem+json");
    EXPECT_EQ(waited.code(), "in_progress");
    EXPECT_EQ(waited.text("/title"), "The chain has not ended");
    EXPECT_EQ(waited.text("/state"), "pending");
    EXPECT_EQ(waited.raw("/chain"), client_.get(path(id)).raw("/chain"));
    EXPECT_EQ(waited.integer("/chain/chainIndex"), 1);
}

TEST_F(ChainWaitsOverHttp, WhatIsNotThereIsNotWaitedFor) {
    EXPECT_EQ(client_.get(path(kNobody, "/wait")).status, 404);
    EXPECT_EQ(client_.get(path("nonsense", "/wait")).status, 404);
    const std::string id = start(R"({"type":"a"})");
    const std::string next = complete(id, 0, R"("continueWith":{"type":"b"})").text("/nextId");
    EXPECT_EQ(client_.get(path(next, "/wait")).status, 404) << "a step is no chain";
    for (const char* query : {"timeoutMs=-1", "timeoutMs=60001", "timeoutMs=x", "timeoutMs=1.5",
                              "timeoutMs=99999999999999999999", "waitMs=1"}) {
        const Answered refused = client_.get(path(id, std::string("/wait?") + query));
        EXPECT_EQ(refused.status, 400) << query << refused.body;
    }
}

TEST_F(ChainWaitsOverHttp, ATokensEndEndsItsWaits) {
    Caller admin = token_caller(client_, R"(["admin"])");
    const Answered made = admin.post("/v1/tokens", R"({"scopes":["read"]})");
    remember_secret(made.text("/secret"));
    const std::string id = admin.post("/v1/chains", R"({"type":"a"})").text("/chain/id");
    auto waited = std::async(std::launch::async, [&] {
        Caller reader = caller({{"Authorization", "Bearer " + made.text("/secret")}});
        return reader.get(path(id, "/wait?timeoutMs=25000"));
    });
    EXPECT_EQ(admin.send("DELETE", "/v1/tokens/" + made.text("/id")).status, 204);
    const Answered answer = waited.get();
    EXPECT_EQ(answer.status, 401) << answer.body;
    EXPECT_FALSE(answer.at("/chain"));
}

TEST_F(ChainWaitsOverHttp, ACallerThatHungUpIsForgotten) {
    const std::string id = start(R"({"type":"a"})");
    net::Client gone(server_.urls().front());
    const auto unanswered = gone.send("GET", path(id, "/wait?timeoutMs=60000"), {}, {}, 200ms);
    EXPECT_FALSE(unanswered.has_value()) << "it gave up and closed its connection";
    auto waited = wait(id, 25'000);
    finish(id);
    EXPECT_EQ(waited.get().status, 200);
}

}  // namespace
}  // namespace semel::test
