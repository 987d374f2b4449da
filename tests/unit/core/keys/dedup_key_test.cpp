#include "core/keys/dedup_key.hpp"

#include <gtest/gtest.h>

namespace semel {
namespace {

std::optional<Key> key_of(const std::string& payload, std::optional<std::string> key = {},
                          std::vector<std::string> fields = {}, const std::string& type = "t") {
    const auto document = json::Document::parse(payload);
    return action_key("tenant", type, document->root(), key, fields);
}

// Contract section 9, number 17: undelimited keys made "ab"+"c" equal to "a"+"bc".
TEST(SeedDefects, N17_KeysAreLengthPrefixed) {
    EXPECT_NE(make_key("t", "s", {"ab", "c"}).claim, make_key("t", "s", {"a", "bc"}).claim);
    EXPECT_NE(make_key("t", "s", {"ab", "c"}).full_key, make_key("t", "s", {"a", "bc"}).full_key);
    EXPECT_NE(make_key("ta", "s", {"b"}).claim, make_key("t", "as", {"b"}).claim);
    EXPECT_NE(make_key("t", "s", {"a"}).claim, make_key("t", "s", {"a", ""}).claim);
    EXPECT_NE(key_of(R"({"entityType":"ab","entityId":"c"})")->claim,
              key_of(R"({"entityType":"a","entityId":"bc"})")->claim);
}

// Contract section 9, number 20, its first part: keys were hashed to 32 bits.
TEST(SeedDefects, N20_KeysAre256BitsAndComparedInFull) {
    const Key key = make_key("t", "s", {"a"});
    EXPECT_EQ(key.claim.to_hex().size(), 64U);
    EXPECT_EQ(key.full_key, R"(["a"])");
}

TEST(ActionKey, NumbersAndStringsNameTheSameEntity) {
    EXPECT_EQ(key_of(R"({"entityId":1})")->claim, key_of(R"({"entityId":"1"})")->claim);
    EXPECT_EQ(key_of(R"({"entityId":1.0})")->claim, key_of(R"({"entityId":"1"})")->claim);
    EXPECT_EQ(key_of(R"({"entityId":1e2})")->claim, key_of(R"({"entityId":100})")->claim);
    EXPECT_NE(key_of(R"({"entityId":9007199254740993})")->claim,
              key_of(R"({"entityId":9007199254740992})")->claim);
    EXPECT_EQ(key_of(R"({"entityId":9007199254740993})")->claim,
              key_of(R"({"entityId":"9007199254740993"})")->claim);
}

TEST(ActionKey, WithoutAnEntityThereIsNone) {
    for (const char* payload : {"{}", R"({"entityId":""})", R"({"entityId":null})",
                                R"({"entityId":true})", R"({"entityId":{}})", "[1]", "5", "null"}) {
        EXPECT_FALSE(key_of(payload).has_value()) << payload;
    }
}

TEST(ActionKey, OddEntityTypesDoNotMeetTheMissingOne) {
    for (const char* odd : {"true", "false", "{}", "[1]"}) {
        const std::string payload = std::string(R"({"entityId":1,"entityType":)") + odd + "}";
        EXPECT_NE(key_of(payload)->claim, key_of(R"({"entityId":1})")->claim) << odd;
    }
}

TEST(ActionKey, FieldsJoinTheKeyAlsoWithoutAnEntity) {
    const std::vector<std::string> fields{"/eventType"};
    EXPECT_NE(key_of(R"({"entityId":1,"eventType":"x"})", {}, fields)->claim,
              key_of(R"({"entityId":1,"eventType":"y"})", {}, fields)->claim);
    EXPECT_TRUE(key_of(R"({"eventType":"x"})", {}, fields).has_value());
    EXPECT_NE(key_of(R"({"eventType":null})", {}, fields)->claim, key_of("{}", {}, fields)->claim);
    EXPECT_NE(key_of(R"({"eventType":"1"})", {}, fields)->claim,
              key_of(R"({"eventType":1})", {}, fields)->claim);
}

TEST(ActionKey, AnExplicitKeyStandsInsteadPerType) {
    EXPECT_EQ(key_of(R"({"entityId":1})", "k")->claim, key_of(R"({"entityId":2})", "k")->claim);
    EXPECT_NE(key_of("{}", "k", {}, "t")->claim, key_of("{}", "k", {}, "u")->claim);
    EXPECT_NE(key_of(R"({"entityId":"k"})")->claim, key_of("{}", "k")->claim);
}

}  // namespace
}  // namespace semel
