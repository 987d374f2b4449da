#include "gateway/forwarded_headers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/gateway/a_request.hpp"

namespace semel::gateway {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Lines = std::vector<std::string>;

GatewayRoute some_settings() {
    GatewayRoute settings;
    settings.name = "r";
    settings.path = "/*";
    settings.upstream = "http://127.0.0.1:9000";
    return settings;
}

Route a_route(const GatewayRoute& settings = some_settings()) {
    return {settings, *PathPattern::parse(settings.path), *Upstream::parse(settings.upstream)};
}

Lines lines(const std::vector<net::Header>& headers) {
    Lines out;
    for (const net::Header& header : headers) out.push_back(header.name + ": " + header.value);
    return out;
}

// What the upstream gets of these headers without claims, besides those that are always there.
Lines passed_on(const std::vector<net::Header>& headers, const std::vector<IpRange>& trusted = {},
                const PassHeaders* pass = nullptr) {
    return lines(upstream_headers(a_request(headers), a_route(), trusted, pass));
}

TEST(UpstreamHeaders, ThreeSayWhereTheRequestCameFrom) {
    EXPECT_THAT(
        passed_on({{"Accept", "text/html"}}),
        ElementsAre("Host: 127.0.0.1:9000", "Accept: text/html", "X-Forwarded-For: 192.0.2.7",
                    "X-Forwarded-Proto: http", "X-Forwarded-Host: api.example.com"));
}

TEST(UpstreamHeaders, HostIsTheClientsWhereTheRouteSaysSo) {
    GatewayRoute settings = some_settings();
    settings.keeps_host = true;
    const auto headers = upstream_headers(a_request({}), a_route(settings), {}, nullptr);
    EXPECT_EQ(lines(headers).front(), "Host: api.example.com");
}

TEST(UpstreamHeaders, WhatBelongsToOneConnectionStaysThere) {
    const Lines got = passed_on({{"Connection", "keep-alive, X-Hop ,x-other,,"},
                                 {"Keep-Alive", "timeout=5"},
                                 {"X-Hop", "1"},
                                 {"X-OTHER", "2"},
                                 {"X-Stays", "3"},
                                 {"TE", "trailers"},
                                 {"Trailer", "X-Sum"},
                                 {"Transfer-Encoding", "chunked"},
                                 {"Transfer_Encoding", "chunked"},
                                 {"Content-Length", "4"},
                                 {"Upgrade", "websocket"},
                                 {"Proxy-Authorization", "Basic eDp5"},
                                 {"Proxy-Connection", "keep-alive"},
                                 {"Expect", "100-continue"}});
    EXPECT_THAT(got, ElementsAre("Host: 127.0.0.1:9000", "X-Stays: 3", "X-Forwarded-For: 192.0.2.7",
                                 "X-Forwarded-Proto: http", "X-Forwarded-Host: api.example.com"));
}

TEST(UpstreamHeaders, AClientCannotSpeakForTheGatewayOrAProxy) {
    const Lines got = passed_on({{"Semel-Token", "9"},
                                 {"semel_tenant", "other"},
                                 {"X-Forwarded-For", "10.0.0.1"},
                                 {"X_Forwarded_For", "10.0.0.1"},
                                 {"X-Forwarded-Proto", "https"},
                                 {"X-Forwarded-Prefix", "/admin"},
                                 {"Forwarded", "for=10.0.0.1"}});
    EXPECT_THAT(got, ElementsAre("Host: 127.0.0.1:9000", "X-Forwarded-For: 192.0.2.7",
                                 "X-Forwarded-Proto: http", "X-Forwarded-Host: api.example.com"));
}

TEST(UpstreamHeaders, ATrustedProxyIsBelieved) {
    const std::vector<IpRange> trusted = {*IpRange::parse("10.0.0.0/8"),
                                          *IpRange::parse("192.0.2.0/24")};
    const Lines got = passed_on({{"X-Forwarded-For", "203.0.113.5"},
                                 {"X-Forwarded-For", "10.0.0.9"},
                                 {"X-Forwarded-Proto", "https"},
                                 {"X-Forwarded-Port", "443"},
                                 {"Forwarded", "for=203.0.113.5"},
                                 {"Semel-Tenant", "other"}},
                                trusted);
    EXPECT_THAT(got, ElementsAre("Host: 127.0.0.1:9000", "X-Forwarded-Port: 443",
                                 "X-Forwarded-For: 203.0.113.5, 10.0.0.9, 192.0.2.7",
                                 "X-Forwarded-Proto: https", "X-Forwarded-Host: api.example.com"));
    EXPECT_THAT(passed_on({{"X-Forwarded-For", "203.0.113.5"}}, {*IpRange::parse("10.0.0.0/8")}),
                Contains("X-Forwarded-For: 192.0.2.7"));
}

TEST(UpstreamHeaders, ARequestUnderClaimsHasItsKeyAndToken) {
    const PassHeaders pass{.idempotency_key = "\"k\"", .token = 77, .attempt = 2, .tenant = "acme"};
    const std::vector<net::Header> client = {{"Idempotency-Key", "k"},
                                             {"Idempotency_Key", "other"},
                                             {"Accept-Encoding", "gzip"},
                                             {"Cookie", "sid=1"}};
    EXPECT_THAT(passed_on(client, {}, &pass),
                ElementsAre("Host: 127.0.0.1:9000", "Cookie: sid=1", "X-Forwarded-For: 192.0.2.7",
                            "X-Forwarded-Proto: http", "X-Forwarded-Host: api.example.com",
                            "Accept-Encoding: identity", "Idempotency-Key: \"k\"",
                            "Semel-Token: 77", "Semel-Attempt: 2", "Semel-Tenant: acme"));
    EXPECT_THAT(passed_on(client), Contains("Idempotency-Key: k")) << "without claims it stays";
    EXPECT_THAT(passed_on(client), Contains("Accept-Encoding: gzip"));
}

TEST(CheckConnection, ANameThatTheGatewayNeedsIsRefused) {
    GatewayRoute route = some_settings();
    route.principal = {{"x-user"}, {"cookie", "sid"}};
    route.tenant = TenantRule{TenantRule::Kind::header, "x-workspace-id"};
    route.idempotency_key = KeyRule{.from = {RequestPlace::Kind::header, "x-request-id"}};
    for (const char* value :
         {"Authorization", "close, cookie", "Content-Type", "content-length", "host",
          "Idempotency-Key", "X-Forwarded-For", "semel-tenant", "x_forwarded_for", "X-User",
          "X-Workspace-Id", "X-Request-Id", "origin"}) {
        const auto problem = check_connection(a_request({{"Connection", value}}), route);
        ASSERT_TRUE(problem) << value;
        EXPECT_EQ(problem->code, ProblemCode::invalid);
    }
    for (const char* value : {"", "close", "keep-alive", "TE, upgrade", "x-hop", "x-user-agent"}) {
        EXPECT_FALSE(check_connection(a_request({{"Connection", value}}), route)) << value;
    }
    EXPECT_TRUE(
        check_connection(a_request({{"Connection", "close"}, {"Connection", "X-User"}}), route));
    EXPECT_FALSE(check_connection(a_request({{"Connection", "x-user"}}), some_settings()));
}

TEST(ClientHeaders, AnUpstreamCannotSpeakForTheGateway) {
    const auto headers = client_headers({{"Content-Type", "application/json"},
                                         {"Connection", "close, X-Hop"},
                                         {"X-Hop", "1"},
                                         {"Keep-Alive", "timeout=5"},
                                         {"Content-Length", "2"},
                                         {"Transfer-Encoding", "chunked"},
                                         {"Upgrade", "h2c"},
                                         {"Semel-Claim", "00"},
                                         {"Idempotent-Replayed", "true"},
                                         {"Set-Cookie", "a=1"},
                                         {"Set-Cookie", "b=2"},
                                         {"LOCATION", "http://127.0.0.1:9000/a/1"}},
                                        *Upstream::parse("http://127.0.0.1:9000"));
    EXPECT_THAT(lines(headers), ElementsAre("Content-Type: application/json", "Set-Cookie: a=1",
                                            "Set-Cookie: b=2", "LOCATION: /a/1"));
}

TEST(KeptHeaders, TheListAndTheTypeOfTheBodyAreKept) {
    const std::vector<net::Header> answer = {{"Content-Type", "text/plain"},
                                             {"Content-Encoding", "gzip"},
                                             {"ETag", "\"1\""},
                                             {"Location", "/a/1"},
                                             {"Set-Cookie", "a=1"},
                                             {"Date", "now"},
                                             {"X-Rate", "5"},
                                             {"Semel-Stale", "key"},
                                             {"Content-Length", "3"}};
    EXPECT_THAT(lines(kept_headers(answer, some_settings().replay_headers)),
                ElementsAre("Content-Type: text/plain", "Content-Encoding: gzip", "ETag: \"1\"",
                            "Location: /a/1"));
    EXPECT_THAT(lines(kept_headers(answer, {"x-rate", "set-cookie", "date", "semel-stale",
                                            "content-length", "connection"})),
                ElementsAre("Content-Type: text/plain", "Content-Encoding: gzip", "X-Rate: 5"));
    EXPECT_THAT(kept_headers({{"ETag", "\"1\""}}, {}), IsEmpty());
}

}  // namespace
}  // namespace semel::gateway
