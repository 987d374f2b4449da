// `gateway` and `sources` of a configuration.
#include <fstream>

#include <gtest/gtest.h>

#include "config/config.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using Words = std::vector<std::string>;

class ConfigRoutesTest : public testing::Test {
protected:
    static Result<Config> load(const std::string& yaml, bool refuses = false) {
        std::ofstream("routes_test.yaml", std::ios::binary) << yaml;
        return load_config({.file = "routes_test.yaml",
                            .flags = {},
                            .environment = {},
                            .refuses_findings = refuses});
    }
    static std::string error_of(const std::string& yaml, bool refuses = false) {
        const auto config = load(yaml, refuses);
        return config ? "it was accepted" : config.error().message();
    }
    void TearDown() override { std::remove("routes_test.yaml"); }
};

// With what a route must have, and more members.
std::string route_with(const std::string& members) {
    return "gateway:\n  routes:\n    - { name: a, match: { path: / }, upstream: 'http://u', " +
           members + " }\n";
}

std::string source_with(const std::string& members) {
    return "sources:\n  s: { scheme: stripe, secrets: [env:S], start: { action: t }, " + members +
           " }\n";
}

constexpr const char* kWholeRoute = R"(gateway:
  listen: "[::1]:8080"
  trusted_proxies: [127.0.0.1/32, "::1", 10.0.0.0/8]
  routes:
    - name: message.api
      match: { method: [POST, PUT], path: "/api/{id}/*" }
      upstream: https://up.example.com/base
      host: client
      timeout: 20s
      connect_timeout: 2s
      max_connections: 7
      max_body: 2MiB
      max_stored_body: 512
      auth: none
      principal: [X-User, "cookie:sid"]
      tenant: { json: /workspaceId }
      idempotency_key: { required: true, from: { header: X-Request-Id }, ttl: 12h, wait: 0s,
                         conflict_status: 422, on_5xx: release, fail_mode: open }
      guard: { fields: [/workspaceId, /to/0], window: 20m, wait: 1s, in_flight: conflict,
               failed_when: { json: /status, equals: failed }, fail_mode: closed,
               null_fields: [leadId, a b], duplicate_message: "Sent {age} ago", in_flight_message: Wait }
      replay_headers: [X-Rate]
)";

TEST_F(ConfigRoutesTest, EveryMemberOfARouteIsRead) {
    const auto config = load(kWholeRoute, true);
    ASSERT_TRUE(config) << config.error().message();
    EXPECT_EQ(config->gateway.listen.to_string(), "[::1]:8080");
    ASSERT_EQ(config->gateway.trusted_proxies.size(), 3U);
    EXPECT_TRUE(config->gateway.trusted_proxies[2].contains("10.1.2.3"));
    ASSERT_EQ(config->gateway.routes.size(), 1U);
    const GatewayRoute& route = config->gateway.routes.front();
    EXPECT_EQ(route.name, "message.api");
    EXPECT_EQ(route.methods, (Words{"POST", "PUT"}));
    EXPECT_EQ(route.path, "/api/{id}/*");
    EXPECT_EQ(route.upstream, "https://up.example.com/base");
    EXPECT_TRUE(route.keeps_host);
    EXPECT_EQ(route.timeout, 20s);
    EXPECT_EQ(route.connect_timeout, 2s);
    EXPECT_EQ(route.max_connections, 7);
    EXPECT_EQ(route.max_body, 2U << 20);
    EXPECT_EQ(route.max_stored_body, 512U);
    ASSERT_EQ(route.principal.size(), 2U);
    EXPECT_EQ(route.principal[0].header + route.principal[0].cookie, "X-User");
    EXPECT_EQ(route.principal[1].header + ":" + route.principal[1].cookie, "cookie:sid");
    ASSERT_TRUE(route.tenant);
    EXPECT_EQ(route.tenant->kind, TenantRule::Kind::json);
    EXPECT_EQ(route.tenant->value, "/workspaceId");
    EXPECT_EQ(route.replay_headers, Words{"X-Rate"});
    ASSERT_TRUE(route.idempotency_key);
    const KeyRule& key = *route.idempotency_key;
    EXPECT_TRUE(key.is_required);
    EXPECT_EQ(key.from.name, "X-Request-Id");
    EXPECT_EQ(key.ttl, 12h);
    EXPECT_EQ(key.wait, 0s);
    EXPECT_EQ(key.conflict_status, 422);
    EXPECT_TRUE(key.releases_5xx);
    EXPECT_EQ(key.fail_mode, FailMode::open);
    ASSERT_TRUE(route.guard);
    const GuardRule& guard = *route.guard;
    EXPECT_EQ(guard.fields, (Words{"/workspaceId", "/to/0"}));
    EXPECT_EQ(guard.window, 20min);
    EXPECT_EQ(guard.wait, 1s);
    EXPECT_TRUE(guard.refuses_in_flight);
    ASSERT_TRUE(guard.failed_when);
    EXPECT_EQ(guard.failed_when->pointer, "/status");
    EXPECT_EQ(guard.failed_when->equals, "\"failed\"");
    EXPECT_EQ(guard.fail_mode, FailMode::closed);
    EXPECT_EQ(guard.null_fields, (Words{"leadId", "a b"}));
    EXPECT_EQ(guard.duplicate_message, "Sent {age} ago");
    EXPECT_EQ(guard.in_flight_message, "Wait");
}

