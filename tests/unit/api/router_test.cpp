#include "api/router.hpp"

#include <array>
#include <set>

#include <gtest/gtest.h>

namespace semel {
namespace {

constexpr std::array kRoutes = {
    Route{.method = "GET", .pattern = "/"},
    Route{.method = "POST", .pattern = "/v1/things/batch"},
    Route{.method = "POST", .pattern = "/v1/things/{id}"},
    Route{.method = "GET", .pattern = "/v1/things/{id}"},
    Route{.method = "POST", .pattern = "/v1/things/{id}/run"},
};

const char* pattern(std::string_view method, std::string_view path) {
    const Match match = find_route(kRoutes, method, path);
    return match.route != nullptr ? match.route->pattern.data() : "none";
}

TEST(Router, FindsByMethodAndSegments) {
    EXPECT_STREQ(pattern("GET", "/"), "/");
    EXPECT_STREQ(pattern("POST", "/v1/things/batch"), "/v1/things/batch");
    EXPECT_STREQ(pattern("POST", "/v1/things/7"), "/v1/things/{id}");
    EXPECT_STREQ(pattern("GET", "/v1/things/batch"), "/v1/things/{id}");
    EXPECT_STREQ(pattern("POST", "/v1/things/7/run"), "/v1/things/{id}/run");
    EXPECT_EQ(find_route(kRoutes, "POST", "/v1/things/7%2f/run").value, "7%2f");
    EXPECT_STREQ(pattern("HEAD", "/v1/things/7"), "/v1/things/{id}");
}

TEST(Router, NearMissesAreMisses) {
    for (const char* path :
         {"", "//", "/v1", "/v1/things", "/v1/things/", "/v1/things//run", "/v1/things/7/",
          "/v1/things/7/run/", "/v1/things/7/runs", "/V1/things/7", "/v1/things/7/run/now"}) {
        EXPECT_STREQ(pattern("POST", path), "none") << path;
    }
    EXPECT_STREQ(pattern("post", "/v1/things/7"), "none");
    EXPECT_STREQ(pattern("HEAD", "/v1/things/7/run"), "none");
}

TEST(Router, KnowsTheMethodsOfAPath) {
    EXPECT_EQ(allowed_methods(kRoutes, "/v1/things/7"), "POST, GET, HEAD");
    EXPECT_EQ(allowed_methods(kRoutes, "/v1/things/7/run"), "POST");
    EXPECT_EQ(allowed_methods(kRoutes, "/nothing"), "");
}

TEST(Routes, AreDistinctAndHandled) {
    std::set<std::pair<std::string_view, std::string_view>> seen;
    for (const Route& route : routes()) {
        EXPECT_NE(route.handler, nullptr) << route.pattern;
        EXPECT_TRUE(seen.emplace(route.method, route.pattern).second) << route.pattern;
        EXPECT_EQ(find_route(routes(), route.method, route.pattern).route, &route)
            << route.pattern << " is hidden by an earlier one";
        if (route.method == "GET") {
            EXPECT_EQ(route.body, BodyUse::none) << route.pattern;
        }
        if (route.accepts_idempotency_key) {
            EXPECT_EQ(route.method, "POST") << route.pattern;
        }
    }
}

// Nobody is told to send a key where a key is refused.
TEST(Routes, SayHowTheyAreRepeated) {
    for (const Route& route : routes()) {
        const bool says_key = route.repeat == Repeat::with_key;
        if (route.method != "GET") {
            EXPECT_TRUE(!says_key || route.accepts_idempotency_key) << route.pattern;
        }
        EXPECT_EQ(route.repeat == Repeat::claim, route.pattern.ends_with("/claim"))
            << route.pattern;
    }
}

TEST(Routes, OnlyBatchesAndFoundAnswersMayBeLarge) {
    for (const Route& route : routes()) {
        const bool may_be_large =
            route.pattern == "/v1/actions/batch" || route.pattern == "/v1/chains/batch" ||
            route.pattern == "/v1/jobs/settle" || route.pattern == "/v1/claims/{claimId}/resolve";
        EXPECT_EQ(route.body_bytes_max, may_be_large ? std::size_t{16} << 20 : std::size_t{1} << 20)
            << route.pattern;
    }
}

}  // namespace
}  // namespace semel
