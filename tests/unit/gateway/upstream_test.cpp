#include "gateway/upstream.hpp"

#include <gtest/gtest.h>

namespace semel::gateway {
namespace {

Upstream an_upstream(const std::string& url) {
    auto upstream = Upstream::parse(url);
    EXPECT_TRUE(upstream) << url << (upstream ? "" : upstream.error().message());
    return *std::move(upstream);
}

TEST(Upstream, ItsPathIsPutBeforeTheRequests) {
    EXPECT_EQ(an_upstream("http://127.0.0.1:9000").target("/a", ""), "/a");
    EXPECT_EQ(an_upstream("http://127.0.0.1:9000/").target("/a", "x=1&x=2"), "/a?x=1&x=2");
    EXPECT_EQ(an_upstream("http://127.0.0.1/base").target("/a", ""), "/base/a");
    EXPECT_EQ(an_upstream("http://127.0.0.1/base/").target("/", ""), "/base/");
}

TEST(Upstream, AnAddressThatIsNoBaseIsRefused) {
    for (const char* url : {"127.0.0.1:9000", "ftp://a", "http://", "http://u:p@a", "http://a/?x=1",
                            "http://a?x", "http://a/../b", "http://a//b", "http://a/b#c"}) {
        EXPECT_FALSE(Upstream::parse(url)) << url;
    }
}

struct Redirect {
    const char* upstream;
    const char* location;
    const char* for_client;
};

TEST(Upstream, ALocationBelowTheBaseBecomesAPath) {
    constexpr Redirect kRedirects[] = {
        {"http://up:9000", "http://up:9000/a?b#c", "/a?b#c"},
        {"http://up:9000", "HTTP://UP:9000/a", "/a"},
        {"http://up:9000", "//up:9000/a", "/a"},
        {"http://up:9000", "http://up:9000", "/"},
        {"http://up:9000", "http://up:9000?x=1", "/?x=1"},
        {"http://up", "http://up:80/a", "/a"},
        {"https://up", "https://up:443/a", "/a"},
        {"http://[::1]:9000", "http://[::1]:9000/a", "/a"},
        {"http://up/base", "http://up/base/a", "/a"},
        {"http://up/base", "/base/a", "/a"},
        {"http://up/base", "/base", "/"},
        {"http://up/base/", "/base/a", "/a"},
        // Another origin, or a place that the gateway does not reach.
        {"http://up:9000", "http://up/a", "http://up/a"},
        {"http://up:9000", "https://up:9000/a", "https://up:9000/a"},
        {"http://up:9000", "http://up:9000.evil.example/a", "http://up:9000.evil.example/a"},
        {"http://up:9000", "http://u@up:9000/a", "http://u@up:9000/a"},
        {"http://up/base", "http://up/other", "http://up/other"},
        {"http://up/base", "/basement", "/basement"},
        {"http://up/base", "/other", "/other"},
        {"http://up", "http://up//evil.example/a", "http://up//evil.example/a"},
        // Relative references stay relative.
        {"http://up", "/a", "/a"},
        {"http://up", "next", "next"},
        {"http://up", "?page=2", "?page=2"},
        {"http://up", "a//b", "a//b"},
        {"http://up", "", ""},
    };
    for (const Redirect& redirect : kRedirects) {
        EXPECT_EQ(an_upstream(redirect.upstream).location_for_client(redirect.location),
                  redirect.for_client)
            << redirect.upstream << " and " << redirect.location;
    }
}

}  // namespace
}  // namespace semel::gateway
