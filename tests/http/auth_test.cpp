// Tokens, scopes, tenants, Host and Origin.
#include <algorithm>
#include <future>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "http/fixture.hpp"
#include "http/route_paths.hpp"

namespace semel::test {
namespace {

class AuthOverHttp : public ApiTest {};

// Written out on purpose: a new route must be decided about here, too.
const std::vector<std::pair<std::string, std::string>> kScopeTable = {
    {"POST /v1/actions", "write"},
    {"POST /v1/actions/batch", "write"},
    {"GET /v1/actions", "read"},
    {"GET /v1/actions/{id}", "read"},
    {"POST /v1/actions/{id}/run", "write"},
    {"POST /v1/actions/{id}/retry", "write"},
    {"POST /v1/actions/{id}/cancel", "write"},
    {"POST /v1/actions/{id}/resolve", "write"},
    {"POST /v1/actions/bulk", "write"},
    {"GET /v1/bulk/{id}", "read"},
    {"GET /v1/cron/process", "secret"},
    {"POST /v1/cron/process", "secret"},
    {"PUT /v1/schedules/{name}", "write"},
    {"GET /v1/schedules", "read"},
    {"GET /v1/schedules/{name}", "read"},
    {"DELETE /v1/schedules/{name}", "write"},
    {"POST /v1/schedules/{name}/pause", "write"},
    {"POST /v1/schedules/{name}/resume", "write"},
    {"POST /v1/schedules/{name}/trigger", "write"},
    {"POST /v1/jobs/claim", "work"},
    {"POST /v1/jobs/settle", "work"},
    {"POST /v1/jobs/{id}/complete", "work"},
    {"POST /v1/jobs/{id}/fail", "work"},
    {"POST /v1/jobs/{id}/heartbeat", "work"},
    {"POST /v1/jobs/{id}/release", "work"},
    {"POST /v1/fences/claim", "work"},
    {"POST /v1/fences/{key}/seal", "work"},
    {"POST /v1/fences/{key}/release", "work"},
    {"POST /v1/fences/{key}/heartbeat", "work"},
    {"POST /v1/fences/{key}/uncertain", "work"},
    {"POST /v1/fences/{key}/resolve", "admin"},
    {"GET /v1/fences/{key}", "read"},
    {"GET /v1/receipts/key", "read"},
    {"GET /v1/claims", "read"},
    {"DELETE /v1/claims/{claimId}", "admin"},
    {"POST /v1/claims/{claimId}/resolve", "admin"},
    {"GET /v1/explain", "read"},
    {"GET /v1/decisions", "read"},
    {"POST /v1/chains", "write"},
    {"POST /v1/chains/batch", "write"},
    {"GET /v1/chains", "read"},
    {"GET /v1/chains/{id}", "read"},
    {"DELETE /v1/chains/{id}", "write"},
    {"GET /v1/chains/{id}/jobs", "read"},
    {"GET /v1/chains/{id}/wait", "read"},
    {"POST /v1/chains/{id}/cancel", "write"},
    {"POST /v1/chains/{id}/complete", "write"},
    {"GET /v1/backup", "admin"},
    {"POST /v1/tokens", "admin"},
    {"GET /v1/tokens", "admin"},
    {"DELETE /v1/tokens/{id}", "admin"},
    {"GET /metrics", "read"},
    {"GET /", "open"},
    {"GET /healthz", "open"},
    {"GET /readyz", "open"},
    {"GET /openapi.yaml", "open"},
    {"GET /errors/{code}", "open"},
};

std::string name_of(const Route& route) {
    return fmt::format("{} {}", route.method, route.pattern);
}

TEST_F(AuthOverHttp, TheScopeTableIsComplete) {
    std::set<std::string> served;
    for (const Route& route : routes()) {
        served.insert(name_of(route));
    }
    std::set<std::string> listed;
    for (const auto& [name, scope] : kScopeTable) {
        listed.insert(name);
    }
    EXPECT_EQ(served, listed);
}

TEST_F(AuthOverHttp, EveryRouteLetsInExactlyItsScopeAndAdmin) {
    Caller admin = token_caller(client_, R"(["admin"])");
    std::map<std::string, Caller> callers;
    for (const char* scope : {"read", "write", "work"}) {
        callers.emplace(scope, token_caller(admin, fmt::format(R"(["{}"])", scope)));
    }
    callers.emplace("admin", std::move(admin));
    callers.emplace("nobody", caller());
    for (const auto& [name, needed] : kScopeTable) {
        const auto* route = std::find_if(routes().data(), routes().data() + routes().size(),
                                         [&](const Route& each) { return name_of(each) == name; });
        ASSERT_NE(route, routes().data() + routes().size());
        for (auto& [scope, each] : callers) {
            const std::string body = route->body == BodyUse::none ? "" : R"({"?":1})";
            const Headers headers =
                body.empty() ? Headers{} : Headers{{"Content-Type", "application/json"}};
            const int status = each.send(route->method, path_of(*route), body, headers).status;
            if (needed == "open") {
                EXPECT_EQ(status, 200) << name << " as " << scope;
            } else if (needed == "secret") {
                EXPECT_EQ(status, 500) << name << ": none is configured, whoever asks";
            } else if (scope == "nobody") {
                EXPECT_EQ(status, 401) << name;
            } else if (scope == needed || scope == "admin") {
                EXPECT_NE(status, 401) << name << " as " << scope;
                EXPECT_NE(status, 403) << name << " as " << scope;
            } else {
                EXPECT_EQ(status, 403) << name << " as " << scope;
            }
        }
    }
}

TEST_F(AuthOverHttp, LoopbackIsOpenUntilATokenExistsAndAgainWhenNoneDoes) {
    EXPECT_EQ(client_.get("/v1/actions").status, 200);
    Caller admin = token_caller(client_, R"(["admin"])");
    const Answered refused = client_.get("/v1/actions");
    EXPECT_EQ(refused.status, 401);
    EXPECT_EQ(refused.code(), "unauthorized");
    EXPECT_EQ(*refused.header("www-authenticate"), R"(Bearer realm="semel")");
    const std::string id = admin.get("/v1/tokens").text("/items/0/id");
    EXPECT_EQ(admin.send("DELETE", "/v1/tokens/" + id).status, 204);
    EXPECT_EQ(admin.get("/v1/actions").status, 401) << "a deleted token ends at once";
    EXPECT_EQ(client_.get("/v1/actions").status, 200);
}

TEST_F(AuthOverHttp, ATokenIsShownOnceAndListedWithoutItsSecret) {
    const Answered made = client_.post(
        "/v1/tokens",
        R"({"name":"ops","scopes":["work","read","read"],"tenant":"acme","expiresAt":"2099-01-01T00:00:00Z","force":true})");
    ASSERT_EQ(made.status, 201) << made.body;
    const std::string secret = made.text("/secret");
    remember_secret(secret);
    EXPECT_THAT(secret, testing::MatchesRegex("semel_[0-9a-f]{64}"));
    EXPECT_EQ(made.raw("/scopes"), R"(["read","work"])");
    EXPECT_EQ(made.text("/tenant"), "acme");
    EXPECT_EQ(made.text("/expiresAt"), "2099-01-01T00:00:00.000Z");
    Caller admin = caller({{"Authorization", "Bearer " + secret}});
    EXPECT_EQ(admin.get("/v1/tokens").status, 403);
    EXPECT_EQ(admin.get("/v1/actions").status, 200);
}

TEST_F(AuthOverHttp, TokensOutliveARestartAndTheListHasNoSecrets) {
    const Answered made = client_.post("/v1/tokens", R"({"scopes":["admin"]})");
    remember_secret(made.text("/secret"));
    const std::string secret = made.text("/secret");
    Caller admin = caller({{"Authorization", "bearer  " + secret}});
    for (int i = 0; i < 4; ++i) {
        remember_secret(admin.post("/v1/tokens", R"({"scopes":["read"]})").text("/secret"));
    }
    const Answered page = admin.get("/v1/tokens?limit=3");
    EXPECT_EQ(page.size("/items"), 3U);
    EXPECT_THAT(page.body, testing::Not(testing::HasSubstr("secret")));
    const Answered rest = admin.get("/v1/tokens?limit=3&cursor=" + page.text("/nextCursor"));
    EXPECT_EQ(rest.size("/items"), 2U);
    EXPECT_EQ(rest.raw("/nextCursor"), "null");
    EXPECT_EQ(rest.text("/items/1/id"), made.text("/id"));
}

TEST(AuthOverHttpRestart, ATokenIsKnownAfterARestart) {
    const TempFolder folder;
    std::string secret;
    {
        TestServer server(folder.file("semel.db"));
        secret =
            Caller(server.url(), {}).post("/v1/tokens", R"({"scopes":["admin"]})").text("/secret");
        remember_secret(secret);
    }
    TestServer server(folder.file("semel.db"));
    EXPECT_TRUE(server.api().has_tokens());
    EXPECT_EQ(Caller(server.url(), {}).get("/v1/actions").status, 401);
    EXPECT_EQ(
        Caller(server.url(), {{"Authorization", "Bearer " + secret}}).get("/v1/actions").status,
        200);
}

TEST_F(AuthOverHttp, WhatIsNoTokenIsRefused) {
    Caller admin = token_caller(client_, R"(["admin"])");
    static_cast<void>(admin);
    const std::string unknown = "semel_" + std::string(64, '0');
    for (const Headers& headers : std::vector<Headers>{
             {{"Authorization", "Bearer " + unknown}},
             {{"Authorization", "Bearer"}},
             {{"Authorization", "Bearer "}},
             {{"Authorization", "Basic dTpw"}},
             {{"Authorization", ""}},
             {{"Authorization", "Bearer a"}, {"Authorization", "Bearer b"}},
         }) {
        const Answered refused = client_.get("/v1/actions", headers);
        EXPECT_EQ(refused.status, 401) << headers[0].value;
        EXPECT_EQ(refused.code(), "unauthorized");
        EXPECT_EQ(client_.get("/readyz", headers).status, 401)
            << "a wrong token is said to be wrong, also where none is needed";
    }
}

TEST_F(AuthOverHttp, ATokenThatExpiresIsRefusedFromThenOn) {
    Caller admin = token_caller(client_, R"(["admin"])");
    Answered made;
    for (int i = 0; i < 20 && made.status != 201; ++i) {  // a busy machine may need a second try
        const Answered now = admin.post("/v1/actions", R"({"type":"t"})");
        const auto created = *parse_rfc3339(now.text("/action/createdAt"));
        made = admin.post("/v1/tokens",
                          fmt::format(R"({{"scopes":["read"],"expiresAt":"{}"}})",
                                      format_rfc3339(created + std::chrono::seconds(1))));
    }
    ASSERT_EQ(made.status, 201);
    remember_secret(made.text("/secret"));
    Caller brief = caller({{"Authorization", "Bearer " + made.text("/secret")}});
    // waits: until the store's clock has passed the token's end; each round asks the server
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    Answered answered = brief.get("/v1/actions");
    while (answered.status == 200 && std::chrono::steady_clock::now() < deadline) {
        answered = brief.get("/v1/actions");
    }
    EXPECT_EQ(answered.status, 401);
    EXPECT_THAT(answered.text("/detail"), testing::HasSubstr("expired"));
}

TEST_F(AuthOverHttp, WhileNoTokenHasAdminOthersMustBeForced) {
    const Answered refused = client_.post("/v1/tokens", R"({"scopes":["read","work"]})");
    EXPECT_EQ(refused.status, 400);
    EXPECT_EQ(refused.text("/pointer"), "/scopes");
    EXPECT_EQ(client_.get("/v1/tokens").size("/items"), 0U);
    Caller admin = token_caller(client_, R"(["admin"])");
    EXPECT_EQ(admin.post("/v1/tokens", R"({"scopes":["read","work"]})").status, 201);
}

// A poll that waits for type `t`, beside the test.
std::future<Answered> begin_poll(Caller& worker, TestServers& server) {
    auto poll = std::async(std::launch::async, [&worker] {
        return worker.post("/v1/jobs/claim", R"({"types":["t"],"waitMs":25000})");
    });
    server.wait_for_worker("default", "t");
    return poll;
}

TEST_F(AuthOverHttp, ADeletedTokensPollEndsWithoutAJob) {
    Caller admin = token_caller(client_, R"(["admin"])");
    Caller worker = token_caller(admin, R"(["work"])");
    auto poll = begin_poll(worker, server_);
    const std::string id = admin.get("/v1/tokens").text("/items/0/id");
    ASSERT_EQ(admin.send("DELETE", "/v1/tokens/" + id).status, 204);
    ASSERT_EQ(admin.post("/v1/actions", R"({"type":"t"})").status, 201);
    EXPECT_EQ(poll.get().size("/jobs"), 0U);
    EXPECT_EQ(worker.post("/v1/jobs/claim", R"({"types":["t"]})").status, 401);
    EXPECT_EQ(admin.post("/v1/jobs/claim", R"({"types":["t"]})").integer("/jobs/0/attempt"), 1);
}

TEST_F(AuthOverHttp, AnAnonymousPollEndsWhenTheFirstTokenIsMade) {
    Caller worker = caller();
    auto poll = begin_poll(worker, server_);
    Caller admin = token_caller(client_, R"(["admin"])");
    ASSERT_EQ(admin.post("/v1/actions", R"({"type":"t"})").status, 201);
    EXPECT_EQ(poll.get().size("/jobs"), 0U);
    EXPECT_EQ(admin.post("/v1/jobs/claim", R"({"types":["t"]})").integer("/jobs/0/attempt"), 1);
}

TEST_F(AuthOverHttp, AnExpiredTokensPollEndsWithoutAJob) {
    Caller admin = token_caller(client_, R"(["admin"])");
    Answered made;
    for (int i = 0; i < 20 && made.status != 201; ++i) {  // a busy machine may need a second try
        const Answered now = admin.post("/v1/actions", R"({"type":"clock"})");
        const auto created = *parse_rfc3339(now.text("/action/createdAt"));
        made = admin.post("/v1/tokens",
                          fmt::format(R"({{"scopes":["work","read"],"expiresAt":"{}"}})",
                                      format_rfc3339(created + std::chrono::seconds(2))));
    }
    ASSERT_EQ(made.status, 201);
    remember_secret(made.text("/secret"));
    const Headers brief = {{"Authorization", "Bearer " + made.text("/secret")}};
    Caller worker = caller(brief);
    auto poll = begin_poll(worker, server_);
    // waits: until the store's clock has passed the token's end; each round asks the server
    while (client_.get("/v1/actions", brief).status == 200) {
    }
    ASSERT_EQ(admin.post("/v1/actions", R"({"type":"t"})").status, 201);
    EXPECT_EQ(poll.get().size("/jobs"), 0U);
    EXPECT_EQ(admin.post("/v1/jobs/claim", R"({"types":["t"]})").integer("/jobs/0/attempt"), 1);
}

TEST_F(AuthOverHttp, TheTenantIsTheTokensAndOnlyAdminMayNameAnother) {
    Caller admin = token_caller(client_, R"(["admin"])");
    Caller acme = token_caller(admin, R"(["read","write"])", "acme");
    const Answered made = acme.post("/v1/actions", R"({"type":"t"})");
    EXPECT_EQ(made.text("/action/tenant"), "acme");
    EXPECT_EQ(acme.get("/v1/actions", {{"Semel-Tenant", "acme"}}).status, 200);
    const Answered refused = acme.get("/v1/actions", {{"Semel-Tenant", "other"}});
    EXPECT_EQ(refused.status, 403);
    EXPECT_EQ(refused.code(), "forbidden");
    EXPECT_EQ(admin.get("/v1/actions/" + made.text("/id")).status, 404);
    EXPECT_EQ(admin.get("/v1/actions/" + made.text("/id"), {{"Semel-Tenant", "acme"}}).status, 200);
    EXPECT_EQ(admin.get("/v1/actions", {{"Semel-Tenant", "a"}, {"Semel-Tenant", "b"}}).code(),
              "invalid");
}

// ---- Host and Origin ---------------------------------------------------------------------------

struct HostCase {
    std::string host;
    int status;
};

// The client writes Host itself, so these go through the API's front door directly.
int ask(Api& api, Headers headers) {
    net::Request request;
    request.method = "GET";
    request.path = "/v1/actions";
    request.peer_is_loopback = true;
    request.headers = std::move(headers);
    std::promise<int> status;
    api.handle(std::move(request),
               [&status](const net::Response& response) { status.set_value(response.status); });
    return status.get_future().get();
}

TEST(HostCheck, OnlyOurOwnNamesAreAnswered) {
    const TempFolder folder;
    ServerSetup setup;
    setup.hosts = {"semel.example.com", "other.example.com:8443"};
    TestServer server(folder.file("semel.db"), setup);
    for (const auto& [host, status] : std::vector<HostCase>{
             {"127.0.0.1:7363", 200},
             {"localhost", 200},
             {"LOCALHOST:80", 200},
             {"[::1]:7363", 200},
             {"semel.example.com", 200},
             {"Semel.Example.com:443", 200},
             {"other.example.com:8443", 200},
             {"other.example.com", 403},
             {"evil.example", 403},
             {"evil.example:7363", 403},
             {"localhost.evil.example", 403},
             {"127.0.0.1.evil.example", 403},
             {"10.0.0.1:7363", 403},
             {"0.0.0.0:7363", 403},
         }) {
        EXPECT_EQ(ask(server.api(), {{"Host", host}}), status) << host;
    }
    EXPECT_EQ(ask(server.api(), {}), 403) << "no Host at all";
}

TEST(HostCheck, AnOriginMustBeOurs) {
    const TempFolder folder;
    ServerSetup setup;
    setup.hosts = {"semel.example.com"};
    TestServer server(folder.file("semel.db"), setup);
    for (const auto& [origin, status] : std::vector<HostCase>{
             {"http://127.0.0.1:7363", 200},
             {"http://localhost:7363", 200},
             {"https://semel.example.com", 200},
             {"http://localhost:3000", 200},
             {"http://localhost", 200},
             {"https://evil.example", 403},
             {"http://127.0.0.1:7363.evil.example", 403},
             {"null", 403},
             {"", 403},
         }) {
        EXPECT_EQ(ask(server.api(), {{"Host", "127.0.0.1:7363"}, {"Origin", origin}}), status)
            << origin;
    }
    EXPECT_EQ(ask(server.api(), {{"Host", "127.0.0.1:7363"},
                                 {"Origin", "http://127.0.0.1:7363"},
                                 {"Origin", "https://evil.example"}}),
              403);
}

TEST(HostCheck, AStrangerWithoutTokensIsRefused) {
    const TempFolder folder;
    TestServer server(folder.file("semel.db"));
    net::Request request;
    request.method = "GET";
    request.path = "/v1/actions";
    request.peer_is_loopback = false;
    request.headers = {{"Host", "127.0.0.1:7363"}};
    std::promise<int> status;
    server.api().handle(std::move(request), [&status](const net::Response& response) {
        status.set_value(response.status);
    });
    EXPECT_EQ(status.get_future().get(), 401);
}

TEST_F(AuthOverHttp, TheLastAdminStaysWhileOthersRemain) {
    Caller admin = token_caller(client_, R"(["admin"])");
    Caller worker = token_caller(admin, R"(["work"])");
    const Answered listed = admin.get("/v1/tokens");
    const std::string worker_id = listed.text("/items/0/id");
    const std::string admin_id = listed.text("/items/1/id");
    const Answered refused = admin.send("DELETE", "/v1/tokens/" + admin_id);
    EXPECT_EQ(refused.status, 409);
    EXPECT_EQ(refused.code(), "wrong_state");
    EXPECT_NE(refused.text("/detail").find("--store"), std::string::npos);
    EXPECT_EQ(admin.get("/v1/tokens").size("/items"), 2U);

    Caller second = token_caller(admin, R"(["admin"])");
    EXPECT_EQ(admin.send("DELETE", "/v1/tokens/" + admin_id).status, 204) << "another is left";
    EXPECT_EQ(second.send("DELETE", "/v1/tokens/" + worker_id).status, 204);
    const std::string last = second.get("/v1/tokens").text("/items/0/id");
    EXPECT_EQ(second.send("DELETE", "/v1/tokens/" + last).status, 204)
        << "the last of all: loopback works without";
    EXPECT_EQ(client_.get("/v1/actions").status, 200);
}

}  // namespace
}  // namespace semel::test
