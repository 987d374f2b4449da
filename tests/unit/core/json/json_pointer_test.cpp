#include "core/json/json_pointer.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unit/core/json/json_tree.hpp"

namespace semel::json {
namespace {

using test::parsed;

// The document and the answers of RFC 6901, section 5.
TEST(JsonPointer, ResolvesTheExamplesOfTheRfc) {
    const Document document = parsed(
        R"({"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8})");
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"/foo", R"(["bar","baz"])"},
        {"/foo/0", R"("bar")"},
        {"/foo/1", R"("baz")"},
        {"/", "0"},
        {"/a~1b", "1"},
        {"/c%d", "2"},
        {"/e^f", "3"},
        {"/g|h", "4"},
        {"/i\\j", "5"},
        {"/k\"l", "6"},
        {"/ ", "7"},
        {"/m~0n", "8"},
    };
    for (const auto& [pointer, raw] : cases) {
        const auto value = resolve(document.root(), pointer);
        ASSERT_TRUE(value) << pointer;
        EXPECT_EQ(value->raw(), raw) << pointer;
    }
    EXPECT_EQ(resolve(document.root(), "")->raw(), document.text());
}

TEST(JsonPointer, FindsNothingWhereNothingIs) {
    const Document document = parsed(R"({"a":[10,[20,30],{"b":40}],"n":1,"s":"x"})");
    for (const char* pointer :
         {"/b", "/a/3", "/a/-", "/a/00", "/a/01", "/a/+1", "/a/-1", "/a/ 1", "/a/1x", "/a/", "/n/0",
          "/s/0", "/a/99999999999999999999999", "/a/18446744073709551616", "/a/2/b/c", "a", "/a/~",
          "/a/~2", "#/a"}) {
        EXPECT_FALSE(resolve(document.root(), pointer)) << pointer;
    }
    EXPECT_EQ(resolve(document.root(), "/a/1/1")->raw(), "30");
    EXPECT_EQ(resolve(document.root(), "/a/2/b")->raw(), "40");
}

TEST(JsonPointer, IsParsedIntoTokens) {
    using Tokens = std::vector<std::string>;
    EXPECT_EQ(parse_pointer(""), Tokens());
    EXPECT_EQ(parse_pointer("/"), Tokens({""}));
    EXPECT_EQ(parse_pointer("//"), Tokens({"", ""}));
    EXPECT_EQ(parse_pointer("/a~1b/m~0n/~01"), Tokens({"a/b", "m~n", "~1"}));
    EXPECT_FALSE(parse_pointer("a"));
    EXPECT_FALSE(parse_pointer("/a~"));
    EXPECT_FALSE(parse_pointer("/~/b"));
    EXPECT_FALSE(parse_pointer("/~2"));
    EXPECT_FALSE(parse_pointer(std::string_view("/a~1").substr(0, 3)));
    EXPECT_TRUE(is_valid_pointer("/eventType"));
    EXPECT_FALSE(is_valid_pointer("eventType"));
}

TEST(JsonPointer, EscapedTokensComeBack) {
    EXPECT_EQ(escape_token("a/b~c~1"), "a~1b~0c~01");
    for (const std::string token : {"", "a", "~", "/", "~1", "~0/", "é/"}) {
        EXPECT_EQ(parse_pointer("/" + escape_token(token)), std::vector<std::string>({token}));
    }
}

}  // namespace
}  // namespace semel::json
