#include "net/http.hpp"

#include <gtest/gtest.h>

#include "net/client.hpp"

namespace semel::net {
namespace {

TEST(PercentDecode, DecodesEscapesAndNothingElse) {
    EXPECT_EQ(percent_decode("a%20b%2Fc+d"), "a b/c+d");
    EXPECT_EQ(percent_decode("%e4%E4"), "\xe4\xe4");
    EXPECT_EQ(percent_decode("%00"), std::string(1, '\0'));
    EXPECT_EQ(percent_decode("%2520"), "%20");
    EXPECT_EQ(percent_decode(""), "");
    for (const char* bad : {"%", "a%", "%2", "%2g", "%g2", "%%20", "% 20"}) {
        EXPECT_FALSE(percent_decode(bad)) << bad;
    }
}

TEST(ParseQuery, KeepsOrderAndRepetition) {
    using Pairs = std::vector<std::pair<std::string, std::string>>;
    EXPECT_EQ(parse_query("a=1&b=x%26y&a=2"), (Pairs{{"a", "1"}, {"b", "x&y"}, {"a", "2"}}));
    EXPECT_EQ(parse_query("a&b=&=c&&d=1=2&e=f+g"),
              (Pairs{{"a", ""}, {"b", ""}, {"", "c"}, {"d", "1=2"}, {"e", "f g"}}));
    EXPECT_EQ(parse_query(""), Pairs{});
    EXPECT_FALSE(parse_query("a=%"));
    EXPECT_FALSE(parse_query("a=1&%zz=2"));
}

TEST(Request, FindsHeadersWhateverTheirCase) {
    Request request;
    request.headers = {{"Accept", "a"}, {"accept", "b"}, {"Host", "x"}};
    ASSERT_NE(request.header("ACCEPT"), nullptr);
    EXPECT_EQ(*request.header("ACCEPT"), "a");
    EXPECT_EQ(request.count("accepT"), 2u);
    EXPECT_EQ(request.header("accep"), nullptr);
    EXPECT_EQ(request.count("Cookie"), 0u);
}

TEST(Url, SplitsItsParts) {
    const auto url = Url::parse("HTTPS://Example.org:8443/a%20b?c=d");
    ASSERT_TRUE(url) << url.error().message();
    EXPECT_EQ(url->scheme, "https");
    EXPECT_EQ(url->host, "Example.org");
    EXPECT_EQ(url->port, 8443);
    EXPECT_EQ(url->path, "/a%20b");
    EXPECT_EQ(url->query, "c=d");
    EXPECT_EQ(url->authority(), "Example.org:8443");
}

TEST(Url, KnowsDefaultsAndAddresses) {
    EXPECT_EQ(Url::parse("http://x")->port, 80);
    EXPECT_EQ(Url::parse("https://x?q")->port, 443);
    EXPECT_EQ(Url::parse("https://x?q")->path, "/");
    EXPECT_EQ(Url::parse("https://x:443")->authority(), "x");
    EXPECT_EQ(Url::parse("http://[::1]:7363/")->host, "::1");
    EXPECT_EQ(Url::parse("http://[::1]:7363/")->authority(), "[::1]:7363");
}

TEST(Url, RefusesWhatItCannotCall) {
    for (const char* bad : {"", "x", "x/y", "ftp://x", "http://", "http:///a", "http://a@x/",
                            "http://x:0/", "http://x:70000", "http://x:/", "http://x/a b",
                            "http://x/#f", "http://[::1", "http://x\r\n/"}) {
        EXPECT_FALSE(Url::parse(bad)) << bad;
    }
}

}  // namespace
}  // namespace semel::net
