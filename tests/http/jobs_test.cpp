#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "http/fixture.hpp"

namespace semel::test {
namespace {

class JobsOverHttp : public ApiTest {
protected:
    struct Taken {
        std::string path;
        std::int64_t token = 0;
    };
    // A job of type `t` that has an owner.
    Taken take() {
        const std::string id = schedule(R"({"type":"t"})");
        return {"/v1/jobs/" + id, claim("t").integer("/jobs/0/token")};
    }
};

TEST_F(JobsOverHttp, AClaimHasWhatTheContractNames) {
    const std::string id = schedule(R"({"type":"t","payload":{"a":1}})");
    const Answered claimed = claim("t", R"("worker":"w","leaseMs":60000)");
    std::vector<std::string> names;
    for (const auto& [name, value] : claimed.at("/jobs/0")->members()) {
        names.emplace_back(name);
    }
    EXPECT_THAT(names, testing::UnorderedElementsAre("id", "tenant", "type", "chainId",
                                                     "chainIndex", "input", "attempt", "token",
                                                     "leaseUntil", "blockers"));
    EXPECT_EQ(claimed.text("/jobs/0/id"), id);
    EXPECT_EQ(claimed.text("/jobs/0/chainId"), id);
    EXPECT_EQ(claimed.integer("/jobs/0/attempt"), 1);
    EXPECT_TRUE(claimed.at("/jobs/0/token")->is_number());
    EXPECT_EQ(claimed.raw("/jobs/0/blockers"), "[]");
}

TEST_F(JobsOverHttp, WithoutWorkAndWithoutWaitingAClaimIsEmptyAtOnce) {
    const Answered claimed = client_.post("/v1/jobs/claim", R"({"types":["t","t","u"]})");
    EXPECT_EQ(claimed.status, 200);
    EXPECT_EQ(claimed.body, R"({"jobs":[]})");
}

TEST_F(JobsOverHttp, ALongPollIsWokenByASchedule) {
    std::string taken;
    std::chrono::steady_clock::duration waited{};
    std::thread worker([&] {
        Caller own = caller();
        const auto began = std::chrono::steady_clock::now();
        taken =
            own.post("/v1/jobs/claim", R"({"types":["poll"],"waitMs":25000})").text("/jobs/0/id");
        waited = std::chrono::steady_clock::now() - began;
    });
    server_.wait_for_worker("default", "poll");
    const std::string id = schedule(R"({"type":"poll"})");
    worker.join();
    EXPECT_EQ(taken, id);
    EXPECT_LT(waited, std::chrono::seconds(20)) << "it was answered by its deadline, not woken";
}

TEST_F(JobsOverHttp, AWorkerThatHungUpIsNotHandedTheNextJob) {
    // One io thread: the end of the first connection is seen before the next request.
    const TempFolder folder;
    TestServer server(folder.file("semel.db"), {.tls = {}, .hosts = {}, .threads = 1});
    net::Client gone(server.url());
    const auto unanswered =
        gone.send("POST", "/v1/jobs/claim", {{"Content-Type", "application/json"}},
                  R"({"types":["t"],"waitMs":60000})", std::chrono::milliseconds(200));
    EXPECT_FALSE(unanswered.has_value()) << "it gave up and closed its connection";
    Caller live(server.url(), {});
    EXPECT_EQ(live.post("/v1/actions", R"({"type":"t"})").status, 201);
    const Answered claimed = live.post("/v1/jobs/claim", R"({"types":["t"],"waitMs":5000})");
    EXPECT_EQ(claimed.integer("/jobs/0/attempt"), 1);
}

TEST_F(JobsOverHttp, ALongPollEndsEmptyAfterItsWait) {
    const auto began = std::chrono::steady_clock::now();
    const Answered claimed = client_.post("/v1/jobs/claim", R"({"types":["t"],"waitMs":150})");
    EXPECT_EQ(claimed.body, R"({"jobs":[]})");
    EXPECT_GE(std::chrono::steady_clock::now() - began, std::chrono::milliseconds(150));
}

TEST_F(JobsOverHttp, CompleteKeepsTheOutputAndItsRepeatGivesTheSameBytes) {
    const auto [path, token] = take();
    const std::string body = token_body(token, R"("output":{ "sent" : 1.0 })");
    const Answered done = client_.post(path + "/complete", body);
    EXPECT_EQ(done.status, 200) << done.body;
    EXPECT_EQ(done.text("/status"), "completed");
    EXPECT_EQ(done.integer("/token"), token);
    EXPECT_EQ(client_.post(path + "/complete", body).body, done.body);
    const Answered shown = client_.get("/v1/actions/" + done.text("/id"));
    EXPECT_EQ(shown.raw("/output"), R"({ "sent" : 1.0 })");
    EXPECT_EQ(shown.text("/history/0/outcome"), "completed");
    EXPECT_FALSE(shown.text("/completedAt").empty());
}

TEST_F(JobsOverHttp, TheSameTokenWithOtherContentIsAConflictAndAnotherVerbTheWrongState) {
    const auto [path, token] = take();
    client_.post(path + "/complete", token_body(token, R"("output":1)"));
    const Answered other = client_.post(path + "/complete", token_body(token, R"("output":2)"));
    EXPECT_EQ(other.status, 409);
    EXPECT_EQ(other.code(), "conflict");
    EXPECT_FALSE(other.at("/decision")) << "no claim was met";
    for (const char* verb : {"/heartbeat", "/release"}) {
        const Answered wrong = client_.post(path + verb, token_body(token));
        EXPECT_EQ(wrong.status, 409) << verb;
        EXPECT_EQ(wrong.code(), "wrong_state") << verb;
        EXPECT_EQ(wrong.text("/state"), "completed") << verb;
    }
    const Answered failed = client_.post(path + "/fail", token_body(token, R"("error":"x")"));
    EXPECT_EQ(failed.code(), "wrong_state");
}

TEST_F(JobsOverHttp, EveryVerbRefusesAStaleTokenAndItIsCounted) {
    const auto [path, token] = take();
    client_.send("POST", "/v1/actions/" + path.substr(9) + "/cancel");
    const std::vector<std::pair<std::string, std::string>> calls = {
        {"/complete", token_body(token)},
        {"/fail", token_body(token, R"("error":"x")")},
        {"/heartbeat", token_body(token)},
        {"/release", token_body(token)},
    };
    for (const auto& [verb, body] : calls) {
        const Answered stale = client_.post(path + verb, body);
        EXPECT_EQ(stale.status, 409) << verb;
        EXPECT_EQ(stale.code(), "stale_token") << verb;
        EXPECT_EQ(stale.raw("/retryable"), "false") << verb;
    }
    EXPECT_THAT(client_.get("/metrics").body, testing::HasSubstr("semel_stale_token_total 4"));
}

TEST_F(JobsOverHttp, AFailedAttemptWaitsForItsBackoffOrForWhatItAsked) {
    const auto [path, token] = take();
    const Answered failed = client_.post(
        path + "/fail", token_body(token, R"("error":"smtp: no","retryAfterMs":3600000)"));
    EXPECT_EQ(failed.text("/status"), "pending");
    const Answered shown = client_.get("/v1/actions/" + failed.text("/id"));
    EXPECT_EQ(shown.text("/waitingFor/reason"), "backoff");
    EXPECT_EQ(shown.text("/errorMessage"), "smtp: no");
    EXPECT_EQ(shown.text("/history/0/error"), "smtp: no");
}

TEST_F(JobsOverHttp, AFinalFailureEndsTheJob) {
    const auto [path, token] = take();
    EXPECT_EQ(client_.post(path + "/fail", token_body(token, R"("error":"","final":true)"))
                  .text("/status"),
              "failed");
}

TEST_F(JobsOverHttp, AHeartbeatExtendsTheLease) {
    const auto [path, token] = take();
    const Answered beat =
        client_.post(path + "/heartbeat", token_body(token, R"("leaseMs":86400000)"));
    EXPECT_EQ(beat.status, 200);
    EXPECT_EQ(beat.text("/status"), "running");
    const Answered shown = client_.get("/v1/actions/" + beat.text("/id"));
    EXPECT_EQ(shown.text("/history/0/leaseUntil"), beat.text("/leaseUntil"));
    const Answered plain = client_.post(path + "/heartbeat", token_body(token));
    EXPECT_EQ(plain.text("/leaseUntil"), beat.text("/leaseUntil")) << "it never shortens unasked";
    const Answered shorter =
        client_.post(path + "/heartbeat", token_body(token, R"("leaseMs":1000)"));
    EXPECT_LT(shorter.text("/leaseUntil"), beat.text("/leaseUntil"));
}

TEST_F(JobsOverHttp, ReleaseChargesNoAttempt) {
    const auto [path, token] = take();
    EXPECT_EQ(client_.post(path + "/release", token_body(token)).text("/status"), "pending");
    const Answered again = claim("t");
    EXPECT_EQ(again.integer("/jobs/0/attempt"), 1);
    EXPECT_GT(again.integer("/jobs/0/token"), token);
    EXPECT_EQ(client_.post(path + "/release", token_body(token)).code(), "stale_token");
}

TEST_F(JobsOverHttp, ALockGroupRunsOneAtATimeInOrderOfTime) {
    const std::string second = schedule(R"({"type":"t","lockGroup":"g","priority":9})");
    const std::string third = schedule(R"({"type":"t","lockGroup":"g","priority":99})");
    const std::string first =
        schedule(R"({"type":"t","lockGroup":"g","scheduledAt":"2020-01-01T00:00:00Z"})");
    std::vector<std::string> order;
    for (int i = 0; i < 3; ++i) {
        const Answered claimed = claim("t", R"("max":10)");
        ASSERT_EQ(claimed.size("/jobs"), 1U) << "two of one group ran at once";
        order.push_back(claimed.text("/jobs/0/id"));
        client_.post("/v1/jobs/" + order.back() + "/complete",
                     token_body(claimed.integer("/jobs/0/token")));
    }
    // A past time means now: the order is that of arrival, whatever the priority.
    EXPECT_THAT(order, testing::ElementsAre(second, third, first));
}

TEST_F(JobsOverHttp, SettleAnswersWhatEachSingleCallWouldHave) {
    const auto [done_path, done_token] = take();
    const auto [failed_path, failed_token] = take();
    const auto [beaten_path, beaten_token] = take();
    const auto [released_path, released_token] = take();
    const auto item = [](const std::string& path, const char* verb, std::int64_t token,
                         const char* more = "") {
        return fmt::format(R"({{"id":"{}","verb":"{}","token":{}{}}})", path.substr(9), verb, token,
                           more);
    };
    const std::string body = fmt::format(
        R"({{"items":[{},{},{},{},{},{},{},7,{{"verb":"complete","token":1}}]}})",
        item(done_path, "complete", done_token, R"(,"output":"o")"),
        item(failed_path, "fail", failed_token, R"(,"error":"e","final":true)"),
        item(beaten_path, "heartbeat", beaten_token),
        item(released_path, "release", released_token), item(done_path, "complete", done_token - 1),
        R"({"id":"not-an-id","verb":"complete","token":1})",
        item(done_path, "explode", done_token));
    const Answered settled = client_.post("/v1/jobs/settle", body);
    ASSERT_EQ(settled.status, 200) << settled.body;
    ASSERT_EQ(settled.size("/results"), 9U);
    const std::vector<std::pair<int, std::string>> expected = {
        {200, "completed"}, {200, "failed"},      {200, "running"},
        {200, "pending"},   {409, "stale_token"}, {404, "not_found"},
        {400, "invalid"},   {400, "invalid"},     {400, "invalid"}};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const std::string at = "/results/" + std::to_string(i);
        EXPECT_EQ(settled.integer(at + "/status"), expected[i].first) << at;
        const char* member = expected[i].first == 200 ? "/body/status" : "/body/code";
        EXPECT_EQ(settled.text(at + member), expected[i].second) << at;
    }
    EXPECT_EQ(settled.text("/results/5/id"), "not-an-id");
    EXPECT_EQ(settled.text("/results/6/body/pointer"), "/items/6/verb");
    EXPECT_EQ(settled.raw("/results/8/id"), "null");
    const Answered single =
        client_.post(done_path + "/complete", token_body(done_token, R"("output":"o")"));
    EXPECT_EQ(settled.raw("/results/0/body"), single.body);
    EXPECT_THAT(client_.get("/metrics").body, testing::HasSubstr("semel_stale_token_total 1"));
}

TEST_F(JobsOverHttp, AnotherTenantsJobIsNotFound) {
    const auto [path, token] = take();
    Caller other = tenant_caller("other");
    for (const char* verb : {"/complete", "/heartbeat", "/release"}) {
        EXPECT_EQ(other.post(path + verb, token_body(token)).code(), "not_found") << verb;
    }
    EXPECT_EQ(other
                  .post("/v1/jobs/settle",
                        fmt::format(R"({{"items":[{{"id":"{}","verb":"complete","token":{}}}]}})",
                                    path.substr(9), token))
                  .integer("/results/0/status"),
              404);
    EXPECT_EQ(client_.post(path + "/complete", token_body(token)).status, 200);
}

}  // namespace
}  // namespace semel::test
