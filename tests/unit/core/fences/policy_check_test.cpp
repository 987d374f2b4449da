// The policy file, and what `semel check` finds.
#include "core/fences/policy_check.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "core/fences/fence_request.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;

std::vector<std::string> places(const CheckedSetup& setup) {
    std::vector<std::string> found;
    for (const Finding& finding : check(setup)) {
        EXPECT_FALSE(finding.detail.empty() || finding.fix.empty()) << finding.where;
        found.push_back((finding.severity == Severity::error ? "error " : "warning ") +
                        finding.where);
    }
    return found;
}

using Places = std::vector<std::string>;

// The file of the seed, as it stands.
Policy seed_policy() {
    return {.require_headers = {"Idempotency-Key"},
            .reject_on_body_mismatch = true,
            .fence_store = FenceStore::redis,
            .webhook_days = 14,
            .api_hours = 48,
            .batch_days = 3,
            .include_fields = {"idempotency_key", "effect_id", "decision"},
            .conflict_status = 409,
            .include_diff = true};
}

TEST(Policy, OfTheSeedSaysWhatIsUsual) {
    EXPECT_EQ(apply(seed_policy()), FencePolicy{});
    EXPECT_EQ(places({.policy = seed_policy()}), Places{});
}

TEST(Policy, ChangesWhatItNamesAndNothingElse) {
    FencePolicy expected;
    EXPECT_EQ(apply({}), expected);
    expected.webhook.ttl = 30 * 24h;
    expected.api.ttl = 24h;
    expected.batch.ttl = 7 * 24h;
    expected.reject_on_body_mismatch = false;
    expected.include_diff = false;
    expected.mask = {"/a"};
    EXPECT_EQ(apply({.reject_on_body_mismatch = false,
                     .webhook_days = 30,
                     .api_hours = 24,
                     .batch_days = 7,
                     .include_diff = false,
                     .mask = {"/a"}}),
              expected);
}

TEST(PolicyCheck, FindsNumbersAndPointersThatMeanNothing) {
    EXPECT_EQ(places({.policy = {.webhook_days = 0,
                                 .api_hours = -1,
                                 .batch_days = 4000,
                                 .conflict_status = 200,
                                 .mask = {"card"}}}),
              (Places{"error stores.ttl.webhook_days", "error stores.ttl.api_hours",
                      "error stores.ttl.batch_days", "error on_conflict.status",
                      "error on_conflict.mask"}));
    EXPECT_EQ(places({.policy = {.conflict_status = 422, .mask = {"/card"}}}), Places{});
}

// What `semel serve` refuses is what `semel check` calls an error: both ask here.
TEST(PolicyCheck, FindsNumbersThatNoTimeCanHoldWithoutUsingThem) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
    for (const std::int64_t absurd : {kMost, kLeast, std::int64_t{0}, std::int64_t{-1}}) {
        const CheckedSetup setup{
            .policy = {.webhook_days = absurd, .api_hours = absurd, .batch_days = absurd},
            .sources = {{.name = "stripe", .provider = "stripe"}}};
        EXPECT_EQ(places(setup),
                  (Places{"error stores.ttl.webhook_days", "error stores.ttl.api_hours",
                          "error stores.ttl.batch_days"}))
            << absurd;
        EXPECT_NE(first_error(check(setup)), nullptr);
    }
    EXPECT_EQ(validate({.webhook_days = 3650, .api_hours = 87600, .batch_days = 3650}).size(), 0U);
    EXPECT_EQ(places({.policy = {.webhook_days = 3651, .api_hours = 87601, .batch_days = 3651}}),
              (Places{"error stores.ttl.webhook_days", "error stores.ttl.api_hours",
                      "error stores.ttl.batch_days"}));
}

