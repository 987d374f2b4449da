// `sources` and `gateway.routes` as `semel check` reads them.
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

TEST_F(ConfigRoutesTest, ARouteIsReadWithWhatItsRulesNeed) {
    const auto config = load(
        route_with("timeout: 30s, lease: 1m, auth: { forward: { url: 'http://a' } }, tenant: { "
                   "token: true }, guard: { fields: [/x, /y/0], failed_when: { json: /ok, equals: "
                   "false } }, on_uncertain: { probe: { url: 'http://p', every: 1s } }"));
    ASSERT_TRUE(config) << config.error().message();
    ASSERT_EQ(config->untaken.routes.size(), 1U);
    const CheckedRoute& route = config->untaken.routes.front();
    EXPECT_EQ(route.name, "a");
    EXPECT_TRUE(route.has_tenant);
    EXPECT_TRUE(route.has_auth);
    EXPECT_EQ(route.timeout, 30s);
    EXPECT_EQ(route.lease, 1min);
    EXPECT_EQ(route.key_fields, (Words{"/x", "/y/0"}));
    EXPECT_EQ(config->untaken.paths, Words{"gateway.routes"});
}

TEST_F(ConfigRoutesTest, WhatARouteDoesNotSayIsNotThere) {
    for (const bool has_none : {true, false}) {
        const auto config = load(route_with(has_none ? "auth: none" : "idempotency_key: {}"));
        ASSERT_TRUE(config) << config.error().message();
        const CheckedRoute& route = config->untaken.routes.at(0);
        EXPECT_FALSE(route.has_tenant || route.has_auth || route.timeout || route.lease);
        EXPECT_EQ(route.key_fields, Words{});
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

TEST_F(ConfigRoutesTest, TheServerRefusesThemBeforeTheyAreRead) {
    EXPECT_EQ(error_of(route_with("colour: red"), true),
              "routes_test.yaml:1:1: `gateway` is not in this version of Semel; remove it");
    EXPECT_EQ(error_of("sources: 1\n", true),
              "routes_test.yaml:1:1: `sources` is not in this version of Semel; remove it");
}

struct BadFile {
    std::string yaml;
    std::string message;
};

TEST_F(ConfigRoutesTest, WhatIsWrongWithASectionIsSaidWithItsPlace) {
    const std::string route = "{ name: a, match: { path: / }, upstream: 'http://u' }";
    const std::string source = "{ scheme: stripe, secrets: [env:S], start: { action: t } }";
    const BadFile files[] = {
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
    const BadFile files[] = {
        {route_with("timeuot: 1s"),
         "unknown key `gateway.routes.a.timeuot`; the nearest known key "
         "is `gateway.routes.a.timeout`"},
        {route_with("guard: { fields: [/a], windw: 1s }"),
         "unknown key `gateway.routes.a.guard.windw`; the nearest known key is "
         "`gateway.routes.a.guard.window`"},
        {route_with("tenant: { colour: red }"),
         "unknown key `gateway.routes.a.tenant.colour`; known here are `json`, `header`, `token`, "
         "`fixed`"},
        {route_with("lease: 1s, lease: 2s"),
         "the key `gateway.routes.a.lease` stands here a second time"},
        {route_with("lease: 30"), "`gateway.routes.a.lease` must be a duration from 100ms to 24h"},
        {route_with("timeout: 0s"),
         "`gateway.routes.a.timeout` must be a duration from 1ms to 24h"},
        {route_with("timeout: [1s]"),
         "`gateway.routes.a.timeout` must be a duration from 1ms to 24h"},
        {route_with("auth: jwt"),
         "`gateway.routes.a.auth` must be `semel`, `none`, or a map of `jwt` or `forward`"},
        {route_with("auth: {}"),
         "`gateway.routes.a.auth` must have exactly one of `jwt`, `forward`"},
        {route_with("tenant: acme"),
         "`gateway.routes.a.tenant` must be one of { json: /workspaceId }, { header: "
         "x-workspace-id }, { token: true }, { fixed: NAME }"},
        {route_with("tenant: { fixed: a, token: true }"),
         "`gateway.routes.a.tenant` must have exactly one of `json`, `header`, `token`, `fixed`"},
        {route_with("tenant: { json: workspaceId }"),
         "`gateway.routes.a.tenant.json` must be a JSON pointer, like /workspaceId"},
        {route_with("guard: { window: 1s }"),
         "`gateway.routes.a.guard` has no `fields`; it must be a list of JSON pointers, like "
         "[/workspaceId, /message]"},
        {route_with("guard: { fields: [] }"),
         "`gateway.routes.a.guard.fields` must be a list of JSON pointers, like [/workspaceId, "
         "/message]"},
        {route_with("idempotency_key: { wait: 61s }"),
         "`gateway.routes.a.idempotency_key.wait` must be a duration from 0s to 60s"},
        {route_with("idempotency_key: { required: yes }"),
         "`gateway.routes.a.idempotency_key.required` must be `true` or `false`"},
        {route_with("idempotency_key: { conflict_status: 500 }"),
         "`gateway.routes.a.idempotency_key.conflict_status` must be 409 or 422"},
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
