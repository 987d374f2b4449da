#include "core/json/json_writer.hpp"

#include <cstdint>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/json/json.hpp"
#include "unit/core/json/json_tree.hpp"

namespace semel {
namespace {

using namespace std::string_literals;

TEST(JsonWriter, WritesNestedValuesWithCommas) {
    JsonWriter w;
    w.begin_object().member("a", 1).begin_array("b").value("x").value(2).begin_object();
    w.end_object().begin_array().end_array().end_array().begin_object("c").member("d", true);
    w.end_object().member_null("e").end_object();
    EXPECT_EQ(w.take(), R"({"a":1,"b":["x",2,{},[]],"c":{"d":true},"e":null})");
}

TEST(JsonWriter, ChoosesTheFormByType) {
    const char* pointer = "text";
    JsonWriter w;
    w.begin_array().value(pointer).value("literal").value("s"s).value(std::string_view("v"));
    w.value(true).value(false).value(nullptr).value(std::nullopt).value(-1).value(7U);
    w.value(INT64_MIN).value(INT64_MAX).value(UINT64_MAX).value(1.5).value(1e21).value(-0.0);
    w.value(std::optional<int>()).value(std::optional<std::string>("o")).end_array();
    EXPECT_EQ(w.take(),
              R"(["text","literal","s","v",true,false,null,null,-1,7,)"
              R"(-9223372036854775808,9223372036854775807,18446744073709551615,1.5,1e+21,0,)"
              R"(null,"o"])");
}

TEST(JsonWriter, WritesOptionalMembers) {
    const std::optional<std::string> none;
    JsonWriter w;
    w.begin_object().member_if("skipped", none).member_or_null("null", none);
    w.member_if("given", std::optional<int>(3)).member_or_null("x", std::optional<bool>(false));
    w.member_raw_or_null("raw", std::optional<std::string>("[1, 2]")).member_raw_or_null("n", none);
    w.end_object();
    EXPECT_EQ(w.take(), R"({"null":null,"given":3,"x":false,"raw":[1, 2],"n":null})");
}

TEST(JsonWriter, PassesRawBytesThrough) {
    JsonWriter w;
    w.begin_array().raw("{ \"a\" : 1.0 }").raw("2").end_array();
    EXPECT_EQ(w.take(), "[{ \"a\" : 1.0 },2]");
}

TEST(JsonWriter, StartsAfreshAfterTake) {
    JsonWriter w(100);
    EXPECT_EQ(w.value(1).take(), "1");
    EXPECT_EQ(w.size(), 0U);
    EXPECT_EQ(w.value("x").view(), "\"x\"");
    EXPECT_EQ(w.take(), "\"x\"");
}

TEST(JsonWriterDeathTest, DoesNotGiveUnfinishedText) {
    JsonWriter w;
    w.begin_object();
    EXPECT_DEATH((void)w.take(), "open_");
}

TEST(JsonQuote, EscapesWhatJsonDemandsAndNoMore) {
    EXPECT_EQ(json::quote(""), R"("")");
    EXPECT_EQ(json::quote("a\"b\\c/d"), R"("a\"b\\c/d")");
    EXPECT_EQ(json::quote("\b\f\n\r\t"), R"("\b\f\n\r\t")");
    EXPECT_EQ(json::quote("\0\x01\x1f\x7f"s), "\"\\u0000\\u0001\\u001f\x7f\"");
    EXPECT_EQ(json::quote("é€😀"), "\"é€😀\"");
}

TEST(JsonQuote, ReplacesBytesThatAreNotUtf8) {
    EXPECT_EQ(json::quote("a\xFF"
                          "b"),
              "\"a\xEF\xBF\xBD"
              "b\"");
    EXPECT_EQ(json::quote("\xC3"), "\"\xEF\xBF\xBD\"");
    EXPECT_EQ(json::quote("\xED\xA0\x80"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

TEST(JsonQuote, FindsAByteWhereverItStands) {
    for (int byte = 0; byte < 256; ++byte) {
        const std::string odd(1, static_cast<char>(byte));
        const std::string quoted = json::quote(odd);
        const std::string inner = quoted.substr(1, quoted.size() - 2);
        for (std::size_t before = 0; before < 20; ++before) {
            for (std::size_t behind = 0; behind < 20; ++behind) {
                const std::string front(before, 'a');
                const std::string rest(behind, ' ');
                ASSERT_EQ(json::quote(fmt::format("{}{}{}", front, odd, rest)),
                          fmt::format("\"{}{}{}\"", front, inner, rest))
                    << byte << " behind " << before << " of " << before + 1 + behind;
            }
        }
    }
}

TEST(JsonQuote, IsReadBackWhateverTheBytes) {
    test::TreeMaker maker(11);
    for (int round = 0; round < 5000; ++round) {
        std::string text;
        for (std::uint64_t i = maker.below(12); i > 0; --i) {
            text += static_cast<char>(maker.below(maker.below(2) == 0 ? 128 : 256));
        }
        const json::Document document = test::parsed(json::quote(text));
        const std::string_view back = document.root().as_string();
        ASSERT_TRUE(back == text || back.find("\xEF\xBF\xBD") != std::string_view::npos) << back;
    }
}

}  // namespace
}  // namespace semel
