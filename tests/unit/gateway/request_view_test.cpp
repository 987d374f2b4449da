#include "gateway/request_view.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/gateway/a_request.hpp"

namespace semel::gateway {
namespace {

using ::testing::HasSubstr;

const KeyRule kRequired{.is_required = true};
const KeyRule kFromOther{.from = {RequestPlace::Kind::header, "X-Request-Id"}};
const KeyRule kFromBody{.from = {RequestPlace::Kind::json, "/meta/id"}};

auto key_of(const net::Request& request, const KeyRule& rule = {}) {
    return read_key(request, RequestBody(request, true), rule);
}

// key|sent_as, "none", or the problem's code.
std::string key_text(const net::Request& request, const KeyRule& rule = {}) {
    const auto read = key_of(request, rule);
    if (const auto* problem = std::get_if<Problem>(&read)) {
        return std::string(to_string(problem->code)) + problem->pointer;
    }
    const auto& key = std::get<std::optional<RequestKey>>(read);
    return key ? key->key + "|" + key->sent_as : "none";
}

TEST(MethodClaims, ReadingClaimsNothing) {
    for (const char* method : {"GET", "HEAD", "OPTIONS", "TRACE"}) {
        EXPECT_FALSE(method_claims(method)) << method;
    }
    for (const char* method : {"POST", "PUT", "PATCH", "DELETE", "LINK", "get"}) {
        EXPECT_TRUE(method_claims(method)) << method;
    }
}

TEST(ReadKey, TheUpstreamGetsTheClientsOwnSpelling) {
    EXPECT_EQ(key_text(a_request({{"Idempotency-Key", "k"}})), "k|k");
    EXPECT_EQ(key_text(a_request({{"idempotency-key", "\"k\""}})), "k|\"k\"");
    EXPECT_EQ(key_text(a_request({{"X-Request-Id", "k"}}), kFromOther), "k|k");
}

TEST(ReadKey, AnAbsentKeyIsAProblemWhereItIsRequired) {
    EXPECT_EQ(key_text(a_request({})), "none");
    EXPECT_EQ(key_text(a_request({}), kRequired), "key_missing");
    EXPECT_EQ(key_text(a_request({{"Idempotency-Key", "k"}}), kFromOther), "none")
        << "only the named header counts";
    KeyRule rule = kFromBody;
    rule.is_required = true;
    EXPECT_EQ(key_text(a_request({{"Idempotency-Key", "k"}}, "{}"), rule), "key_missing/meta/id");
    EXPECT_EQ(key_text(a_request_of("text/plain", "x"), rule), "key_missing/meta/id");
}

TEST(ReadKey, AMalformedKeyIsRefused) {
    EXPECT_EQ(key_text(a_request({{"Idempotency-Key", ""}})), "key_invalid");
    EXPECT_EQ(key_text(a_request({{"Idempotency-Key", "\"k\";v=1"}})), "key_invalid");
    EXPECT_EQ(key_text(a_request({{"Idempotency-Key", "a,b"}})), "key_invalid");
    EXPECT_EQ(key_text(a_request({{"Idempotency-Key", "k"}, {"idempotency-key", "k"}})),
              "key_invalid");
    EXPECT_EQ(key_text(a_request({{"X-Request-Id", "a b"}}), kFromOther), "key_invalid");
}

TEST(ReadKey, AKeyInTheBodyIsAString) {
    const auto in_body = [](const std::string& json) {
        return key_text(a_request_of("text/plain", R"({"meta":{"id":)" + json + "}}"), kFromBody);
    };
    EXPECT_EQ(in_body(R"("k")"), "k|k");
    EXPECT_EQ(in_body(R"("a b")"), "a b|\"a b\"");
    EXPECT_EQ(in_body("\"caf\xc3\xa9\""), "caf\xc3\xa9|") << "the upstream gets the effect id";
    EXPECT_EQ(in_body("null"), "none");
    for (const std::string& bad :
         {std::string("1"), std::string("true"), std::string("[]"), std::string(R"("")"),
          std::string(R"("a\u0000b")"), "\"" + std::string(256, 'k') + "\""}) {
        EXPECT_EQ(in_body(bad), "key_invalid/meta/id") << bad;
    }
    EXPECT_EQ(in_body("\"" + std::string(255, 'k') + "\"").size(), 511U);
}

// The tenant, or the problem's code and pointer.
std::string tenant_text(const net::Request& request, std::optional<TenantRule> rule,
                        const std::string* token_tenant = nullptr) {
    GatewayRoute route;
    route.tenant = std::move(rule);
    const RequestBody body(request, reads_body(route));
    const auto read = read_tenant(request, &body, route, token_tenant);
    if (const auto* problem = std::get_if<Problem>(&read)) {
        return std::string(to_string(problem->code)) + problem->pointer;
    }
    return std::get<std::string>(read);
}

TEST(ReadTenant, WithoutARuleItIsTheTokensOrTheDefault) {
    const std::string acme = "acme";
    EXPECT_EQ(tenant_text(a_request({}), {}), "default");
    EXPECT_EQ(tenant_text(a_request({}), {}, &acme), "acme");
    EXPECT_EQ(tenant_text(a_request({}), TenantRule{TenantRule::Kind::token, ""}, &acme), "acme");
    EXPECT_EQ(tenant_text(a_request({}), TenantRule{TenantRule::Kind::fixed, "shop"}, &acme),
              "shop");
}

TEST(ReadTenant, AHeaderOccursExactlyOnce) {
    const TenantRule rule{TenantRule::Kind::header, "X-Workspace"};
    EXPECT_EQ(tenant_text(a_request({{"x-workspace", "acme"}}), rule), "acme");
    EXPECT_EQ(tenant_text(a_request({}), rule), "invalid");
    EXPECT_EQ(tenant_text(a_request({{"x-workspace", "a"}, {"X-Workspace", "a"}}), rule),
              "invalid");
    for (const std::string& bad :
         {std::string(), std::string("*"), std::string(256, 't'), std::string("a\xff")}) {
        EXPECT_EQ(tenant_text(a_request({{"x-workspace", bad}}), rule), "invalid") << bad;
    }
}

TEST(ReadTenant, InTheBodyItIsAStringOrAWholeNumber) {
    const TenantRule rule{TenantRule::Kind::json, "/w"};
    const auto in_body = [&](const std::string& json) {
        return tenant_text(a_request_of("application/json", R"({"w":)" + json + "}"), rule);
    };
    EXPECT_EQ(in_body(R"("acme")"), "acme");
    EXPECT_EQ(in_body("17"), "17");
    EXPECT_EQ(in_body("17.0"), "17");
    EXPECT_EQ(in_body("-3"), "-3");
    EXPECT_EQ(in_body("18446744073709551616"), "18446744073709551616");
    for (const char* bad :
         {"null", "true", "1.5", "1e400", "{}", "[]", R"("")", R"("*")", R"("a\nb")"}) {
        EXPECT_EQ(in_body(bad), "invalid/w") << bad;
    }
    EXPECT_EQ(tenant_text(a_request_of("application/json", "{}"), rule), "invalid/w");
    EXPECT_EQ(tenant_text(a_request_of("text/plain", "w=1"), rule), "invalid/w");
    GatewayRoute route;
    route.tenant = rule;
    EXPECT_TRUE(
        std::holds_alternative<Problem>(read_tenant(a_request({}), nullptr, route, nullptr)));
}

TEST(PrincipalOf, EveryListedHeaderCountsAndNoOther) {
    const GatewayRoute route;
    const Hash256 nobody = principal_of(a_request({}), route);
    for (const char* name : {"Authorization", "Cookie", "X-Api-Key", "Api-Key"}) {
        const Hash256 one = principal_of(a_request({{name, "1"}}), route);
        EXPECT_NE(one, nobody) << name;
        EXPECT_NE(one, principal_of(a_request({{name, "2"}}), route)) << name;
        EXPECT_NE(one, principal_of(a_request({{name, "1"}, {name, "1"}}), route)) << name;
        EXPECT_NE(principal_of(a_request({{name, ""}}), route), nobody) << name;
    }
    EXPECT_NE(principal_of(a_request({{"X-Api-Key", "1"}}), route),
              principal_of(a_request({{"Api-Key", "1"}}), route));
    EXPECT_NE(principal_of(a_request({{"Authorization", "cookie"}, {"Authorization", ""}}), route),
              principal_of(a_request({{"Cookie", "cookie"}, {"Cookie", ""}}), route))
        << "a value is not the next name";
    EXPECT_EQ(principal_of(a_request({{"User-Agent", "x"}}), route), nobody);
    EXPECT_EQ(principal_of(a_request({{"AUTHORIZATION", "1"}}), route),
              principal_of(a_request({{"authorization", "1"}}), route));
}

TEST(PrincipalOf, OneCookieCountsAlone) {
    GatewayRoute route;
    route.principal = {{.header = "cookie", .cookie = "sid"}};
    const auto with = [&](const std::string& cookies) {
        return principal_of(a_request({{"Cookie", cookies}}), route);
    };
    const Hash256 nobody = principal_of(a_request({}), route);
    EXPECT_EQ(with("_ga=1; sid=7"), with("sid=7; _ga=2"));
    EXPECT_EQ(with("sid=7"),
              principal_of(a_request({{"Cookie", "a=1"}, {"Cookie", "sid=7"}}), route));
    EXPECT_NE(with("sid=7"), with("sid=8"));
    EXPECT_NE(with("sid=7"), with("sid=7; sid=8"));
    EXPECT_NE(with("sid="), nobody);
    EXPECT_EQ(with("SID=7; xsid=7; sidx=7; sid"), nobody);
    EXPECT_EQ(principal_of(a_request({{"Authorization", "x"}}), route), nobody);
}

TEST(PrincipalOf, AnEmptyListMakesAllCallersOne) {
    GatewayRoute route;
    route.principal = {};
    EXPECT_EQ(principal_of(a_request({{"Authorization", "1"}}), route),
              principal_of(a_request({}), route));
}

TEST(ReadKey, TheProblemSaysWhereTheKeyBelongs) {
    EXPECT_THAT(std::get<Problem>(key_of(a_request({}), kRequired)).detail,
                HasSubstr("`idempotency-key`"));
}

}  // namespace
}  // namespace semel::gateway
