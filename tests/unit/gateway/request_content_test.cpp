#include "gateway/request_content.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/limits.hpp"
#include "core/passes/request_differences.hpp"
#include "unit/gateway/a_request.hpp"

namespace semel::gateway {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// A request with all that RequestContent points into.
struct Sample {
    explicit Sample(std::string body, std::string content_type = "application/json")
        : request(a_request_of(content_type, std::move(body))) {}

    [[nodiscard]] RequestContent content() const { return {method, path, query, parsed}; }

    net::Request request;
    RequestBody parsed{request, false};
    std::string method = "POST";
    std::string path = "/a";
    std::string query;
};

TEST(RequestFingerprint, MethodPathQueryAndBodyCount) {
    const Sample first("{\"a\":1}");
    EXPECT_EQ(fingerprint(first.content()), fingerprint(Sample("{ \"a\": 1.0 }").content()));
    EXPECT_NE(fingerprint(first.content()), fingerprint(Sample("{\"a\":2}").content()));
    Sample other("{\"a\":1}");
    other.method = "PUT";
    EXPECT_NE(fingerprint(first.content()), fingerprint(other.content()));
    other.method = "POST";
    other.path = "/b";
    EXPECT_NE(fingerprint(first.content()), fingerprint(other.content()));
    other.path = "/a";
    other.query = "x=1&y=2";
    Sample turned("{\"a\":1}");
    turned.query = "y=2&x=1";
    EXPECT_NE(fingerprint(first.content()), fingerprint(other.content()));
    EXPECT_NE(fingerprint(turned.content()), fingerprint(other.content()));
}

TEST(RequestFingerprint, AFieldCannotMoveIntoTheNext) {
    Sample a("");
    Sample b("");
    a.path = "/a";
    a.query = "b";
    b.path = "/ab";
    EXPECT_NE(fingerprint(a.content()), fingerprint(b.content()));
}

TEST(Differences, TheDiffIsOfTheBodiesAndTheNamesAreOfTheRest) {
    const Sample first(R"({"a":1,"b":2})");
    const std::string stored = to_stored(first.content());
    EXPECT_EQ(request_differences(stored, to_stored(Sample(R"({"b":2.0, "a":1})").content())).patch,
              "[]");

    Sample now(R"({"a":1,"b":3})");
    now.path = "/other";
    now.query = "x=1";
    const Differences found = request_differences(stored, to_stored(now.content()));
    EXPECT_THAT(found.names, ElementsAre("path", "query"));
    EXPECT_EQ(found.patch, R"([{"op":"replace","path":"/b","value":3}])");
    EXPECT_FALSE(found.is_truncated);

    Sample put(R"({"a":1,"b":2})");
    put.method = "PUT";
    EXPECT_THAT(request_differences(stored, to_stored(put.content())).names, ElementsAre("method"));
}

TEST(Differences, SecretsAreMasked) {
    const std::string stored = to_stored(Sample(R"({"password":"old"})").content());
    const Differences found =
        request_differences(stored, to_stored(Sample(R"({"password":"new"})").content()));
    EXPECT_THAT(found.patch, Not(HasSubstr("new")));
    EXPECT_THAT(found.patch, HasSubstr("***"));
}

TEST(Differences, BodiesThatAreNotJsonHaveNoDiff) {
    const std::string stored = to_stored(Sample("a=1", "text/plain").content());
    EXPECT_THAT(stored, Not(HasSubstr("a=1"))) << "only JSON is shown";
    const Differences found =
        request_differences(stored, to_stored(Sample("a=2", "text/plain").content()));
    EXPECT_THAT(found.names, ElementsAre("body"));
    EXPECT_EQ(found.patch, "null");
    EXPECT_THAT(request_differences(stored, to_stored(Sample("a=1", "text/plain").content())).names,
                IsEmpty());
    EXPECT_THAT(request_differences(stored, to_stored(Sample("{}").content())).names,
                ElementsAre("body"));
}

TEST(Differences, ALargeBodyIsNotStored) {
    const Sample large("\"" + std::string(kContentBytesMax, 'x') + "\"");
    const std::string stored = to_stored(large.content());
    EXPECT_LE(stored.size(), kContentBytesMax);
    EXPECT_THAT(request_differences(stored, to_stored(Sample("1").content())).names,
                ElementsAre("body"));
}

TEST(Differences, ABodyOfTheGreatestDepthIsRead) {
    const std::string deep = std::string(64, '[') + std::string(64, ']');
    const std::string stored = to_stored(Sample(deep).content());
    EXPECT_EQ(request_differences(stored, to_stored(Sample("1").content())).patch,
              R"([{"op":"replace","path":"","value":1}])");
}

TEST(Differences, NothingIsKnownOfADamagedContent) {
    for (const char* stored : {"", "{", "[]", "{}"}) {
        const Differences found = request_differences(stored, to_stored(Sample("{}").content()));
        EXPECT_THAT(found.names, IsEmpty()) << stored;
        EXPECT_EQ(found.patch, "null") << stored;
    }
}

}  // namespace
}  // namespace semel::gateway
