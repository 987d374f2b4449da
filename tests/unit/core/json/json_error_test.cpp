// What the parser says when it refuses: code, offset, pointer and words to act on.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/json/json.hpp"

namespace semel::json {
namespace {

using namespace std::string_literals;

ParseError error_of(std::string text) {
    const auto result = Document::parse(std::move(text));
    return result ? ParseError{ParseErrorCode::too_large, 0, "accepted", "accepted"}
                  : result.error();
}

TEST(JsonErrors, SayWhatWhereAndInWhichMember) {
    struct Case {
        std::string text;
        std::size_t offset;
        std::string pointer;
        std::string message;
    };
    const std::vector<Case> cases = {
        {"", 0, "", "expected a value, but the text ends at offset 0"},
        {"{} x", 3, "", "expected the end of the document, found 'x' at offset 3"},
        {"[1 2]", 3, "", "expected ',' or ']', found '2' at offset 3"},
        {R"({"a":1 "b":2})", 7, "", "expected ',' or '}', found '\"' at offset 7"},
        {"[1,]", 3, "/1", "expected a value, found ']' at offset 3"},
        {R"({"a":1,})", 7, "", "expected a member name in double quotes, found '}' at offset 7"},
        {R"({"a" 1})", 5, "", "expected ':' after the member name, found '1' at offset 5"},
        {R"({"a":{"b/c":[1,2,nul]}})", 17, "/a/b~1c/2", "expected a value, found 'n' at offset 17"},
        {R"([{},{"a":[],"b":-x}])", 17, "/1/b",
         "expected a digit after '-', found 'x' at offset 17"},
        {"[1.x]", 3, "/0", "expected a digit after the decimal point, found 'x' at offset 3"},
        {"[1e]", 3, "/0", "expected a digit in the exponent, found ']' at offset 3"},
        {R"({"n":01})", 5, "/n", "a number must not begin with 0 at offset 5"},
        {R"({"n":1e400})", 5, "/n", "the number does not fit a double at offset 5"},
        {R"(["a\x"])", 4, "/0",
         "expected one of \" \\ / b f n r t u after the backslash, found 'x' at offset 4"},
        {R"(["\u12"])", 2, "/0", "\\u must be followed by four hex digits at offset 2"},
        {"[\"a\nb\"]", 3, "/0",
         "a control character in a string must be written \\u000a at offset 3"},
        {"[\"abc", 5, "/0", "expected '\"' to end the string, but the text ends at offset 5"},
        {"[\x01]", 1, "/0", "expected a value, found byte 0x01 at offset 1"},
    };
    for (const Case& c : cases) {
        const ParseError error = error_of(c.text);
        EXPECT_EQ(error.code, ParseErrorCode::malformed) << c.text;
        EXPECT_EQ(error.offset, c.offset) << c.text;
        EXPECT_EQ(error.pointer, c.pointer) << c.text;
        EXPECT_EQ(error.message, c.message) << c.text;
    }
}

TEST(JsonErrors, NameTheMemberThatOccursTwice) {
    const ParseError error = error_of(R"({"a": 1, "b": {"c": 1, "a": 2}, "a": 3})");
    EXPECT_EQ(error.code, ParseErrorCode::duplicate_member);
    EXPECT_EQ(error.offset, 32U);
    EXPECT_EQ(error.pointer, "/a");
    EXPECT_EQ(error.message, R"(member "a" occurs twice in one object at offset 32)");
    EXPECT_EQ(error_of(R"([0,{"x":{"m/n":1,"m/n":1}}])").pointer, "/1/x/m~1n");
}

TEST(JsonErrors, CompareNamesAfterDecoding) {
    EXPECT_EQ(error_of(R"({"a":1,"\u0061":2})").code, ParseErrorCode::duplicate_member);
    EXPECT_EQ(error_of(R"({"\ud83d\ude00":1,"😀":2})").code, ParseErrorCode::duplicate_member);
    EXPECT_EQ(error_of(R"({"":1,"":2})").code, ParseErrorCode::duplicate_member);
    EXPECT_EQ(error_of(R"({"a\/b":1,"a/b":2})").code, ParseErrorCode::duplicate_member);
    EXPECT_TRUE(Document::parse(R"({"a":1,"a\u0000":2,"A":3,"á":4,"a\u0301":5})"));
    EXPECT_TRUE(Document::parse(R"([{"a":1},{"a":1},{"b":{"a":1},"a":{"b":1}}])"));
}

TEST(JsonErrors, FindDuplicatesInObjectsOfEverySize) {
    for (const int count : {2, 3, 15, 16, 17, 18, 1000, 100'000}) {
        std::string text = "{";
        for (int i = 0; i < count; ++i) text += "\"n" + std::to_string(i) + "\":0,";
        EXPECT_TRUE(Document::parse(text + "\"last\":0}")) << count;
        const std::string middle = "n" + std::to_string(count / 2);
        // Two pairs: the one whose second name comes first is reported, whatever the names.
        for (const auto& [first, second] : {std::pair(middle, "n0"s), std::pair("n0"s, middle)}) {
            std::string twice = text;
            twice.append("\"").append(first).append("\":0,\"").append(second).append("\":0}");
            const ParseError error = error_of(twice);
            EXPECT_EQ(error.code, ParseErrorCode::duplicate_member) << count;
            EXPECT_EQ(error.pointer, "/" + first) << count;
            EXPECT_EQ(error.offset, text.size()) << count;
        }
    }
}

TEST(JsonErrors, CutLongNames) {
    const std::string name(300, 'n');
    const ParseError error = error_of("{\"" + name + "\":1,\"" + name + "\":2}");
    EXPECT_LT(error.message.size(), 200U);
    EXPECT_NE(error.message.find("…"), std::string::npos);
}

TEST(JsonErrors, TellTextFromEncoding) {
    const ParseError byte = error_of("{\"k\":\"ab\xFF\"}");
    EXPECT_EQ(byte.code, ParseErrorCode::bad_utf8);
    EXPECT_EQ(byte.offset, 8U);
    EXPECT_EQ(byte.pointer, "/k");
    EXPECT_EQ(byte.message, "byte 0xFF in a string is not valid UTF-8 at offset 8");
    const ParseError half = error_of(R"({"k":"ab\ud83dx"})");
    EXPECT_EQ(half.code, ParseErrorCode::bad_utf8);
    EXPECT_EQ(half.message,
              "\\ud83d is half of a surrogate pair, which is no character at offset 8");
}

TEST(JsonErrors, PointAtTheContainerThatIsTooDeep) {
    const auto result = Document::parse(R"({"a":[[],[{}]]})", {.depth_max = 3});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().pointer, "/a/1/0");
    EXPECT_EQ(result.error().offset, 10U);
    EXPECT_EQ(result.error().message,
              "more than 3 arrays and objects inside one another at offset 10");
}

TEST(JsonErrors, HaveStableNames) {
    EXPECT_STREQ(to_string(ParseErrorCode::duplicate_member), "duplicate_member");
    EXPECT_STREQ(to_string(ParseErrorCode::bad_utf8), "bad_utf8");
    EXPECT_STREQ(to_string(Kind::boolean), "boolean");
}

}  // namespace
}  // namespace semel::json
