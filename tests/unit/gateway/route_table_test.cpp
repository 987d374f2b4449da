#include "gateway/route_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace semel::gateway {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

GatewayRoute a_route(std::string name, std::vector<std::string> methods, std::string path) {
    GatewayRoute route;
    route.name = std::move(name);
    route.methods = std::move(methods);
    route.path = std::move(path);
    route.upstream = "http://127.0.0.1:9000";
    return route;
}

RouteTable a_table(const std::vector<GatewayRoute>& routes) {
    auto table = RouteTable::make(routes);
    EXPECT_TRUE(table) << (table ? "" : table.error().message());
    return *std::move(table);
}

Match match(const RouteTable& table, const std::string& method, const std::string& path) {
    net::Request request;
    request.method = method;
    return table.match(request, path);
}

// The name of the route, or "none".
std::string found(const RouteTable& table, const std::string& method, const std::string& path) {
    const Match found = match(table, method, path);
    return found.route != nullptr ? found.route->settings.name : "none";
}

struct Question {
    const char* pattern;
    const char* path;
    bool matches;
};

TEST(PathPattern, MatchesWholeSegments) {
    constexpr Question kQuestions[] = {
        {"/api/messages", "/api/messages", true},
        {"/api/messages", "/api/messages/", false},
        {"/api/messages", "/api/message", false},
        {"/api/messages", "/api/messages/1", false},
        {"/api/messages", "/API/messages", false},
        {"/api/messages/", "/api/messages/", true},
        {"/api/messages/", "/api/messages", false},
        {"/", "/", true},
        {"/", "/a", false},
        {"/a/{id}/b", "/a/1/b", true},
        {"/a/{id}/b", "/a/1/c", false},
        {"/a/{id}/b", "/a/1/2/b", false},
        {"/a/{id}", "/a/", false},
        {"/a/{id}", "/a/1/", false},
        {"/{a}/{b}", "/x/y", true},
        {"/a/*", "/a/", true},
        {"/a/*", "/a/b/c", true},
        {"/a/*", "/a", false},
        {"/a/*", "/ab/c", false},
        {"/*", "/", true},
        {"/*", "/a/b", true},
        {"/%7euser/caf%c3%a9", "/~user/caf%C3%A9", true},
    };
    for (const Question& question : kQuestions) {
        const auto pattern = PathPattern::parse(question.pattern);
        ASSERT_TRUE(pattern) << question.pattern << ": " << pattern.error().message();
        EXPECT_EQ(pattern->matches(question.path), question.matches)
            << question.pattern << " and " << question.path;
    }
}

TEST(PathPattern, APatternThatNoPathMatchesIsRefused) {
    for (const char* text : {"",       "api",  "*",     "/a//b", "//",      "/a/../b", "/a/%2e/b",
                             "/a%2Fb", "/a b", "/*/b",  "/a*",   "/a/b*",   "/{",      "/{}",
                             "/{a",    "/a}",  "/x{a}", "/{a}x", "/{a{b}}", "/{*}"}) {
        EXPECT_FALSE(PathPattern::parse(text)) << text;
    }
}

TEST(RouteTable, TheFirstRouteOfTheFileThatFitsTakesTheRequest) {
    const RouteTable table =
        a_table({a_route("send", {"POST"}, "/api/messages"),
                 a_route("one", {"GET", "PUT"}, "/api/{what}"), a_route("rest", {}, "/api/*")});
    EXPECT_EQ(found(table, "POST", "/api/messages"), "send");
    EXPECT_EQ(found(table, "PUT", "/api/messages"), "one");
    EXPECT_EQ(found(table, "POST", "/api/other"), "rest");
    EXPECT_EQ(found(table, "DELETE", "/api/messages"), "rest");
    EXPECT_EQ(found(table, "HEAD", "/api/messages"), "rest") << "HEAD is not GET";
    EXPECT_EQ(found(table, "get", "/api/messages"), "rest") << "methods have a case";
    EXPECT_EQ(found(table, "GET", "/api"), "none");

    const RouteTable turned =
        a_table({a_route("rest", {}, "/api/*"), a_route("send", {"POST"}, "/api/messages")});
    EXPECT_EQ(found(turned, "POST", "/api/messages"), "rest");
}

TEST(RouteTable, AnUnknownMethodOfAKnownPathShowsTheMethodsOfAllItsRoutes) {
    const RouteTable table =
        a_table({a_route("a", {"POST", "GET"}, "/x"), a_route("b", {"GET", "PUT"}, "/{any}"),
                 a_route("c", {"PATCH"}, "/y")});
    EXPECT_THAT(match(table, "DELETE", "/x").allowed, ElementsAre("POST", "GET", "PUT"));
    EXPECT_EQ(match(table, "DELETE", "/x").route, nullptr);
    EXPECT_THAT(match(table, "DELETE", "/z/z").allowed, IsEmpty());
    EXPECT_THAT(match(table, "GET", "/x").allowed, IsEmpty());
}

TEST(RouteTable, APreflightGoesToTheRouteOfTheMethodThatItAsksFor) {
    const RouteTable table =
        a_table({a_route("read", {"GET"}, "/x"), a_route("write", {"POST"}, "/x")});
    net::Request preflight;
    preflight.method = "OPTIONS";
    preflight.headers = {{"Origin", "https://app.example.com"},
                         {"Access-Control-Request-Method", "POST"}};
    ASSERT_NE(table.match(preflight, "/x").route, nullptr);
    EXPECT_EQ(table.match(preflight, "/x").route->settings.name, "write");
    EXPECT_EQ(table.match(preflight, "/y").route, nullptr);

    preflight.headers[1].value = "DELETE";
    ASSERT_NE(table.match(preflight, "/x").route, nullptr);
    EXPECT_EQ(table.match(preflight, "/x").route->settings.name, "read");

    net::Request plain = preflight;
    plain.headers.pop_back();
    EXPECT_FALSE(is_preflight(plain));
    EXPECT_THAT(table.match(plain, "/x").allowed, ElementsAre("GET", "POST"));
    plain = preflight;
    plain.headers.erase(plain.headers.begin());
    EXPECT_FALSE(is_preflight(plain));
    plain = preflight;
    plain.method = "POST";
    EXPECT_FALSE(is_preflight(plain));
}

TEST(RouteTable, ARouteOfItsOwnTakesPreflights) {
    const RouteTable table =
        a_table({a_route("write", {"POST"}, "/x"), a_route("options", {"OPTIONS"}, "/x")});
    net::Request preflight;
    preflight.method = "OPTIONS";
    preflight.headers = {{"Origin", "https://a.example"},
                         {"Access-Control-Request-Method", "POST"}};
    EXPECT_EQ(table.match(preflight, "/x").route->settings.name, "options");
}

TEST(RouteTable, ABadRouteIsRefusedByItsName) {
    auto route = a_route("mail", {}, "/a//b");
    EXPECT_THAT(RouteTable::make({route}).error().message(),
                HasSubstr("route `mail`: path `/a//b`"));
    route = a_route("mail", {}, "/a");
    route.upstream = "ftp://127.0.0.1";
    EXPECT_THAT(RouteTable::make({route}).error().message(), HasSubstr("route `mail`: URL"));
}

}  // namespace
}  // namespace semel::gateway