TEST_F(ConfigRoutesTest, AGuardHasDefaults) {
    const auto config = load(route_with("guard: {}"), true);
    ASSERT_TRUE(config) << config.error().message();
    ASSERT_TRUE(config->gateway.routes.at(0).guard);
    const GuardRule& guard = *config->gateway.routes.at(0).guard;
    EXPECT_TRUE(guard.fields.empty());
    EXPECT_EQ(guard.window, 15min);
    EXPECT_EQ(guard.wait, 3s);
    EXPECT_FALSE(guard.refuses_in_flight);
    EXPECT_FALSE(guard.failed_when);
    EXPECT_EQ(guard.fail_mode, FailMode::open);
    EXPECT_TRUE(guard.null_fields.empty());
    EXPECT_NE(guard.duplicate_message.find("{age}"), std::string::npos);
    EXPECT_EQ(guard.in_flight_message.find("{age}"), std::string::npos);
}

TEST_F(ConfigRoutesTest, AFailedAnswerIsComparedWithTheValueThatIsWritten) {
    const std::pair<const char*, const char*> values[] = {
        {"failed", "\"failed\""}, {"false", "false"},
        {"'false'", "\"false\""}, {"\"1\"", "\"1\""},
        {"-1.5e3", "-1.5e3"},     {"0x1", "\"0x1\""},
        {"yes", "\"yes\""},       {"'say \"hi\"'", R"("say \"hi\"")"}};
    for (const auto& [written, json] : values) {
        const auto config = load(route_with(
            "guard: { failed_when: { json: /a, equals: " + std::string(written) + " } }"));
        ASSERT_TRUE(config) << config.error().message();
        EXPECT_EQ(config->gateway.routes.at(0).guard->failed_when->equals, json) << written;
    }
}

TEST_F(ConfigRoutesTest, TheServerRefusesAWindowThatEndsBeforeTheTimeout) {
    const std::string error = error_of(route_with("guard: { window: 30s }"), true);
    EXPECT_NE(error.find("gateway.routes.a.guard.window: a request is remembered for 30s"),
              std::string::npos)
        << error;
}

TEST_F(ConfigRoutesTest, AMemberThatIsNotWrittenHasItsDefault) {
    const auto config = load(
        "gateway:\n  routes:\n    - { name: a, match: { path: / }, upstream: 'http://u' }\n"
        "    - { name: b, match: { method: GET, path: /b }, upstream: 'http://u', principal: [],\n"
        "        replay_headers: [], tenant: { fixed: b }, idempotency_key: {} }\n",
        true);
    ASSERT_TRUE(config) << config.error().message();
    EXPECT_EQ(config->gateway.listen.to_string(), "127.0.0.1:7364");
    EXPECT_TRUE(config->gateway.trusted_proxies.empty());
    const GatewayRoute& a = config->gateway.routes.at(0);
    EXPECT_TRUE(a.methods.empty());
    EXPECT_FALSE(a.keeps_host);
    EXPECT_EQ(a.timeout, 30s);
    EXPECT_EQ(a.connect_timeout, 5s);
    EXPECT_EQ(a.max_connections, 128);
    EXPECT_FALSE(a.max_body);
    EXPECT_EQ(a.max_stored_body, 1U << 20);
    EXPECT_EQ(a.principal.size(), 4U);
    EXPECT_FALSE(a.tenant);
    EXPECT_FALSE(a.idempotency_key);
    EXPECT_EQ(a.replay_headers, (Words{"location", "etag"}));
    const GatewayRoute& b = config->gateway.routes.at(1);
    EXPECT_EQ(b.methods, Words{"GET"});
    EXPECT_TRUE(b.principal.empty());
    EXPECT_TRUE(b.replay_headers.empty());
    EXPECT_EQ(b.tenant->kind, TenantRule::Kind::fixed);
    ASSERT_TRUE(b.idempotency_key);
    EXPECT_FALSE(b.idempotency_key->is_required);
    EXPECT_EQ(b.idempotency_key->from.name, "idempotency-key");
    EXPECT_EQ(b.idempotency_key->ttl, 24h);
    EXPECT_EQ(b.idempotency_key->wait, 3s);
    EXPECT_EQ(b.idempotency_key->conflict_status, 409);
    EXPECT_FALSE(b.idempotency_key->releases_5xx);
    EXPECT_EQ(b.idempotency_key->fail_mode, FailMode::closed);
}

TEST_F(ConfigRoutesTest, TheRulesOfAWholeConfigurationKnowEveryRoute) {
    const auto config =
        load(route_with("timeout: 10s, auth: { jwt: { jwks: /keys.json, claim: sub } }, tenant: { "
                        "token: true }, idempotency_key: { ttl: 1h }, guard: { fields: [/x, /y/0], "
                        "window: 5m, failed_when: { json: /ok, equals: false } }"));
    ASSERT_TRUE(config) << config.error().message();
    ASSERT_EQ(config->checked_routes.size(), 1U);
    const CheckedRoute& route = config->checked_routes.front();
    EXPECT_EQ(route.name, "a");
    EXPECT_TRUE(route.has_tenant);
    EXPECT_TRUE(route.has_auth);
    EXPECT_EQ(route.timeout, 10s);
    EXPECT_EQ(route.ttl, 1h);
    EXPECT_EQ(route.window, 5min);
    EXPECT_EQ(route.key_fields, (Words{"/x", "/y/0"}));

    const auto least = load(route_with("auth: none, guard: {}"));
    ASSERT_TRUE(least) << least.error().message();
    EXPECT_FALSE(least->checked_routes.at(0).has_tenant);
    EXPECT_FALSE(least->checked_routes.at(0).has_auth);
    EXPECT_FALSE(least->checked_routes.at(0).ttl);
    EXPECT_EQ(least->checked_routes.at(0).window, 15min);
}

TEST_F(ConfigRoutesTest, AMemberOfALaterVersionIsRefusedByTheServerAndNamedByTheCheck) {
    const std::pair<const char*, const char*> members[] = {
        {"auth: semel", "auth"},
        {"auth: { jwt: { jwks: /k, claim: sub } }", "auth"},
        {"tenant: { claim: team }", "tenant.claim"},
        {"idempotency_key: { from: { json: /id } }", "idempotency_key.from.json"},
        {"on_uncertain: retry", "on_uncertain"},
        {"uncertain_status: [502]", "uncertain_status"},
        {"upstream_tls: { ca: /ca.pem }", "upstream_tls"},
        {"cors: { origins: ['https://a.example'] }", "cors"},
    };
    for (const auto& [yaml, name] : members) {
        const std::string path = "gateway.routes.a." + std::string(name);
        const std::string error = error_of(route_with(yaml), true);
        EXPECT_TRUE(error.ends_with("`" + path + "` is not in this version of Semel; remove it"))
            << error;
        const auto config = load(route_with(yaml));
        ASSERT_TRUE(config) << config.error().message();
        EXPECT_EQ(config->untaken.paths, Words{path});
    }
}

TEST_F(ConfigRoutesTest, ASourceIsReadWithWhatItsRulesNeed) {
    const auto config = load(
        source_with("horizon: 3d, ttl: 5d, subject: /id, deduplication: { key_fields: [/k] }") +
        "  own:\n    scheme: standard-webhooks\n    secrets: [file:a, env:B]\n"
        "    start: { chain: t }\n    deduplication: false\n");
    ASSERT_TRUE(config) << config.error().message();
    ASSERT_EQ(config->untaken.sources.size(), 2U);
    const CheckedSource& first = config->untaken.sources[0];
    EXPECT_EQ(first.name, "s");
    EXPECT_EQ(first.provider, "stripe");
    EXPECT_EQ(first.horizon, 72h);
    EXPECT_EQ(first.remembered, 120h);
    EXPECT_EQ(first.subject, "/id");
    EXPECT_EQ(first.key_fields, Words{"/k"});
    const CheckedSource& second = config->untaken.sources[1];
    EXPECT_EQ(second.name, "own");
    EXPECT_FALSE(second.horizon || second.remembered);
    EXPECT_EQ(second.subject, "");
    EXPECT_EQ(second.key_fields, Words{});
}

TEST_F(ConfigRoutesTest, TheServerRefusesSourcesBeforeTheyAreRead) {
    EXPECT_EQ(error_of("sources: 1\n", true),
              "routes_test.yaml:1:1: `sources` is not in this version of Semel; remove it");
}

TEST_F(ConfigRoutesTest, MembersThatNoVersionHasAreUnknown) {
    for (const char* member :
         {"schema: /s.json", "lease: 1m", "auth: { forward: { url: 'http://a' } }",
          "on_uncertain: { probe: { url: 'http://p' } }", "guard: { allow_force: true }",
          "guard: { on_failure: keep }", "auth: { jwt: { jwks_file: /k, claim: sub } }"}) {
        const std::string error = error_of(route_with(member));
        EXPECT_TRUE(error.find("unknown key") != std::string::npos ||
                    error.find("must be `park` or `retry`") != std::string::npos)
            << error;
    }
}

struct BadRoutes {
    std::string yaml;
    std::string message;
};

TEST_F(ConfigRoutesTest, WhatIsWrongWithASectionIsSaidWithItsPlace) {
    const std::string route = "{ name: a, match: { path: / }, upstream: 'http://u' }";
    const std::string source = "{ scheme: stripe, secrets: [env:S], start: { action: t } }";
    const BadRoutes files[] = {
        {"sources: [a]\n",
         "1:10: `sources` must be a map of sources by their names, like `stripe: { scheme: stripe, "
         "… }`"},
        {"sources:\n", "1:1: `sources` has no value"},
        {"sources: { s: 1 }\n", "1:15: `sources.s` must be a map of keys, like `scheme: …`"},
        {"sources:\n  s: " + source + "\n  s: " + source + "\n",
         "3:3: the key `sources.s` stands here a second time"},
        {"gateway: { routes: { a: 1 } }\n",
         "1:20: `gateway.routes` must be a list of routes, like `- name: message.api`"},
        {"gateway:\n  routes:\n    - a\n",
         "3:7: `gateway.routes` must be a map of keys, like `name: …`"},
        {"gateway:\n  routes:\n    - { upstream: 'http://u', match: { path: / } }\n",
         "3:7: `gateway.routes` has no `name`; it must be a name of at most 255 bytes"},
        {"gateway:\n  routes:\n    - { name: a, match: { path: / } }\n",
         "3:7: `gateway.routes.a` has no `upstream`; it must be a URL, like http://127.0.0.1:9000"},
        {"gateway:\n  routes:\n    - " + route + "\n    - " + route + "\n",
         "4:15: the route `a` stands here a second time"},
        {"gateway: { trusted_proxies: [10.0.0.0/8, localhost] }\n",
         "1:29: `gateway.trusted_proxies`: a proxy is an address or a range, like 127.0.0.1 or "
         "10.0.0.0/8, not `localhost`"},
        {"gateway: { routes: }\n", "1:12: `gateway.routes` has no value"},
        {"gateway: { listen: 1 }\n",
         "1:20: `gateway.listen`: `1` is not an address to listen on; write host:port, like "
         "127.0.0.1:7363 or [::1]:7363"},
        {"gateway: { rotues: [] }\n",
         "1:12: unknown key `gateway.rotues`; the nearest known key is `gateway.routes`"},
    };
    for (const auto& [yaml, message] : files) {
        EXPECT_EQ(error_of(yaml), "routes_test.yaml:" + message) << yaml;
    }
}

// After the place, which is the value's.
TEST_F(ConfigRoutesTest, WhatIsWrongWithAMemberIsSaid) {
    const BadRoutes files[] = {
        {route_with("timeuot: 1s"),
         "unknown key `gateway.routes.a.timeuot`; the nearest known key "
         "is `gateway.routes.a.timeout`"},
        {route_with("guard: { fields: [/a], windw: 1s }"),
         "unknown key `gateway.routes.a.guard.windw`; the nearest known key is "
         "`gateway.routes.a.guard.window`"},
        {route_with("tenant: { colour: red }"),
         "unknown key `gateway.routes.a.tenant.colour`; known here are `json`, `header`, `token`, "
         "`claim`, `fixed`"},
        {route_with("timeout: 1s, timeout: 2s"),
         "the key `gateway.routes.a.timeout` stands here a second time"},
        {route_with("timeout: 30"),
         "`gateway.routes.a.timeout` must be a duration from 1ms to 24h"},
        {route_with("host: mine"), "`gateway.routes.a.host` must be `upstream` or `client`"},
        {route_with("max_connections: 0"),
         "`gateway.routes.a.max_connections` must be a whole number from 1 to 10000"},
        {route_with("max_body: 1MB"),
         "`gateway.routes.a.max_body` must be a whole number of bytes, or a size like 64KiB or "
         "1MiB"},
        {route_with("principal: authorization"),
         "`gateway.routes.a.principal` must be a list of headers and cookies, like "
         "[authorization, \"cookie:sid\"]"},
        {route_with("principal: ['cookie:']"),
         "`gateway.routes.a.principal` must be a list of headers and cookies, like "
         "[authorization, \"cookie:sid\"]"},
        {route_with("replay_headers: [a b]"),
         "`gateway.routes.a.replay_headers` must be a list of names of headers, like [location, "
         "etag]"},
        {route_with("idempotency_key:"),
         "`gateway.routes.a.idempotency_key` must be a map, like { ttl: 24h }"},
        {route_with("idempotency_key: { on_5xx: uncertain }"),
         "`gateway.routes.a.idempotency_key.on_5xx` must be `seal` or `release`"},
        {route_with("idempotency_key: { from: {} }"),
         "`gateway.routes.a.idempotency_key.from` must have exactly one of `header`, `json`"},
        {route_with("tenant: { fixed: '*' }"),
         "`gateway.routes.a.tenant.fixed` must be a name of at most 255 bytes"},
        {route_with("timeout: 0s"),
         "`gateway.routes.a.timeout` must be a duration from 1ms to 24h"},
        {route_with("timeout: [1s]"),
         "`gateway.routes.a.timeout` must be a duration from 1ms to 24h"},
        {route_with("auth: jwt"),
         "`gateway.routes.a.auth` must be `semel`, `none`, or a map of `jwt`"},
        {route_with("auth: {}"), "`gateway.routes.a.auth` must have exactly one of `jwt`"},
        {route_with("tenant: acme"),
         "`gateway.routes.a.tenant` must be one of { json: /workspaceId }, { header: "
         "x-workspace-id }, { token: true }, { fixed: NAME }"},
        {route_with("tenant: { fixed: a, token: true }"),
         "`gateway.routes.a.tenant` must have exactly one of `json`, `header`, `token`, `claim`, "
         "`fixed`"},
        {route_with("tenant: { json: workspaceId }"),
         "`gateway.routes.a.tenant.json` must be a JSON pointer, like /workspaceId"},
    };
    for (const auto& [yaml, message] : files) {
        const std::string error = error_of(yaml);
        EXPECT_TRUE(error.starts_with("routes_test.yaml:") && error.ends_with(": " + message))
            << yaml << error;
    }
}

TEST_F(ConfigRoutesTest, WhatIsWrongWithAKeyIsSaid) {
    const BadRoutes files[] = {
        {route_with("idempotency_key: { wait: 61s }"),
         "`gateway.routes.a.idempotency_key.wait` must be a duration from 0s to 60s"},
        {route_with("idempotency_key: { required: yes }"),
         "`gateway.routes.a.idempotency_key.required` must be `true` or `false`"},
        {route_with("idempotency_key: { conflict_status: 500 }"),
         "`gateway.routes.a.idempotency_key.conflict_status` must be 409 or 422"},
    };
    for (const auto& [yaml, message] : files) {
        const std::string error = error_of(yaml);
        EXPECT_TRUE(error.starts_with("routes_test.yaml:") && error.ends_with(": " + message))
            << yaml << error;
    }
}

TEST_F(ConfigRoutesTest, WhatIsWrongWithAGuardIsSaid) {
    const std::string fields =
        "`gateway.routes.a.guard.fields` must be a list of 1 to 16 different JSON pointers below "
        "the root, like [/workspaceId, /message]";
    const std::string null_fields =
        "`gateway.routes.a.guard.null_fields` must be a list of different names, like [leadId, "
        "contactId], without `success`, `duplicateOnly`, `duplicateMessage` and `message`";
    std::string many = "/0";
    for (int i = 1; i <= 16; ++i) many += ", /" + std::to_string(i);
    const std::pair<std::string, std::string> guards[] = {
        {"fields: []", fields},
        {"fields: ['']", fields},
        {"fields: [message]", fields},
        {"fields: [/a~2]", fields},
        {"fields: [/a, /b, /a]", fields},
        {"fields: /a", fields},
        {"fields: [[/a]]", fields},
        {"fields: [" + many + "]", fields},
        {"window: 0s",
         "`gateway.routes.a.guard.window` must be a duration, like 500ms, 15s, 15m, 24h or 14d"},
        {"wait: 61s", "`gateway.routes.a.guard.wait` must be a duration from 0s to 60s"},
        {"in_flight: wait", "`gateway.routes.a.guard.in_flight` must be `ok` or `conflict`"},
        {"fail_mode: ajar", "`gateway.routes.a.guard.fail_mode` must be `closed` or `open`"},
        {"failed_when: failed",
         "`gateway.routes.a.guard.failed_when` must be a map, like { json: /status, equals: failed "
         "}"},
        {"failed_when: { json: status, equals: a }",
         "`gateway.routes.a.guard.failed_when.json` must be a JSON pointer, like /workspaceId"},
        {"failed_when: { json: /a }",
         "`gateway.routes.a.guard.failed_when` has no `equals`; it must be a text, a number, "
         "`true` or `false`"},
        {"failed_when: { json: /a, equals: [1] }",
         "`gateway.routes.a.guard.failed_when.equals` must be a text, a number, `true` or "
         "`false`"},
        {"null_fields: [a, a]", null_fields},
        {"null_fields: [message]", null_fields},
        {"null_fields: ['']", null_fields},
        {"null_fields: a", null_fields},
        {"duplicate_message: ''",
         "`gateway.routes.a.guard.duplicate_message` must be a text of at most 1000 bytes, in "
         "which "
         "`{age}` is the time since then"},
        {"duplicate_message: " + std::string(1001, 'x'),
         "`gateway.routes.a.guard.duplicate_message` must be a text of at most 1000 bytes, in "
         "which "
         "`{age}` is the time since then"},
        {"in_flight_message: 'sent {age} ago'",
         "`gateway.routes.a.guard.in_flight_message` must be a text of at most 1000 bytes without "
         "`{age}`: the first request has no age yet"},
        {"keys: [/a]",
         "unknown key `gateway.routes.a.guard.keys`; known here are `fields`, `window`, `wait`, "
         "`in_flight`, `failed_when`, `fail_mode`, `null_fields`, `duplicate_message`, "
         "`in_flight_message`"},
    };
    for (const auto& [guard, message] : guards) {
        const std::string error = error_of(route_with("guard: { " + guard + " }"));
        EXPECT_TRUE(error.starts_with("routes_test.yaml:") && error.ends_with(": " + message))
            << guard << "\n"
            << error;
    }
}

TEST_F(ConfigRoutesTest, WhatIsWrongWithASourceIsSaid) {
    const BadRoutes files[] = {
        {source_with("ttl: soon"),
         "`sources.s.ttl` must be a duration, like 500ms, 15s, 15m, 24h or 14d"},
        {source_with("horizn: 3d"),
         "unknown key `sources.s.horizn`; the nearest known key is `sources.s.horizon`"},
        {source_with("deduplication: true"),
         "`sources.s.deduplication` must be `false`, or a map, like { key_fields: [/orderId] }"},
        {"sources: { s: { scheme: adyen } }\n",
         "`sources.s.scheme` must be `stripe`, `github`, `shopify`, `slack` or "
         "`standard_webhooks`"},
        {"sources: { s: { scheme: slack, secrets: [abc] } }\n",
         "`sources.s.secrets` must be a list of secrets, like [env:STRIPE_SECRET]"},
        {"sources: { s: { scheme: slack, secrets: [env:A], start: {} } }\n",
         "`sources.s.start` must have exactly one of `action`, `chain`"},
    };
    for (const auto& [yaml, message] : files) {
        const std::string error = error_of(yaml);
        EXPECT_TRUE(error.starts_with("routes_test.yaml:") && error.ends_with(": " + message))
            << yaml << error;
    }
}

}  // namespace
}  // namespace semel
