// Reading values: raw bytes, decoded strings, numbers as integers and doubles, iteration.
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/json/json.hpp"
#include "unit/core/json/json_tree.hpp"

namespace semel::json {
namespace {

using namespace std::string_literals;
using test::parsed;

TEST(JsonValue, KeepsTheRawBytesOfEveryValue) {
    const Document document =
        parsed("  {\"a\" : [ 1.50 , \"x\\u0041\" ] ,\n\"b\":{ } , \"c\" :\tnull }\n");
    const Value root = document.root();
    EXPECT_EQ(root.raw(), "{\"a\" : [ 1.50 , \"x\\u0041\" ] ,\n\"b\":{ } , \"c\" :\tnull }");
    EXPECT_EQ(root.offset(), 2U);
    EXPECT_EQ(root.find("a")->raw(), "[ 1.50 , \"x\\u0041\" ]");
    EXPECT_EQ(root.find("b")->raw(), "{ }");
    EXPECT_EQ(root.find("c")->raw(), "null");
    const Value number = *root.find("a")->elements().begin();
    EXPECT_EQ(number.number_text(), "1.50");
    EXPECT_EQ(document.text().substr(number.offset(), 4), "1.50");
}

TEST(JsonValue, TakesNumbersBeyondADoubleWhereTheyAreOnlyKept) {
    for (const std::string text : {"1e400", "-1e400", "1e999999999999999999999"}) {
        EXPECT_FALSE(Document::parse(text).has_value()) << text;
        const auto document = Document::parse(text, kAnyNumbers);
        ASSERT_TRUE(document.has_value()) << text;
        EXPECT_TRUE(std::isinf(document->root().as_double())) << text;
        EXPECT_EQ(std::signbit(document->root().as_double()), text.starts_with('-')) << text;
        EXPECT_EQ(document->root().as_int64(), std::nullopt) << text;
        EXPECT_EQ(document->root().raw(), text);
    }
    EXPECT_FALSE(Document::parse("1e", kAnyNumbers).has_value());
}

TEST(JsonValue, DecodesStrings) {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {R"("")", ""},
        {R"("plain")", "plain"},
        {R"("\"\\\/\b\f\n\r\t")", "\"\\/\b\f\n\r\t"},
        {R"("\u0000")", "\0"s},
        {R"("a\u0000b")", "a\0b"s},
        {R"("\u007f\u0080\u07ff\u0800\uffff")", "\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF"},
        {R"("\ud800\udc00\udbff\udfff")", "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"},
        {R"("x\u20acy\ud83d\ude00z")", "x€y😀z"},
        {"\"€\"", "€"},
        {R"("long enough for a word, then \n and more after it")",
         "long enough for a word, then \n and more after it"},
    };
    for (const auto& [text, decoded] : cases) {
        EXPECT_EQ(parsed(text).root().as_string(), decoded) << text;
    }
    const Document several = parsed(R"(["\n1","2","\n3"])");
    std::string all;
    for (const Value element : several.root().elements()) all += element.as_string();
    EXPECT_EQ(all, "\n12\n3");
}

