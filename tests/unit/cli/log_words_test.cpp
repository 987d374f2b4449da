// Lines of the decision log, and rules, as people read them.
#include "cli/commands/log_words.hpp"

#include <gtest/gtest.h>

namespace semel::cli {
namespace {

TEST(LogWords, AKeyOfOnePartIsThatPart) {
    const std::pair<const char*, const char*> keys[] = {
        {R"(["invoice-17"])", "invoice-17"},
        {R"(["say \"hi\""])", "say \"hi\""},
        {R"(["ship","order-1"])", R"(["ship","order-1"])"},
        {R"([])", "[]"},
        {R"([17])", "[17]"},
        {"plain", "plain"},
        {"", ""},
    };
    for (const auto& [written, shown] : keys) {
        EXPECT_EQ(shown_key(written), shown) << written;
    }
}

TEST(LogWords, ANearMissNamesTheOtherKey) {
    const auto note = [](const char* line) {
        const auto parsed = json::Document::parse(line);
        return parsed ? note_of(parsed->root()) : "no JSON";
    };
    EXPECT_EQ(note(R"({"decision":"near_miss","reason":"[\"near-2\"]"})"),
              "the same content came under near-2");
    EXPECT_EQ(
        note(
            R"({"decision":"near_miss","reason":"[\"n-2\"], [\"a\",\"b]\"], [\"n-3\"] and 4 more"})"),
        R"(the same content came under n-2, ["a","b]"], n-3 and 4 more)");
    EXPECT_EQ(note(R"({"decision":"near_miss","reason":"plain"})"),
              "the same content came under plain");
    EXPECT_EQ(note(R"({"decision":"near_miss","reason":null})"), "");
    EXPECT_EQ(note(R"({"decision":"resolved","reason":"the bank has it"})"), "the bank has it");
    EXPECT_EQ(note(R"({"decision":"new"})"), "");
}

TEST(LogWords, RulesThatAreKnownHaveWords) {
    EXPECT_EQ(rule_with_words("first"), "first: nobody had the key");
    EXPECT_EQ(rule_with_words("lease_over"),
              "lease_over: its last owner's lease had ended: a takeover");
    EXPECT_EQ(rule_with_words("of_tomorrow"), "of_tomorrow");
    EXPECT_EQ(rule_with_words(""), "");
}

}  // namespace
}  // namespace semel::cli