TEST(PolicyCheck, FindsNamesThatMeanNothing) {
    EXPECT_EQ(places({.policy = {.require_headers = {"Idempotency-Key", "a b", "Ä"},
                                 .fence_store_url = "redis://127.0.0.1",
                                 .include_fields = {"decision", "colour"}}}),
              (Places{"error require_headers", "error require_headers",
                      "error logging.include_fields", "warning stores.url"}));
    const auto findings = validate({.include_fields = {"colour"}});
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(to_string(findings[0]).substr(0, 75),
              "logging.include_fields: the line of a decision has no field `colour`; write");
}

TEST(PolicyCheck, RedisCannotBeStrict) {
    EXPECT_EQ(places({.policy = seed_policy(), .is_strict = true}), Places{"error stores.fence"});
}

TEST(PolicyCheck, AWindowMustCoverTheHorizonTwice) {
    const CheckedSource stripe{.name = "stripe", .provider = "stripe"};
    // Whatever the policy says: the class takes what the provider needs, if that is longer.
    EXPECT_EQ(places({.policy = {.webhook_days = 5}, .sources = {stripe}}), Places{});
    EXPECT_EQ(places({.sources = {{.name = "own", .horizon = 240h}}}), Places{});
    EXPECT_EQ(places({.sources = {{.name = "own", .horizon = 4h, .remembered = 7h}}}),
              Places{"error sources.own.ttl"});
    EXPECT_EQ(places({.sources = {{.name = "own", .horizon = 4h, .remembered = 8h}}}), Places{});
    EXPECT_EQ(places({.sources = {{.name = "own"}}}), Places{"warning sources.own.horizon"});
    const CheckedSource brief{.name = "stripe", .provider = "stripe", .remembered = 5 * 24h};
    const Finding finding = check({.sources = {brief}}).front();
    EXPECT_EQ(finding.detail,
              "events of `stripe` are remembered for 5d, and may be repeated for 3d; with the "
              "margin of 2 that is 6d");
    EXPECT_EQ(finding.fix, "write 6 days or more");
}

TEST(PolicyCheck, AHorizonThatIsShorterThanItsProvidersIsDoubted) {
    CheckedSource stripe{.name = "s", .provider = "stripe", .horizon = 1h};
    EXPECT_EQ(places({.sources = {stripe}}), Places{}) << "14 days cover Stripe's own too";
    const Finding finding = check({.policy = {.webhook_days = 5}, .sources = {stripe}}).at(0);
    EXPECT_EQ(finding.severity, Severity::warning);
    EXPECT_EQ(to_string(finding),
              "sources.s.horizon: `stripe` repeats events for 3d, longer than 1h; they are "
              "remembered for 5d only; write 3d, unless yours repeats for less");
    stripe.remembered = 1h;
    EXPECT_EQ(places({.sources = {stripe}}), Places{"error sources.s.ttl"})
        << "one finding, not two";
}

TEST(PolicyCheck, KeysOfASourceMustBeTheSameForARepeat) {
    CheckedSource source{.name = "s", .provider = "stripe", .subject = "/orderId"};
    source.key_fields = {"/orderId", "/customer"};
    EXPECT_EQ(places({.sources = {source}}), Places{});
    source.subject = "/requestId";
    source.key_fields = {"/sentAt"};
    EXPECT_EQ(places({.sources = {source}}),
              (Places{"warning sources.s.deduplication", "warning sources.s.subject"}));
}

