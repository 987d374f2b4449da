// Random documents: what was written is what is read, and no damage is ever misread as sound.
#include <string>

#include <gtest/gtest.h>

#include "core/json/canonical_json.hpp"
#include "core/json/json.hpp"
#include "unit/core/json/json_tree.hpp"

namespace semel::json {
namespace {

using test::parsed;
using test::Tree;
using test::TreeMaker;

TEST(JsonRandom, ReadsWhatWasWritten) {
    TreeMaker maker(1);
    for (int round = 0; round < 5000; ++round) {
        const Tree tree = maker.tree(5);
        const std::string text = maker.text(tree);
        const auto result = Document::parse(text);
        ASSERT_TRUE(result) << text << ": " << result.error().message;
        ASSERT_TRUE(test::same(test::tree_of(result->root()), tree)) << text;
    }
}

// Concatenating raw values again gives a document that says the same.
std::string rebuilt(Value value) {
    if (!value.is_array() && !value.is_object()) return std::string(value.raw());
    std::string out;
    if (value.is_array()) {
        for (const Value element : value.elements()) out += "," + rebuilt(element);
        return "[" + (out.empty() ? out : out.substr(1)) + "]";
    }
    for (const auto& [name, member] : value.members()) {
        std::string escaped;
        for (const char c : name) {
            const auto byte = static_cast<unsigned char>(c);
            static constexpr char kHex[] = "0123456789abcdef";
            if (byte < 0x20 || c == '"' || c == '\\') {
                escaped += std::string("\\u00") + kHex[byte >> 4] + kHex[byte & 15];
            } else {
                escaped += c;
            }
        }
        out += ",\"" + escaped + "\":" + rebuilt(member);
    }
    return "{" + (out.empty() ? out : out.substr(1)) + "}";
}

TEST(JsonRandom, RawSpansRebuildTheDocument) {
    TreeMaker maker(2);
    for (int round = 0; round < 2000; ++round) {
        const Tree tree = maker.tree(4);
        const Document document = parsed(maker.text(tree));
        const Document again = parsed(rebuilt(document.root()));
        ASSERT_TRUE(test::same(test::tree_of(again.root()), tree)) << document.text();
        ASSERT_EQ(canonicalize(again.root()), canonicalize(document.root()));
    }
}

TEST(JsonRandom, EveryTruncationIsAnErrorOrOnlyCutsWhiteSpace) {
    TreeMaker maker(3);
    for (int round = 0; round < 300; ++round) {
        const Tree tree = maker.tree(4);
        const std::string text = maker.text(tree);
        for (std::size_t length = 0; length < text.size(); ++length) {
            const auto result = Document::parse(text.substr(0, length));
            const bool only_space = text.find_first_not_of(" \t\r\n", length) == std::string::npos;
            const bool number = tree.kind == Kind::number;  // a cut number may be a number
            ASSERT_TRUE(result.has_value() == only_space || number) << text.substr(0, length);
        }
    }
}

// Whatever a byte is changed to: no crash, and what is accepted has a stable canonical form.
TEST(JsonRandom, SurvivesDamage) {
    TreeMaker maker(4);
    int accepted = 0;
    for (int round = 0; round < 20'000; ++round) {
        std::string text = maker.text(maker.tree(3));
        text[maker.below(text.size())] = static_cast<char>(maker.below(256));
        const auto result = Document::parse(text);
        if (!result) continue;
        ++accepted;
        const auto canonical = canonicalize(result->root());
        if (canonical) {
            ASSERT_EQ(canonicalize(parsed(*canonical).root()), canonical) << text;
        }
    }
    EXPECT_GT(accepted, 500);
}

}  // namespace
}  // namespace semel::json
