// semel check on configurations with sources, which the server does not take yet, and a gateway.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.hpp"

namespace semel::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class CheckRoutes : public CliTest {
protected:
    // Of a file with one route: that of the contract, with other members.
    Ended check_route(const std::string& members) {
        write("semel.yaml",
              "gateway:\n  routes:\n    - name: message.api\n"
              "      match: { method: POST, path: /api/messages }\n"
              "      upstream: http://127.0.0.1:9000\n" +
                  members);
        return run({"check", "semel.yaml"});
    }
    Ended check_source(const std::string& members) {
        write("semel.yaml",
              "sources:\n  stripe: { scheme: stripe, secrets: [env:S], start: { action: t }, " +
                  members + " }\n");
        return run({"check", "semel.yaml"});
    }
};

constexpr const char* kTenant = "      tenant: { json: /workspaceId }\n";
constexpr const char* kNotTaken =
    "`semel serve` of this version does not take this yet, and does not start with a file that has "
    "it";

// The example of the contract, as it stands.
constexpr const char* kContract =
    R"(store: ./semel.db                    # or postgres://user@host1,host2/db
listen: 127.0.0.1:7363
durability: store                    # what the store gives, shown; or strict: refuse less
tls: { cert: /path, key: file:/path }   # without it off loopback: a warning
keys: { retention: 30d }
actions:
  deduplication: { window_seconds: 5 }
  default_timeout: 30s
  retention_days: 7
  concurrency: 64
  cron_secret: env:SEMEL_CRON_SECRET
handlers:                            # action types that Semel calls over HTTP
  - { type: "content:publish", url: "https://app.example.com/publish", timeout: 60s, secret: env:PUBLISH_SECRET }
delivery: { allow_private_networks: false, per_endpoint_concurrency: 16 }
webhooks:
  endpoints:
    crm: { url: "https://crm.example.com/hook", secret: env:CRM_SECRET, patterns: ["subscription:*"], enabled: true }
  default_endpoint: crm
sources:                             # webhooks that come in, at /v1/intake/NAME
  stripe: { scheme: stripe, secrets: [env:STRIPE_SECRET], horizon: 3d, tenant: default, start: { action: "stripe:event" } }
gateway:
  listen: 127.0.0.1:7364
  routes:
    - name: message.api
      match: { method: POST, path: /api/messages }
      upstream: http://127.0.0.1:9000
      auth: none
      tenant: { json: /workspaceId }           # or { header: x-workspace-id }, { token: true }, { fixed: acme }
      idempotency_key: { required: false, ttl: 24h, wait: 3s, conflict_status: 409, on_5xx: seal }
      guard: { fields: [/workspaceId, /recipientPhone, /recipientEmail, /message], window: 15m, wait: 3s, in_flight: ok, fail_mode: open, null_fields: [leadId] }
policy: ./idempotency.yml            # the fence policy of section 5
)";

TEST_F(CheckRoutes, TheContractsExampleHasNoErrors) {
    write("semel.yaml", kContract);
    write("idempotency.yml", "stores: { ttl: { webhook_days: 14 } }\n");
    const Environment environment = {{"SEMEL_CRON_SECRET", "s"}};
    const Ended checked = run({"check", "semel.yaml"}, environment);
    EXPECT_EQ(checked.code, 0) << checked.out << checked.err;
    EXPECT_THAT(checked.out, AllOf(StartsWith("warning  gateway.routes.message.api.auth: anybody"),
                                   HasSubstr(kNotTaken), Not(HasSubstr("error"))));
    EXPECT_THAT(checked.out, HasSubstr("not checked: handlers, delivery.allow_private_networks, "
                                       "delivery.per_endpoint_concurrency, webhooks.endpoints, "
                                       "webhooks.default_endpoint\n"));
}

