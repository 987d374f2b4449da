#include "gateway/guard_key.hpp"

#include <set>

#include <gtest/gtest.h>

#include "unit/gateway/a_request.hpp"

namespace semel::gateway {
namespace {

using Parts = std::optional<std::vector<std::string>>;

const GuardRule kOneField{.fields = {"/a"}};

Parts key_of(const net::Request& request, const GuardRule& rule = kOneField) {
    const RequestBody body(request, !rule.fields.empty());
    return guard_key({request.method, request.path, request.query, body}, rule);
}

Parts key_of_json(const std::string& body, const GuardRule& rule = kOneField) {
    return key_of(a_request_of("application/json", body), rule);
}

TEST(GuardKey, ValuesOfDifferentKindOrContentDiffer) {
    const char* bodies[] = {R"({})",
                            R"({"a":null})",
                            R"({"a":""})",
                            R"({"a":"null"})",
                            R"({"a":false})",
                            R"({"a":true})",
                            R"({"a":0})",
                            R"({"a":1})",
                            R"({"a":"1"})",
                            R"({"a":"absent"})",
                            R"({"a":[]})",
                            R"({"a":{}})",
                            R"({"a":[1]})",
                            R"({"a":["1"]})",
                            R"({"a":"1 "})",
                            R"({"a":"\u00e9"})",
                            R"({"a":"e\u0301"})",
                            R"({"a":-1})",
                            R"({"a":"x\u0000"})",
                            R"({"a":"x"})",
                            R"({"a":9007199254740992})",
                            R"({"a":9007199254740993})",
                            R"({"a":1e400})",
                            R"({"a":1e401})"};
    std::set<std::vector<std::string>> seen;
    for (const char* body : bodies) {
        const Parts parts = key_of_json(body);
        ASSERT_TRUE(parts) << body;
        EXPECT_TRUE(seen.insert(*parts).second) << body;
    }
}

TEST(GuardKey, OneValueHasOneKeyInEachOfItsSpellings) {
    const std::vector<std::vector<const char*>> groups = {
        {R"({"a":"é"})", R"({ "a" : "\u00e9" })", R"({"b":1,"a":"é"})"},
        {R"({"a":5})", R"({"a":5.0})", R"({"a":50e-1})"},
        {R"({"a":0})", R"({"a":-0})", R"({"a":0e9})"},
        {R"({"a":{"x":1,"y":[2]}})", R"({"a":{"y":[2.0],"x":1}})"},
    };
    for (const auto& group : groups) {
        for (const char* body : group) {
            EXPECT_EQ(key_of_json(body), key_of_json(group.front())) << body;
        }
    }
}

TEST(GuardKey, AFieldCannotMoveIntoTheNext) {
    const GuardRule rule{.fields = {"/a", "/b"}};
    EXPECT_NE(key_of_json(R"({"a":"x","b":"y"})", rule), key_of_json(R"({"a":"xy","b":""})", rule));
    EXPECT_NE(key_of_json(R"({"a":"x"})", rule), key_of_json(R"({"b":"x"})", rule));
    EXPECT_EQ(key_of_json(R"({"a":"x","c":1})", rule), key_of_json(R"({"a":"x"})", rule));
}

TEST(GuardKey, NothingOfTheContentIsInIt) {
    const Parts parts = key_of_json(R"({"a":"+4915112345678"})");
    ASSERT_EQ(parts->size(), 1U);
    EXPECT_EQ(parts->front().size(), 64U);
    EXPECT_EQ(parts->front().find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST(GuardKey, ABodyOfAnyTypeIsReadAndOneThatIsNoObjectHasNone) {
    const net::Request text = a_request_of("text/plain", R"({"a":1})");
    EXPECT_EQ(key_of(text), key_of_json(R"({"a":1})"));
    for (const char* body : {"[]", "1", "\"a\"", "null", "a=1", "", "{"}) {
        EXPECT_EQ(key_of(a_request_of("text/plain", body)), std::nullopt) << body;
    }
}

TEST(GuardKey, WithoutFieldsTheWholeRequestCounts) {
    const GuardRule whole;
    const net::Request first = a_request_of("application/json", R"({"a":1,"b":2})");
    EXPECT_EQ(key_of(first, whole), key_of_json(R"({"b":2.0, "a":1})", whole));
    EXPECT_NE(key_of(first, whole), key_of_json(R"({"a":1})", whole));
    net::Request other = first;
    other.query = "x=1";
    EXPECT_NE(key_of(first, whole), key_of(other, whole));
    other = first;
    other.method = "PUT";
    EXPECT_NE(key_of(first, whole), key_of(other, whole));
    other = first;
    other.path = "/b";
    EXPECT_NE(key_of(first, whole), key_of(other, whole));
    EXPECT_TRUE(key_of(a_request_of("text/plain", "any text"), whole));
}

}  // namespace
}  // namespace semel::gateway
