// The pages about the server itself, and that what is documented is what is served.
#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "api/router.hpp"
#include "core/problem.hpp"
#include "http/fixture.hpp"

namespace semel::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class StatusOverHttp : public ApiTest {};

TEST_F(StatusOverHttp, HealthIsOpen) {
    const Answered health = client_.get("/healthz");
    EXPECT_EQ(health.status, 200);
    EXPECT_EQ(health.body, R"({"status":"ok"})");
    static_cast<void>(token_caller(client_, R"(["admin"])"));
    EXPECT_EQ(client_.get("/healthz").status, 200);
}

TEST_F(StatusOverHttp, ReadinessTellsTheStoreAndItsDurability) {
    const Answered ready = client_.get("/readyz");
    EXPECT_EQ(ready.status, 200);
    EXPECT_EQ(ready.text("/status"), "ready");
    EXPECT_EQ(ready.text("/version"), "9.8.7");
    EXPECT_EQ(ready.text("/store/kind"), store_kind());
    EXPECT_FALSE(ready.text("/store/durability").empty());
    // The PostgreSQL of the tests runs without fsync, and says so.
    EXPECT_EQ(ready.raw("/store/durable"), store_kind() == "sqlite" ? "true" : "false");
    EXPECT_TRUE(ready.at("/clockOffsetMs")->is_number());
    EXPECT_EQ(ready.raw("/causes"), "[]");
    EXPECT_EQ(ready.raw("/warnings"), "[]");
}

TEST_F(StatusOverHttp, OnceTokensExistDetailsNeedRead) {
    Caller admin = token_caller(client_, R"(["admin"])");
    Caller reader = token_caller(admin, R"(["read"])");
    Caller anyone = caller();
    EXPECT_EQ(anyone.get("/readyz").body, R"({"status":"ready"})");
    EXPECT_EQ(reader.get("/readyz").text("/version"), "9.8.7");
    EXPECT_EQ(anyone.get("/metrics").status, 401);
    EXPECT_EQ(reader.get("/metrics").status, 200);
    EXPECT_THAT(anyone.get("/").body, Not(HasSubstr("9.8.7")));
    EXPECT_THAT(anyone.get("/").body, Not(HasSubstr(store_kind())));
    EXPECT_THAT(anyone.get("/").body, HasSubstr("Authorization: Bearer"));
    EXPECT_THAT(reader.get("/").body, HasSubstr("9.8.7"));
}

TEST_F(StatusOverHttp, TheStartPageIsSelfContainedAndStrict) {
    const Answered page = client_.get("/");
    EXPECT_EQ(page.status, 200);
    EXPECT_EQ(*page.header("content-type"), "text/html; charset=utf-8");
    const std::string policy = *page.header("content-security-policy");
    EXPECT_THAT(policy, HasSubstr("default-src 'none'"));
    EXPECT_THAT(policy, HasSubstr("frame-ancestors 'none'"));
    EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
    EXPECT_THAT(page.body, HasSubstr("9.8.7"));
    EXPECT_THAT(page.body, HasSubstr(store_kind()));
    EXPECT_THAT(page.body, HasSubstr("/v1/actions"));
    EXPECT_THAT(page.body, Not(HasSubstr("<script")));
    EXPECT_THAT(page.body, Not(HasSubstr("{{"))) << "a place was not filled";
    EXPECT_THAT(page.body, Not(HasSubstr("https://")));
}

TEST_F(StatusOverHttp, EveryAnswerCarriesTheSecurityHeaders) {
    for (const char* path : {"/", "/healthz", "/v1/actions", "/v1/nothing", "/errors/invalid"}) {
        const Answered answered = client_.get(path);
        EXPECT_EQ(*answered.header("x-content-type-options"), "nosniff") << path;
        EXPECT_EQ(*answered.header("cache-control"), "no-store") << path;
        EXPECT_EQ(answered.header("access-control-allow-origin"), nullptr) << path;
    }
}

TEST_F(StatusOverHttp, MetricsCountWhatHappened) {
    const std::string id = schedule(R"({"type":"mail","payload":{"entityId":1}})");
    client_.post("/v1/actions", R"({"type":"mail","payload":{"entityId":1}})");
    const std::int64_t token = claim("mail").integer("/jobs/0/token");
    client_.post("/v1/jobs/" + id + "/complete", token_body(token));
    schedule(R"({"type":"mail"})");
    client_.get("/v1/actions/nothing");
    const Answered metrics = client_.get("/metrics");
    EXPECT_EQ(*metrics.header("content-type"), "text/plain; version=0.0.4; charset=utf-8");
    for (const char* line :
         {R"(semel_decisions_total{decision="new",route="",surface="actions"} 2)",
          R"(semel_decisions_total{decision="duplicate",route="",surface="actions"} 1)",
          R"(semel_jobs{status="completed",type="mail"} 1)",
          R"(semel_jobs{status="pending",type="mail"} 1)",
          R"(semel_jobs{status="running",type="mail"} 0)", "semel_job_duration_seconds_count 1",
          "semel_schedule_lag_seconds_count 1", "semel_commit_batch_size_count",
          "semel_commit_seconds_count", "semel_stale_token_total 0", "semel_rescued_total 0",
          R"(semel_http_request_seconds_count{route="/v1/actions",status="201"} 2)",
          R"(semel_http_request_seconds_count{route="/v1/actions/{id}",status="404"} 1)"}) {
        EXPECT_THAT(metrics.body, HasSubstr(line));
    }
    EXPECT_THAT(metrics.body, Not(HasSubstr(id))) << "a raw path became a label";
}