// The server remembers a claim that names its provider for as long as that needs, so no policy is
// wrong for a provider; claims that do not name it are any webhook.
TEST(PolicyCheck, AProviderIsOutlastedByClaimsThatNameIt) {
    for (const Provider& provider : known_providers()) {
        const Millis needed = provider.horizon * kHorizonMargin;
        for (const std::int64_t days : {1, 6, 14, 59, 60}) {
            const CheckedSetup setup{.policy = {.webhook_days = days}, .providers = {provider}};
            const FencePolicy policy = apply(setup.policy);
            EXPECT_GE(fence_ttl(FenceClass::webhook, policy, provider.name, std::nullopt), needed);
            const bool is_short = fence_ttl(FenceClass::webhook, policy, "", std::nullopt) < needed;
            EXPECT_EQ(places(setup),
                      is_short ? Places{"warning stores.ttl.webhook_days"} : Places{})
                << provider.name << " " << days;
        }
    }
    const CheckedSetup adyen{.policy = {.webhook_days = 14},
                             .providers = {*find_provider("adyen")}};
    const Finding finding = check(adyen).front();
    EXPECT_EQ(finding.detail,
              "`adyen` repeats events for 30d. Claims of the class webhook whose sourceType is "
              "`adyen` are remembered for 60d, 2 times that; others for 14d only");
    EXPECT_EQ(finding.fix, "give its claims the sourceType `adyen`, or write 60 days or more");
    EXPECT_EQ(check({.providers = adyen.providers}).front().detail, finding.detail)
        << "14 days that are not written are the same 14 days";
}

TEST(PolicyCheck, ARouteRemembersLongerThanItsUpstreamMayTake) {
    CheckedRoute route{.name = "m", .has_tenant = true, .has_auth = true, .timeout = 30s};
    EXPECT_EQ(places({.routes = {route}}), Places{}) << "it claims nothing";
    route.ttl = route.window = 30s + 1ms;
    EXPECT_EQ(places({.routes = {route}}), Places{});
    route.ttl = 30s;
    EXPECT_EQ(places({.routes = {route}}), Places{"error gateway.routes.m.idempotency_key.ttl"});
    route.ttl.reset();
    route.window = 30s;
    EXPECT_EQ(places({.routes = {route}}), Places{"error gateway.routes.m.guard.window"});
}

TEST(PolicyCheck, ARouteThatMixesItsCallersIsAWarning) {
    CheckedRoute route{.name = "m", .timeout = 30s};
    route.key_fields = {"/sentAt", "/message"};
    EXPECT_EQ(places({.routes = {route}}),
              (Places{"warning gateway.routes.m.tenant", "warning gateway.routes.m.auth",
                      "warning gateway.routes.m.guard.fields"}));
}

TEST(PolicyCheck, AWildcardThatTakesOtherSpellingsOfAGuardedPathIsAWarning) {
    CheckedRoute guarded{.name = "m",
                         .path = "/api/messages",
                         .has_tenant = true,
                         .has_auth = true,
                         .window = 15min};
    CheckedRoute other{.name = "rest", .has_tenant = true, .has_auth = true};
    for (const char* path : {"/*", "/api/*", "/api/messages/*"}) {
        other.path = path;
        EXPECT_EQ(places({.routes = {guarded, other}}), Places{"warning gateway.routes.m.guard"});
    }
    other.window = 15min;
    EXPECT_EQ(places({.routes = {guarded, other}}), Places{}) << "it has a guard too";
    other.window.reset();
    for (const char* path : {"/api", "/api/messages", "/ap/*", "/api/messages/x/*"}) {
        other.path = path;
        EXPECT_EQ(places({.routes = {guarded, other}}), Places{}) << path;
    }
    guarded.window.reset();
    other.path = "/*";
    EXPECT_EQ(places({.routes = {guarded, other}}), Places{}) << "nothing is guarded";
}

TEST(PolicyCheck, KnowsFieldsThatAreAnotherEachTime) {
    for (const char* field : {"/timestamp", "/event_time", "/createdAt", "/a/updated_at",
                              "/eventDate", "/TS", "/sent-at"}) {
        EXPECT_EQ(volatile_kind(field), "timestamp") << field;
    }
    for (const char* field :
         {"/nonce", "/requestId", "/trace_id", "/messageUuid", "/x/randomSeed", "/correlationId"}) {
        EXPECT_EQ(volatile_kind(field), "random value") << field;
    }
    for (const char* field : {"/message", "/at", "/format", "/orderId", "/timezone", "/candidate",
                              "/request", "/update", "", "/", "/paymentId"}) {
        EXPECT_EQ(volatile_kind(field), "") << field;
    }
}

}  // namespace
}  // namespace semel