TEST_F(CheckRoutes, AMemberThatTheServerDoesNotTakeIsNamed) {
    EXPECT_THAT(check_route(kTenant).out, Not(HasSubstr(kNotTaken)));
    const Ended checked = check_route(std::string(kTenant) + "      on_uncertain: park\n");
    EXPECT_EQ(checked.code, 0) << checked.out << checked.err;
    EXPECT_THAT(checked.out, HasSubstr("warning  gateway.routes.message.api.on_uncertain: " +
                                       std::string(kNotTaken) +
                                       "\n         leave it out of the file that this version is "
                                       "started with\n"));
    EXPECT_THAT(run({"check", "semel.yaml", "--json"}).out,
                AllOf(HasSubstr(R"("where":"gateway.routes.message.api.on_uncertain")"),
                      HasSubstr(kNotTaken)));
    const Ended served = run({"serve", "--config", "semel.yaml", "--listen", "127.0.0.1:0"});
    EXPECT_EQ(served.code, 2) << served.out;
    EXPECT_THAT(served.err,
                HasSubstr("`gateway.routes.message.api.on_uncertain` is not in this version"));
}

TEST_F(CheckRoutes, AWindowShorterThanTheHorizonTwiceIsAnError) {
    const Ended checked = check_source("ttl: 5d");
    EXPECT_EQ(checked.code, 1) << checked.err;
    EXPECT_THAT(checked.out,
                StartsWith("error  sources.stripe.ttl: events of `stripe` are remembered for 5d, "
                           "and may be repeated for 3d; with the margin of 2 that is 6d\n"));
    EXPECT_EQ(check_source("ttl: 6d").code, 0);
    EXPECT_EQ(check_source("ttl: 6d, horizon: 4d").code, 1) << "its own horizon counts";
}

TEST_F(CheckRoutes, AKeyForgottenBeforeTheTimeoutIsAnError) {
    const std::string timeout = std::string(kTenant) + "      timeout: 30s\n";
    const Ended checked = check_route(timeout + "      idempotency_key: { ttl: 30s }\n");
    EXPECT_EQ(checked.code, 1) << checked.err;
    EXPECT_THAT(checked.out,
                AllOf(StartsWith("error  gateway.routes.message.api.idempotency_key.ttl: a request "
                                 "is remembered for 30s, and its upstream has 30s to answer"),
                      HasSubstr("write more than 30s")));
    EXPECT_EQ(check_route(timeout + "      idempotency_key: { ttl: 31s }\n").code, 0);
    EXPECT_EQ(check_route(timeout).code, 0) << "it claims nothing";
}

TEST_F(CheckRoutes, AFieldThatIsAnotherEachTimeIsAWarning) {
    const Ended checked = check_route(std::string(kTenant) +
                                      "      guard: { fields: [/message, /sentAt, /nonce] }\n");
    EXPECT_EQ(checked.code, 0) << checked.err;
    EXPECT_THAT(checked.out, AllOf(HasSubstr("warning  gateway.routes.message.api.guard.fields: "
                                             "`/sentAt` looks like a timestamp"),
                                   HasSubstr("`/nonce` looks like a random value"),
                                   Not(HasSubstr("`/message`"))));
    EXPECT_THAT(check_source("deduplication: { key_fields: [/createdAt] }").out,
                HasSubstr("warning  sources.stripe.deduplication: `/createdAt` looks like a "
                          "timestamp"));
}

TEST_F(CheckRoutes, ARouteWithoutATenantIsAWarning) {
    const Ended checked = check_route("");
    EXPECT_EQ(checked.code, 0) << checked.err;
    EXPECT_THAT(checked.out, StartsWith("warning  gateway.routes.message.api.tenant: all requests "
                                        "have the tenant `default`"));
}

TEST_F(CheckRoutes, WhatCannotBeReadIsToldWithItsPlace) {
    const Ended checked = check_route("      tennant: { fixed: a }\n");
    EXPECT_EQ(checked.code, 2);
    EXPECT_EQ(checked.out, "");
    EXPECT_THAT(checked.err,
                HasSubstr("semel.yaml:6:7: unknown key `gateway.routes.message.api.tennant`; the "
                          "nearest known key is `gateway.routes.message.api.tenant`"));
}

}  // namespace
}  // namespace semel::cli