TEST(StatusOverHttpRestart, JobsAreCountedFromWhatIsThere) {
    const TempFolder folder;
    {
        TestServer server(folder.file("semel.db"));
        Caller(server.url(), {}).post("/v1/actions", R"({"type":"t"})");
    }
    TestServer server(folder.file("semel.db"));
    Caller caller(server.url(), {});
    EXPECT_THAT(caller.get("/metrics").body,
                HasSubstr(R"(semel_jobs{status="pending",type="t"} 1)"));
    caller.post("/v1/jobs/claim", R"({"types":["t"]})");
    const std::string metrics = caller.get("/metrics").body;
    EXPECT_THAT(metrics, HasSubstr(R"(semel_jobs{status="pending",type="t"} 0)"));
    EXPECT_THAT(metrics, HasSubstr(R"(semel_jobs{status="running",type="t"} 1)"));
}

TEST_F(StatusOverHttp, TheDecisionLogTellsWhoWonAndByWhichRule) {
    const std::string id =
        schedule(R"({"type":"t","payload":{"entityType":"order","entityId":7}})");
    schedule(R"({"type":"u"})");
    const Answered log = client_.get("/v1/decisions");
    ASSERT_EQ(log.size("/items"), 2U) << log.body;
    EXPECT_EQ(log.text("/items/1/effectId"), id);
    EXPECT_EQ(log.text("/items/1/decision"), "new");
    EXPECT_EQ(log.text("/items/1/rule"), "first");
    EXPECT_EQ(log.text("/items/1/sourceType"), "order");
    EXPECT_EQ(log.text("/items/1/sourceId"), "7");
    EXPECT_EQ(log.text("/items/1/claimId").size(), 64U);
    EXPECT_EQ(log.raw("/items/0/key"), "null");
    const Answered page = client_.get("/v1/decisions?limit=1");
    EXPECT_EQ(page.size("/items"), 1U);
    const Answered rest = client_.get("/v1/decisions?limit=1&cursor=" + page.text("/nextCursor"));
    EXPECT_EQ(rest.text("/items/0/effectId"), id);
    EXPECT_EQ(rest.raw("/nextCursor"), "null");
    EXPECT_EQ(tenant_caller("other").get("/v1/decisions").size("/items"), 0U);
}

TEST_F(StatusOverHttp, EveryProblemCodeHasItsPageAndTypeLinksToIt) {
    for (const ProblemCode code : all_problem_codes()) {
        const Answered page = client_.get(fmt::format("/errors/{}", to_string(code)));
        EXPECT_EQ(page.status, 200) << to_string(code);
        EXPECT_EQ(*page.header("content-type"), "text/plain; charset=utf-8");
        EXPECT_THAT(page.body, testing::StartsWith(fmt::format("# {}\n", to_string(code))));
        for (const char* part : {"## Why", "## What to do", "## Example", "HTTP status"}) {
            EXPECT_THAT(page.body, HasSubstr(part)) << to_string(code);
        }
    }
    const Answered problem = client_.get("/v1/actions/nothing");
    EXPECT_EQ(client_.get(problem.text("/type")).status, 200);
    EXPECT_EQ(client_.get("/errors/nothing").status, 404);
}

TEST_F(StatusOverHttp, TheDescriptionHasEveryRouteAndNoOther) {
    const Answered spec = client_.get("/openapi.yaml");
    EXPECT_EQ(*spec.header("content-type"), "application/yaml");
    std::set<std::string> described;
    std::istringstream lines(spec.body);
    const std::regex path_line("^  (/[^ :]*):$");
    const std::regex method_line("^    (get|post|put|delete):$");
    std::string path;
    for (std::string line; std::getline(lines, line);) {
        std::smatch found;
        if (std::regex_match(line, found, path_line)) {
            path = found[1];
        } else if (std::regex_match(line, found, method_line)) {
            std::string method = found[1];
            std::transform(method.begin(), method.end(), method.begin(),
                           [](char c) { return static_cast<char>(c - 'a' + 'A'); });
            described.insert(fmt::format("{} {}", method, path));
        }
    }
    std::set<std::string> served;
    for (const Route& route : routes()) {
        served.insert(fmt::format("{} {}", route.method, route.pattern));
    }
    EXPECT_EQ(described, served);
}

}  // namespace
}  // namespace semel::test
