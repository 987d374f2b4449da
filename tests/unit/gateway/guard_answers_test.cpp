#include "gateway/guard_answers.hpp"

#include <gtest/gtest.h>

namespace semel::gateway {
namespace {

using Headers = std::vector<net::Header>;

const std::string kClaimHex(64, 'a');

std::string header_of(const net::Response& response, const std::string& name) {
    const std::string* value = response.header(name);
    return value != nullptr ? *value : "none";
}

net::Response found(std::string body, Headers headers = {{"Content-Type", "application/json"}}) {
    return duplicate(std::move(headers), std::move(body), "Sent \"42\" s ago", kClaimHex);
}

TEST(Duplicate, AnObjectBeginsWithTheTwoMembers) {
    const std::string members = R"({"duplicateOnly":true,"duplicateMessage":"Sent \"42\" s ago")";
    EXPECT_EQ(found(R"({"success":true, "message":{"_id": 7.0}})").body,
              members + R"(,"success":true,"message":{"_id": 7.0}})");
    EXPECT_EQ(found("{ }").body, members + "}");
    EXPECT_EQ(
        found(R"({"duplicateMessage":1,"a":{"duplicateOnly":false},"duplicateOnly":null})").body,
        members + R"(,"a":{"duplicateOnly":false}})")
        << "only members of the object itself are replaced";
}

TEST(Duplicate, AnObjectIsJsonWithoutAnETag) {
    const net::Response response = found(
        "{}", {{"content-type", "text/html"}, {"ETag", "\"1\""}, {"Location", "/messages/1"}});
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(header_of(response, "Content-Type"), "application/json");
    EXPECT_EQ(header_of(response, "ETag"), "none");
    EXPECT_EQ(header_of(response, "Location"), "/messages/1");
    EXPECT_EQ(header_of(response, "Semel-Duplicate"), "true");
    EXPECT_EQ(header_of(response, "Semel-Claim"), kClaimHex);
}

TEST(Duplicate, AnythingElseKeepsItsBytesAndType) {
    for (const char* body :
         {"", "sent", "[1]", "null", "{", R"({"a":1,"a":2})", "\xef\xbb\xbf{}"}) {
        const net::Response response =
            found(body, {{"Content-Type", "text/plain"}, {"ETag", "\"1\""}});
        EXPECT_EQ(response.body, body);
        EXPECT_EQ(response.status, 200);
        EXPECT_EQ(header_of(response, "Content-Type"), "text/plain") << body;
        EXPECT_EQ(header_of(response, "ETag"), "\"1\"") << body;
        EXPECT_EQ(header_of(response, "Semel-Duplicate"), "true") << body;
    }
    EXPECT_EQ(found("{}", {{"Content-Encoding", "br"}}).body, "{}") << "these bytes are encoded";
}

TEST(DuplicateInFlight, HasExactlyTheSeedsMembersInTheirOrder) {
    GuardRule rule;
    rule.in_flight_message = "Wait";
    rule.null_fields = {"leadId", "ghlContactId"};
    const net::Response response = duplicate_in_flight(rule, kClaimHex);
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.body,
              R"({"success":true,"duplicateOnly":true,"duplicateMessage":"Wait","message":null,)"
              R"("leadId":null,"ghlContactId":null})");
    EXPECT_EQ(header_of(response, "Content-Type"), "application/json");
    EXPECT_EQ(header_of(response, "Semel-Duplicate"), "true");
    EXPECT_EQ(header_of(response, "Semel-Claim"), kClaimHex);
}

TEST(DuplicateInFlight, IsA409WhereTheRouteSaysSo) {
    const net::Response response =
        duplicate_in_flight(GuardRule{.refuses_in_flight = true}, kClaimHex);
    EXPECT_EQ(response.status, 409);
    EXPECT_NE(response.body.find("\"in_progress\""), std::string::npos) << response.body;
    EXPECT_EQ(header_of(response, "Semel-Claim"), kClaimHex);
}

}  // namespace
}  // namespace semel::gateway
