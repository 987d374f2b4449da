// What the tests over sockets cannot send, or would send too slowly.
#include "api/request_guard.hpp"

#include <gtest/gtest.h>

#include "api/auth.hpp"

namespace semel {
namespace {

bool is_let_in(const std::string& listen, const std::string& host,
               std::vector<std::string> hosts = {}, bool tls = false) {
    ApiOptions options;
    options.listen = listen;
    options.hosts = std::move(hosts);
    net::Request request;
    request.headers = {{"Host", host}};
    request.tls = tls;
    return !check_host(request, options);
}

TEST(RequestGuard, AListenerOnAllAddressesAnswersToAddressesButNotToStrangeNames) {
    for (const char* listen : {"0.0.0.0:7363", "[::]:7363"}) {
        EXPECT_TRUE(is_let_in(listen, "10.1.2.3:7363")) << listen;
        EXPECT_TRUE(is_let_in(listen, "[fe80::1]:7363")) << listen;
        EXPECT_TRUE(is_let_in(listen, "localhost")) << listen;
        EXPECT_FALSE(is_let_in(listen, "evil.example")) << listen;
        EXPECT_FALSE(is_let_in(listen, "10.1.2.3.evil.example")) << listen;
        EXPECT_TRUE(is_let_in(listen, "my.example", {"my.example"})) << listen;
    }
    EXPECT_FALSE(is_let_in("10.1.2.3:7363", "10.1.2.4:7363"));
    EXPECT_TRUE(is_let_in("10.1.2.3:7363", "10.1.2.3:7363"));
    EXPECT_TRUE(is_let_in("[2001:db8::1]:7363", "[2001:db8::1]:7363"));
    EXPECT_FALSE(is_let_in("[2001:db8::1]:7363", "[2001:db8::2]:7363"));
}

TEST(RequestGuard, AConfiguredDefaultPortMatchesAHostThatLeavesItOut) {
    const std::string listen = "10.1.2.3:7363";
    EXPECT_TRUE(is_let_in(listen, "b.example.com", {"b.example.com:80"}));
    EXPECT_TRUE(is_let_in(listen, "b.example.com:80", {"b.example.com:80"}));
    EXPECT_FALSE(is_let_in(listen, "b.example.com:81", {"b.example.com:80"}));
    EXPECT_FALSE(is_let_in(listen, "b.example.com", {"b.example.com:80"}, true));
    EXPECT_TRUE(is_let_in(listen, "b.example.com", {"b.example.com:443"}, true));
    EXPECT_FALSE(is_let_in(listen, "b.example.com", {"b.example.com:443"}));
    EXPECT_FALSE(is_let_in(listen, "b.example.com", {"b.example.com:7363"}));
}

TEST(RequestGuard, TheDefaultPortOfAnOriginIsItsSchemes) {
    ApiOptions options;
    options.listen = "10.1.2.3:443";
    net::Request request;
    request.tls = true;
    request.headers = {{"Host", "10.1.2.3"}, {"Origin", "https://10.1.2.3"}};
    EXPECT_FALSE(check_host(request, options));
    request.headers[1].value = "http://10.1.2.3";
    EXPECT_TRUE(check_host(request, options)) << "port 80 is another site";
}

ApiToken a_token(const std::string& secret) {
    ApiToken token;
    token.id = *Uuid::parse("0192f0c1-2b7e-7000-8000-000000000001");
    token.tenant = "acme";
    token.scopes = scope_bit(AccessScope::read);
    token.secret_hash = hash_secret(secret);
    return token;
}

TEST(Tokens, SecretsHave256BitsAndAreNeverTheSame) {
    const std::string secret = make_secret();
    EXPECT_EQ(secret.size(), 6U + 64U);
    EXPECT_EQ(secret.substr(0, 6), "semel_");
    EXPECT_NE(secret, make_secret());
}

TEST(Tokens, OnlyTheSecretItselfFindsItsToken) {
    TokenRegistry registry;
    EXPECT_TRUE(registry.empty());
    const std::string secret = make_secret();
    ASSERT_TRUE(registry.load({a_token(secret)}, registry.version()));
    ASSERT_NE(registry.find(secret), nullptr);
    EXPECT_EQ(registry.find(secret)->tenant, "acme");
    EXPECT_EQ(registry.find(""), nullptr);
    EXPECT_EQ(registry.find(secret + "0"), nullptr);
    EXPECT_EQ(registry.find(secret.substr(1)), nullptr);
    EXPECT_EQ(registry.find(hash_secret(secret).to_hex()), nullptr)
        << "what is stored opens nothing";
    registry.remove(a_token(secret).id);
    EXPECT_EQ(registry.find(secret), nullptr);
    EXPECT_TRUE(registry.empty());
}

TEST(Tokens, ExpireAtTheirTimeNotAfter) {
    TokenRegistry registry;
    const std::string secret = make_secret();
    ApiToken token = a_token(secret);
    token.expires_at = from_ms(1000);
    registry.add(token);
    net::Request request;
    request.headers = {{"Authorization", "Bearer " + secret}};
    const auto at = [&](std::int64_t ms) {
        return authenticate(request, Access::read, registry, true, from_ms(ms));
    };
    EXPECT_TRUE(std::holds_alternative<Caller>(at(999)));
    ASSERT_TRUE(std::holds_alternative<Problem>(at(1000)));
    EXPECT_EQ(std::get<Problem>(at(1000)).code, ProblemCode::unauthorized);
}

TEST(Tokens, AnonymousCallersNeedALoopbackPeerAndAListenerForIt) {
    const TokenRegistry none;
    net::Request request;
    request.peer_is_loopback = true;
    EXPECT_TRUE(std::holds_alternative<Caller>(
        authenticate(request, Access::admin, none, true, from_ms(0))));
    EXPECT_TRUE(std::holds_alternative<Problem>(
        authenticate(request, Access::read, none, false, from_ms(0))));
    request.peer_is_loopback = false;
    EXPECT_TRUE(std::holds_alternative<Problem>(
        authenticate(request, Access::read, none, true, from_ms(0))));
}

}  // namespace
}  // namespace semel
