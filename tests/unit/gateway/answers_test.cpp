#include "gateway/answers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json/json_pointer.hpp"

namespace semel::gateway {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kClaim(64, 'a');

// The raw JSON of a member of the body, or "".
std::string member(const net::Response& response, const std::string& pointer) {
    const auto body = json::Document::parse(response.body);
    EXPECT_TRUE(body) << response.body;
    const auto value = json::resolve(body->root(), pointer);
    return value ? std::string(value->raw()) : "";
}

std::string header(const net::Response& response, const std::string& name) {
    const std::string* value = response.header(name);
    return value != nullptr ? *value : "none";
}

struct Expected {
    net::Response response;
    int status = 0;
    const char* code = "";
    const char* retryable = "";
    const char* retry_after = "none";
};

Problem a_reuse(std::vector<std::string> differs = {}, std::string diff = "null") {
    return {.code = ProblemCode::key_reused,
            .detail = "another request",
            .claim_id = kClaim,
            .diff_json = std::move(diff),
            .diff_truncated = true,
            .differs = std::move(differs)};
}

TEST(Answers, EachHasItsStatusCodeAndAdvice) {
    const Expected all[] = {
        {bad_path("the path has …"), 400, "invalid", "", "none"},
        {no_route("/x"), 404, "not_found", "", "none"},
        {method_not_allowed({"GET"}), 405, "invalid", "", "none"},
        {key_reused(a_reuse(), 409), 409, "key_reused", "false", "none"},
        {key_reused(a_reuse(), 422), 422, "key_reused", "false", "none"},
        {in_progress(kClaim), 409, "in_progress", "true", "1"},
        {response_not_retained(kClaim, "e"), 409, "response_not_retained", "false", "none"},
        {not_sent("the upstream is down"), 502, "upstream_unavailable", "true", "1"},
        {doubtful(kClaim, "it was cut", false), 502, "uncertain", "false", "none"},
        {doubtful(kClaim, "it was late", true), 504, "uncertain", "false", "none"},
        {not_sealed(kClaim), 504, "uncertain", "false", "none"},
        {no_answer("POST", "it was cut", false), 502, "uncertain", "false", "none"},
        {no_answer("DELETE", "it was late", true), 504, "uncertain", "false", "none"},
        {no_answer("GET", "it was cut", false), 502, "upstream_unavailable", "true", "1"},
        {no_answer("HEAD", "it was late", true), 504, "upstream_unavailable", "true", "1"},
        {store_unavailable(), 503, "store_unavailable", "true", "1"},
        {overloaded(), 503, "overloaded", "true", "1"},
    };
    for (const Expected& expected : all) {
        const net::Response& response = expected.response;
        EXPECT_EQ(response.status, expected.status) << response.body;
        EXPECT_EQ(member(response, "/status"), std::to_string(expected.status)) << response.body;
        EXPECT_EQ(member(response, "/code"), '"' + std::string(expected.code) + '"');
        EXPECT_EQ(member(response, "/retryable"), expected.retryable) << response.body;
        EXPECT_EQ(header(response, "Retry-After"), expected.retry_after) << response.body;
        EXPECT_EQ(header(response, "Content-Type"), "application/problem+json");
        EXPECT_EQ(header(response, "Cache-Control"), "no-store");
    }
}

TEST(Answers, WhoMetAClaimIsShownIt) {
    for (const net::Response& response :
         {key_reused(a_reuse(), 409), in_progress(kClaim), response_not_retained(kClaim, "e"),
          doubtful(kClaim, "it was cut", false), not_sealed(kClaim)}) {
        EXPECT_EQ(header(response, "Semel-Claim"), kClaim) << response.body;
        EXPECT_EQ(member(response, "/claimId"), '"' + kClaim + '"') << response.body;
    }
    for (const net::Response& response :
         {not_sent("x"), no_answer("POST", "x", false), store_unavailable(), no_route("/")}) {
        EXPECT_EQ(header(response, "Semel-Claim"), "none") << response.body;
    }
}

TEST(Answers, AReusedKeyIsShownTheDifferences) {
    const net::Response response =
        key_reused(a_reuse({"path", "query"}, R"([{"op":"remove","path":"/a"}])"), 409);
    EXPECT_EQ(member(response, "/diff"), R"([{"op":"remove","path":"/a"}])");
    EXPECT_EQ(member(response, "/diffTruncated"), "true");
    EXPECT_EQ(member(response, "/differs"), R"(["path","query"])");
    EXPECT_EQ(member(response, "/decision"), R"("conflict")");

    const net::Response unknown = key_reused(a_reuse(), 409);
    EXPECT_EQ(member(unknown, "/diff"), "null");
    EXPECT_THAT(unknown.body, Not(HasSubstr("differs")));
}

TEST(Answers, TheRestNamesWhatTheClientNeeds) {
    EXPECT_EQ(header(method_not_allowed({"GET", "PUT"}), "Allow"), "GET, PUT");
    EXPECT_EQ(member(response_not_retained(kClaim, "0192"), "/effectId"), R"("0192")");
    EXPECT_EQ(member(in_progress(kClaim), "/decision"), R"("in_flight")");
    EXPECT_EQ(member(in_progress(kClaim), "/retryAfterMs"), "1000");
}

TEST(Answers, AReplayHasTheBytesOfTheFirstAnswer) {
    const net::Response response =
        replay(201, {{"Content-Type", "text/plain"}, {"ETag", "\"1\""}}, "body", kClaim);
    EXPECT_EQ(response.status, 201);
    EXPECT_EQ(response.body, "body");
    EXPECT_EQ(header(response, "Content-Type"), "text/plain");
    EXPECT_EQ(header(response, "ETag"), "\"1\"");
    EXPECT_EQ(header(response, "Idempotent-Replayed"), "true");
    EXPECT_EQ(header(response, "Semel-Claim"), kClaim);
}

}  // namespace
}  // namespace semel::gateway
