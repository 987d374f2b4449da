#include <thread>

#include <gmock/gmock.h>

#include "http/fixture.hpp"

namespace semel::test {
namespace {

class BulkOverHttp : public ApiTest {
protected:
    // Runs are walked by the engine: asks until this one has finished.
    Answered finished(const std::string& id) {
        Answered shown = client_.get("/v1/bulk/" + id);
        while (shown.status == 200 && shown.raw("/finishedAt") == "null") {
            std::this_thread::yield();
            shown = client_.get("/v1/bulk/" + id);
        }
        return shown;
    }
};

TEST_F(BulkOverHttp, CancelsAllThatMatch) {
    const std::string one = schedule(R"({"type":"a"})");
    const std::string two = schedule(R"({"type":"a"})");
    const std::string other = schedule(R"({"type":"b"})");
    const Answered started =
        client_.post("/v1/actions/bulk", R"({"filter":{"type":"a"},"verb":"cancel"})");
    EXPECT_EQ(started.status, 202) << started.body;
    EXPECT_EQ(started.integer("/matched"), 2);
    const Answered done = finished(started.text("/id"));
    EXPECT_EQ(done.integer("/done"), 2);
    EXPECT_EQ(done.raw("/skipped"), "[]");
    EXPECT_EQ(client_.get("/v1/actions/" + one).text("/status"), "cancelled");
    EXPECT_EQ(client_.get("/v1/actions/" + two).text("/status"), "cancelled");
    EXPECT_EQ(client_.get("/v1/actions/" + other).text("/status"), "pending");
}

TEST_F(BulkOverHttp, SaysWhatItSkippedAndWhy) {
    schedule(R"({"type":"a"})");
    static_cast<void>(claim("a"));
    schedule(R"({"type":"a","delayMs":60000})");
    const Answered started =
        client_.post("/v1/actions/bulk", R"({"filter":{"type":"a"},"verb":"run"})");
    const Answered done = finished(started.text("/id"));
    EXPECT_EQ(done.integer("/done"), 1);
    EXPECT_EQ(done.raw("/skipped"), R"([{"reason":"wrong_state","count":1}])");
}

TEST_F(BulkOverHttp, ADryRunChangesNothing) {
    const std::string id = schedule(R"({"type":"a"})");
    const Answered started =
        client_.post("/v1/actions/bulk", R"({"filter":{},"verb":"cancel","dryRun":true})");
    EXPECT_EQ(started.raw("/dryRun"), "true");
    EXPECT_EQ(finished(started.text("/id")).integer("/done"), 1);
    EXPECT_EQ(client_.get("/v1/actions/" + id).text("/status"), "pending");
}

TEST_F(BulkOverHttp, AnotherTenantSeesNeitherTheRunNorItsEffect) {
    Caller zeta = tenant_caller("zeta");
    schedule(R"({"type":"a"})");
    const Answered theirs =
        zeta.post("/v1/actions/bulk", R"({"filter":{"type":"a"},"verb":"cancel"})");
    EXPECT_EQ(theirs.integer("/matched"), 0);
    EXPECT_EQ(client_.get("/v1/bulk/" + theirs.text("/id")).code(), "not_found");
}

TEST_F(BulkOverHttp, WithAKeyTheRepeatStartsNothing) {
    const Headers key = {{"Idempotency-Key", "once"}};
    const std::string body = R"({"filter":{},"verb":"run"})";
    const Answered first = client_.post("/v1/actions/bulk", body, key);
    const Answered second = client_.post("/v1/actions/bulk", body, key);
    EXPECT_EQ(first.body, second.body);
    const Answered other =
        client_.post("/v1/actions/bulk", R"({"filter":{},"verb":"cancel"})", key);
    EXPECT_EQ(other.code(), "key_reused");
}

TEST_F(BulkOverHttp, BadRequestsAreRefusedAndStartNothing) {
    const std::string id = schedule(R"({"type":"a"})");
    const std::vector<std::pair<std::string, std::string>> cases = {
        {R"({"verb":"cancel"})", "/filter"},
        {R"({"filter":{}})", "/verb"},
        {R"({"filter":{},"verb":null})", "/verb"},
        {R"({"filter":[],"verb":"cancel"})", "/filter"},
        {R"({"filter":{"status":"gone"},"verb":"cancel"})", "/filter/status"},
        {R"({"filter":{"color":"red"},"verb":"cancel"})", "/filter/color"},
        {R"({"filter":{},"verb":"delete"})", "/verb"},
        {R"({"filter":{},"verb":"cancel","dryRun":"yes"})", "/dryRun"},
        {R"({"filter":{},"verb":"cancel","force":true})", "/force"},
    };
    for (const auto& [body, pointer] : cases) {
        const Answered refused = client_.post("/v1/actions/bulk", body);
        EXPECT_EQ(refused.status, 400) << body;
        EXPECT_EQ(refused.text("/pointer"), pointer) << refused.body;
    }
    EXPECT_EQ(client_.get("/v1/bulk/not-an-id").status, 404);
    EXPECT_EQ(client_.get("/v1/bulk/019a8f00-0000-7000-8000-000000000001").status, 404);
    EXPECT_EQ(client_.get("/v1/actions/" + id).text("/status"), "pending");
}

class ResolveOverHttp : public ApiTest {};

TEST_F(ResolveOverHttp, AsksForAnOutcomeAndAReason) {
    const std::string path = "/v1/actions/" + schedule(R"({"type":"a"})") + "/resolve";
    EXPECT_EQ(client_.post(path, R"({"reason":"x"})").text("/pointer"), "/outcome");
    EXPECT_EQ(client_.post(path, R"({"outcome":"done","reason":"x"})").text("/pointer"),
              "/outcome");
    EXPECT_EQ(client_.post(path, R"({"outcome":"failed"})").text("/pointer"), "/reason");
    EXPECT_EQ(client_.post(path, R"({"outcome":"failed","reason":""})").text("/pointer"),
              "/reason");
    const Answered refused = client_.post(path, R"({"outcome":"failed","reason":"x"})");
    EXPECT_EQ(refused.status, 409);
    EXPECT_EQ(refused.code(), "wrong_state");
    EXPECT_EQ(refused.text("/state"), "pending");
}

}  // namespace
}  // namespace semel::test