TEST(JsonValue, GivesIntegersOnlyWhereTheNumberIsOne) {
    struct Case {
        std::string text;
        std::optional<std::int64_t> value;
    };
    const std::vector<Case> cases = {
        {"0", 0},
        {"-0", 0},
        {"-0.0e5", 0},
        {"0e999999", 0},
        {"5", 5},
        {"5.0", 5},
        {"5e0", 5},
        {"50e-1", 5},
        {"10e-1", 1},
        {"1e-1", std::nullopt},
        {"1.5", std::nullopt},
        {"15e-1", std::nullopt},
        {"1.5e1", 15},
        {"0.00000000000000000000001e23", 1},
        {"100000000000000000000000e-23", 1},
        {"1e18", 1'000'000'000'000'000'000},
        {"1e19", std::nullopt},
        {"9223372036854775807", INT64_MAX},
        {"9223372036854775807.000", INT64_MAX},
        {"9.223372036854775807e18", INT64_MAX},
        {"9223372036854775808", std::nullopt},
        {"-9223372036854775808", INT64_MIN},
        {"-9223372036854775808.0", INT64_MIN},
        {"-9223372036854775809", std::nullopt},
        {"18446744073709551617", std::nullopt},
        {"9007199254740993", 9'007'199'254'740'993},
        {"-12e2", -1200},
        {"1e-99999999999999999999999", std::nullopt},
        {"1e308", std::nullopt},
        {"true", std::nullopt},
        {"\"5\"", std::nullopt},
        {"null", std::nullopt},
    };
    for (const Case& c : cases) EXPECT_EQ(parsed(c.text).root().as_int64(), c.value) << c.text;
}

TEST(JsonValue, GivesTheNearestDouble) {
    EXPECT_EQ(parsed("0.1").root().as_double(), 0.1);
    EXPECT_EQ(parsed("9007199254740993").root().as_double(), 9007199254740992.0);
    EXPECT_EQ(parsed("2.2250738585072011e-308").root().as_double(), 2.2250738585072011e-308);
    EXPECT_EQ(parsed("1.7976931348623157e308").root().as_double(), 1.7976931348623157e308);
    EXPECT_EQ(parsed("5e-324").root().as_double(), 5e-324);
    EXPECT_EQ(parsed("1e-400").root().as_double(), 0.0);
    EXPECT_FALSE(std::signbit(parsed("1e-400").root().as_double()));
    EXPECT_TRUE(std::signbit(parsed("-1e-400").root().as_double()));
    EXPECT_TRUE(std::signbit(parsed("-0").root().as_double()));
}

TEST(JsonValue, WalksElementsAndMembersInOrder) {
    const Document document = parsed(R"({"z":[1,[2,3],{"q":4}],"\u0061":true,"m":{}})");
    std::string names;
    for (const auto& [name, value] : document.root().members()) {
        names += std::string(name) + "=" + to_string(value.kind()) + " ";
    }
    EXPECT_EQ(names, "z=array a=boolean m=object ");
    std::string elements;
    for (const Value element : document.root().find("z")->elements()) {
        elements += std::string(element.raw()) + ";";
    }
    EXPECT_EQ(elements, R"(1;[2,3];{"q":4};)");
    EXPECT_EQ(document.root().size(), 3U);
    EXPECT_EQ(document.root().find("z")->size(), 3U);
    EXPECT_EQ(document.root().find("m")->size(), 0U);
    EXPECT_EQ(parsed(R"("four")").root().size(), 0U);
    EXPECT_EQ(parsed(R"("fo\u0075r")").root().size(), 0U);
}

TEST(JsonValue, FindsMembersByDecodedName) {
    const Document document = parsed(R"({"\u0061":1,"b":{"a":2},"":3})");
    EXPECT_EQ(document.root().find("a")->raw(), "1");
    EXPECT_EQ(document.root().find("")->raw(), "3");
    EXPECT_FALSE(document.root().find("c"));
    EXPECT_FALSE(document.root().find("a")->find("a"));
    EXPECT_FALSE(parsed("[1]").root().find("0"));
}

TEST(JsonValue, KnowsItsKind) {
    const Document document = parsed(R"([null,true,false,1,"s",[],{}])");
    const std::vector<Kind> kinds = {Kind::null,   Kind::boolean, Kind::boolean, Kind::number,
                                     Kind::string, Kind::array,   Kind::object};
    std::vector<Kind> found;
    for (const Value element : document.root().elements()) found.push_back(element.kind());
    EXPECT_EQ(found, kinds);
    auto element = document.root().elements().begin();
    EXPECT_TRUE((*element).is_null());
    EXPECT_TRUE((*++element).as_bool());
    EXPECT_FALSE((*++element).as_bool());
}

TEST(JsonValue, OutlivesAMoveOfItsDocument) {
    Document document = parsed(R"(["ab","c\n"])");  // short enough to live inside a std::string
    const Value root = document.root();
    const std::string_view first = (*root.elements().begin()).as_string();
    const Document moved = std::move(document);
    EXPECT_EQ(first, "ab");
    EXPECT_EQ(root.raw(), R"(["ab","c\n"])");
    EXPECT_EQ(moved.root().size(), 2U);
}

TEST(JsonValueDeathTest, AskingForTheWrongKindIsAProgrammersError) {
    const Document document = parsed("[1]");
    EXPECT_DEATH((void)document.root().as_string(), "is_string");
    EXPECT_DEATH((void)document.root().as_bool(), "is_boolean");
    EXPECT_DEATH((void)document.root().members(), "is_object");
}

}  // namespace
}  // namespace semel::json
