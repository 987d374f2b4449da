// What is JSON and what is not: RFC 8259, production by production.
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "core/json/json.hpp"

namespace semel::json {
namespace {

using namespace std::string_literals;

TEST(JsonGrammar, AcceptsEveryValidForm) {
    const std::vector<std::string> valid = {
        // white space and bare values
        "null", "true", "false", " \t\r\n null \t\r\n ", "\"\"", "\"a\"", "0",
        // arrays
        "[]", "[ ]", "[[]]", "[1]", "[1,2]", "[ 1 , 2 ]", "[null,true,false,0,\"\",[],{}]",
        "[[[[]]]]",
        // objects
        "{}", "{ }", R"({"":0})", R"({"a":1})", R"({ "a" : 1 , "b" : 2 })",
        R"({"a":{"a":{"a":1}}})", R"({"a":1,"A":2})", R"({"a b":1})", R"({"a":[],"b":{}})",
        "{\"a\"\n:\n1}",
        // numbers
        "-0", "1", "-1", "10", "1234567890", "0.0", "-0.0", "0.5", "-0.5", "1.25", "1e0", "1E0",
        "1e+0", "1e-0", "1e00", "0e0", "0e99999", "-0E-99999", "1.5e10", "1.5E-10", "1e308",
        "1.7976931348623157e308", "1e-400", "123e-10000000", "9007199254740993",
        "99999999999999999999999999999999999999", "0.1000000000000000055511151231257827",
        std::string(305, '9'), "0." + std::string(400, '0') + "1",
        "1" + std::string(400, '0') + "e-300",
        // strings
        R"("\"\\\/\b\f\n\r\t")", R"("\u0000")", R"("\u0041")", R"("\u00e9")", R"("\u00E9")",
        R"("\u20ac")", R"("\ud83d\ude00")", R"("\uD83D\uDE00")", R"("\ud800\udc00")",
        R"("\udbff\udfff")", R"("\uffff")", R"("\ue000")", R"("\ud7ff")", "\"\x7f\"", "\"é\"",
        "\"€\"", "\"\U0001F600\"", "\"\xF4\x8F\xBF\xBF\"", "\"\xEF\xBB\xBF\"", R"("a\u0301")",
        R"("//")", R"("/* no comment */")", R"("{}[],:")", R"("0123456789abcdef")"};
    for (const std::string& text : valid) {
        const auto result = Document::parse(text);
        EXPECT_TRUE(result) << text << ": " << (result ? "" : result.error().message);
    }
}

TEST(JsonGrammar, RejectsEverythingElse) {
    const std::vector<std::string> invalid = {
        // nothing, and too much
        "", " ", "\n", "null null", "1 2", "[] []", "{}x", "[]]", "{}}", "null\0"s, "\0"s, "[1]\0"s,
        "\xEF\xBB\xBF{}", "\xFF\xFE", "\v1", "\f1", "\302\2401", "// c\n1", "1 // c", "/**/1", "#",
        // literals
        "nul", "nulll", "n", "Null", "NULL", "True", "TRUE", "tru", "truee", "fals", "falsee",
        "undefined", "NaN", "-NaN", "Infinity", "-Infinity", "nan", "inf",
        // arrays
        "[", "]", "[1", "[1,", "[1,]", "[,1]", "[,]", "[1,,2]", "[1 2]", "[1;2]", "[1:2]", "[}",
        "[1}", "[\"a\"", "[\"a", "[x]", "[\"a\":1]", "(1)",
        // objects
        "{", "}", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{,}", "{,\"a\":1}",
        "{\"a\" 1}", "{\"a\"::1}", "{\"a\"=1}", "{a:1}", "{'a':1}", "{1:1}", "{null:1}", "{[]:1}",
        "{\"a\":1 \"b\":2}", "{\"a\":1;\"b\":2}", "{\"a\":1,,\"b\":2}", "{\"a\"}", "{\"a\",\"b\"}",
        "{]", "{\"a\":1]", "{\"a\":}",
        // numbers
        "+1", "-", "--1", "-a", "- 1", "01", "-01", "00", "1.", "-1.", ".5", "-.5", "1.e1", "1e",
        "1e+", "1e-", "1E", "1e1.5", "1e 1", "1.2.3", "1,5", "0x10", "0X1", "1_000", "1a", "0b1",
        "1f", "1n", "\xD9\xA1", "1e400", "-1e400", "1e309", "1.8e308", "1e999999999999999999999",
        std::string(400, '9'), "1" + std::string(400, '0') + "." + "5",
        // strings
        "\"", "\"a", "'a'", "a", "\"\\\"", "\"\\", "\"\\x41\"", "\"\\a\"", "\"\\0\"", "\"\\'\"",
        "\"\\U0041\"", "\"\\u\"", "\"\\u1\"", "\"\\u12\"", "\"\\u123\"", "\"\\u123", "\"\\u00g0\"",
        "\"\\u-000\"", "\"\\u-001\"", "\"\\u+001\"", "\"\\u 041\"", "\"\\ \"", "\"\\\n\"", "\"\n\"",
        "\"\t\"", "\"\x1f\"", "\"\0\""s, "\"a\0b\""s, "\"1234567\0372345678\"", "\"12345678\x01\"",
        "\"1234567\00112345678\""};
    for (const std::string& text : invalid) {
        const auto result = Document::parse(text);
        ASSERT_FALSE(result) << text;
        EXPECT_EQ(result.error().code, ParseErrorCode::malformed) << text;
        EXPECT_LE(result.error().offset, text.size()) << text;
    }
}

TEST(JsonGrammar, RejectsStringsThatAreNoUnicodeText) {
    const std::vector<std::string> invalid = {
        // bytes
        "\"\x80\"", "\"\xBF\"", "\"\xC0\x80\"", "\"\xC1\xBF\"", "\"\xC3\"", "\"\xC3(\"",
        "\"\xE0\x80\x80\"", "\"\xE0\x9F\xBF\"", "\"\xE2\x82\"", "\"\xE2(\xA1\"", "\"\xED\xA0\x80\"",
        "\"\xED\xBF\xBF\"", "\"\xF0\x80\x80\x80\"", "\"\xF0\x8F\xBF\xBF\"", "\"\xF0\x9F\x98\"",
        "\"\xF4\x90\x80\x80\"", "\"\xF5\x80\x80\x80\"", "\"\xFE\"", "\"\xFF\"", "\"\xE9\"",
        "\"ok \xC3", "{\"\xFF\":1}", "\"12345678\xFF\"",
        // halves of surrogate pairs
        R"("\ud800")", R"("\udbff")", R"("\udc00")", R"("\udfff")", R"("\ud800x")", R"("\ud800\n")",
        R"("\ud800\u0041")", R"("\ud800\ud800")", R"("\ud800\ue000")", R"("\udc00\udc00")",
        R"("\udc00\ud800")", R"("\ud83d\ude0")", R"({"\ud800":1})"};
    for (const std::string& text : invalid) {
        const auto result = Document::parse(text);
        ASSERT_FALSE(result) << text;
        EXPECT_EQ(result.error().code, ParseErrorCode::bad_utf8) << text;
    }
}

TEST(JsonGrammar, EveryTruncationIsAnError) {
    const std::string text =
        R"({"a":[1,-2.5e+10,"x\n\u00e9\ud83d\ude00é"],"b":{"c":null,"d":true,"e":false},"f":{}})";
    ASSERT_TRUE(Document::parse(text));
    for (std::size_t length = 0; length < text.size(); ++length) {
        EXPECT_FALSE(Document::parse(text.substr(0, length))) << text.substr(0, length);
    }
}

TEST(JsonGrammar, DepthIsLimitedExactly) {
    const auto arrays = [](std::size_t depth) {
        return std::string(depth, '[') + std::string(depth, ']');
    };
    const auto objects = [](std::size_t depth) {
        std::string text;
        for (std::size_t i = 0; i < depth; ++i) text += "{\"a\":";
        return text + "0" + std::string(depth, '}');
    };
    EXPECT_TRUE(Document::parse(arrays(64)));
    EXPECT_TRUE(Document::parse(objects(64)));
    for (const std::string& text : {arrays(65), objects(65), arrays(100'000), objects(100'000),
                                    std::string(100'000, '['), std::string(100'000, '{')}) {
        const auto result = Document::parse(text);
        ASSERT_FALSE(result);
        const bool is_brace_run = text.starts_with("{{");
        EXPECT_EQ(result.error().code,
                  is_brace_run ? ParseErrorCode::malformed : ParseErrorCode::too_deep);
    }
    EXPECT_TRUE(Document::parse(arrays(3), {.depth_max = 3}));
    EXPECT_FALSE(Document::parse(arrays(4), {.depth_max = 3}));
    EXPECT_TRUE(Document::parse("1", {.depth_max = 0}));
    EXPECT_FALSE(Document::parse("[]", {.depth_max = 0}));
    EXPECT_TRUE(Document::parse(arrays(kDepthMax), {.depth_max = 1'000'000}));
    EXPECT_FALSE(Document::parse(arrays(kDepthMax + 1), {.depth_max = 1'000'000}));
}

TEST(JsonGrammar, SiblingsDoNotCountAsDepth) {
    std::string text = "[";
    for (int i = 0; i < 1000; ++i) text += "[[]],{\"a\":{}},";
    EXPECT_TRUE(Document::parse(text + "0]", {.depth_max = 3}));
}

TEST(JsonGrammar, SizeIsLimitedExactly) {
    EXPECT_TRUE(Document::parse("[10]", {.bytes_max = 4}));
    const auto result = Document::parse("[100]", {.bytes_max = 4});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ParseErrorCode::too_large);
    EXPECT_EQ(result.error().message, "the document has 5 bytes, at most 4 are allowed");
}

}  // namespace
}  // namespace semel::json
