// RFC 8785, and the fingerprints that rest on it.
#include "core/json/canonical_json.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unit/core/json/json_tree.hpp"

namespace semel {
namespace {

using test::parsed;

std::optional<std::string> canonical(const std::string& text) {
    return canonicalize(parsed(text).root());
}

// RFC 8785, appendix B, and the places where the form changes.
TEST(CanonicalNumbers, PrintAsEcmaScriptDoes) {
    const std::vector<std::pair<std::uint64_t, std::string>> vectors = {
        {0x0000000000000000, "0"},
        {0x8000000000000000, "0"},
        {0x0000000000000001, "5e-324"},
        {0x8000000000000001, "-5e-324"},
        {0x7fefffffffffffff, "1.7976931348623157e+308"},
        {0xffefffffffffffff, "-1.7976931348623157e+308"},
        {0x4340000000000000, "9007199254740992"},
        {0xc340000000000000, "-9007199254740992"},
        {0x4430000000000000, "295147905179352830000"},
        {0x44b52d02c7e14af5, "9.999999999999997e+22"},
        {0x44b52d02c7e14af6, "1e+23"},
        {0x44b52d02c7e14af7, "1.0000000000000001e+23"},
        {0x444b1ae4d6e2ef4e, "999999999999999700000"},
        {0x444b1ae4d6e2ef4f, "999999999999999900000"},
        {0x444b1ae4d6e2ef50, "1e+21"},
        {0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
        {0x3eb0c6f7a0b5ed8d, "0.000001"},
        {0x41b3de4355555553, "333333333.3333332"},
        {0x41b3de4355555554, "333333333.33333325"},
        {0x41b3de4355555555, "333333333.3333333"},
        {0x41b3de4355555556, "333333333.3333334"},
        {0x41b3de4355555557, "333333333.33333343"},
        {0xbecbf647612f3696, "-0.0000033333333333333333"},
        {0x43143ff3c1cb0959, "1424953923781206.2"},
    };
    for (const auto& [bits, text] : vectors) {
        EXPECT_EQ(format_double(std::bit_cast<double>(bits)), text) << std::hex << bits;
    }
    EXPECT_EQ(format_double(1e20), "100000000000000000000");
    EXPECT_EQ(format_double(1e21), "1e+21");
    EXPECT_EQ(format_double(1e-6), "0.000001");
    EXPECT_EQ(format_double(1e-7), "1e-7");
    EXPECT_EQ(format_double(123456789012345680000.0), "123456789012345680000");
    EXPECT_EQ(format_double(0.5), "0.5");
    EXPECT_EQ(format_double(-12.25), "-12.25");
    EXPECT_EQ(format_double(1e100), "1e+100");
}

TEST(CanonicalNumbers, ReadBackAsTheSameDouble) {
    test::TreeMaker maker(21);
    int tried = 0;
    while (tried < 20'000) {
        const double number =
            std::bit_cast<double>((maker.below(1ULL << 32) << 32) | maker.below(1ULL << 32));
        if (!std::isfinite(number)) continue;
        ++tried;
        const std::string text = format_double(number);
        double back = 1;
        std::from_chars(text.data(), text.data() + text.size(), back);
        ASSERT_EQ(back, number) << text;
        ASSERT_EQ(canonical_number(text), text);
    }
}

TEST(CanonicalNumbers, SurviveOnlyIfTheDecimalStaysTheSame) {
    const std::vector<std::pair<std::string, std::optional<std::string>>> cases = {
        {"0", "0"},
        {"-0", "0"},
        {"-0.000", "0"},
        {"0e5", "0"},
        {"1.0", "1"},
        {"1e2", "100"},
        {"1E+2", "100"},
        {"100", "100"},
        {"-5", "-5"},
        {"0.1", "0.1"},
        {"0.10", "0.1"},
        {"4.50", "4.5"},
        {"2e-3", "0.002"},
        {"1E30", "1e+30"},
        {"999999999999999", "999999999999999"},
        {"9007199254740991", "9007199254740991"},
        {"9007199254740992", "9007199254740992"},
        {"9007199254740993", std::nullopt},
        {"9007199254740994", "9007199254740994"},
        {"-9007199254740993", std::nullopt},
        {"9223372036854775807", std::nullopt},
        {"9223372036854775808", std::nullopt},  // its double, but not its shortest digits
        {"9223372036854776000", "9223372036854776000"},
        {"0.10000000000000000001", std::nullopt},
        {"0.1000000000000000055511151231257827", std::nullopt},
        {"333333333.33333329", std::nullopt},
        {"1e-400", std::nullopt},
        {"5e-324", "5e-324"},
        {"4e-324", std::nullopt},
        {"1.7976931348623157e308", "1.7976931348623157e+308"},
        {"1e308", "1e+308"},
        {"1000000000000000000000", "1e+21"},
    };
    for (const auto& [text, expected] : cases) {
        EXPECT_EQ(canonical_number(text), expected) << text;
        EXPECT_EQ(canonical(text), expected) << text;
    }
}

// RFC 8785, section 3.2.2, but for its first number, which does not survive (see above).
TEST(CanonicalJson, MatchesTheSampleOfTheRfc) {
    EXPECT_EQ(canonical(R"({
        "numbers": [333333333.3333333, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
        "literals": [null, true, false]
    })"),
              R"({"literals":[null,true,false],)"
              R"("numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],)"
              R"("string":"€$\u000f\nA'B\"\\\\\"/"})");
}

// RFC 8785, section 3.2.3: the emoji's surrogates stand before U+FB33.
TEST(CanonicalJson, SortsNamesByUtf16CodeUnits) {
    EXPECT_EQ(
        canonical(R"({"\u20ac":"Euro Sign","\r":"Carriage Return",
        "\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One",
        "\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control",
        "\u00f6":"Latin Small Letter O With Diaeresis"})"),
        "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\xC2\x80\":\"Control\","
        "\"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\","
        "\"😀\":\"Emoji: Grinning Face\",\"\xEF\xAC\xB3\":\"Hebrew Letter Dalet With Dagesh\"}");
    EXPECT_EQ(canonical(R"({"ab":1,"a":2,"":3,"B":4,"b":5})"),
              R"({"":3,"B":4,"a":2,"ab":1,"b":5})");
    EXPECT_EQ(canonical(R"({"x\ue000":1,"x\ud7ff":2,"x\udbff\udfff":3,"x\ud800\udc00":4})"),
              "{\"x\xED\x9F\xBF\":2,\"x\xF0\x90\x80\x80\":4,\"x\xF4\x8F\xBF\xBF\":3,"
              "\"x\xEE\x80\x80\":1}");
}

TEST(CanonicalJson, HasNoSpaceAndNoNeedlessEscape) {
    EXPECT_EQ(canonical(" [ ] "), "[]");
    EXPECT_EQ(canonical(" { } "), "{}");
    EXPECT_EQ(canonical(R"([ { "a" : [ 1 , { } , [ ] ] } ])"), R"([{"a":[1,{},[]]}])");
    EXPECT_EQ(canonical(R"("\u0041\/\u007f\u0007")"), "\"A/\x7F\\u0007\"");
    EXPECT_EQ(canonical(R"({"a":[1,{"b":9007199254740993}]})"), std::nullopt);
}

TEST(CanonicalJson, IsItsOwnCanonicalForm) {
    test::TreeMaker maker(22);
    int survived = 0;
    for (int round = 0; round < 3000; ++round) {
        const test::Tree tree = maker.tree(4);
        const auto once = canonical(maker.text(tree));
        ASSERT_EQ(canonical(maker.text(tree)), once);
        if (!once) continue;
        ++survived;
        ASSERT_EQ(canonical(*once), once);
        ASSERT_TRUE(test::same(test::tree_of(parsed(*once).root()), tree));
    }
    EXPECT_GT(survived, 1000);
}

Hash256 print_of(const std::string& text) {
    return fingerprint(parsed(text).root());
}

TEST(Fingerprint, IgnoresHowTheSameContentIsWritten) {
    EXPECT_EQ(print_of(R"({"a":1,"b":[true,"x"]})"),
              print_of(R"( {"b" : [true, "\u0078"], "a" : 1.0})"));
    EXPECT_NE(print_of(R"({"a":1})"), print_of(R"({"a":2})"));
    EXPECT_NE(print_of(R"({"a":1})"), print_of(R"({"a":"1"})"));
    EXPECT_NE(print_of(R"({"a":null})"), print_of("{}"));
    EXPECT_NE(print_of("[1,2]"), print_of("[2,1]"));
}

TEST(Fingerprint, FallsBackToTheRawBytes) {
    EXPECT_NE(print_of("9007199254740993"), print_of("9007199254740992"));
    EXPECT_EQ(print_of(" 9007199254740993\n"), print_of("9007199254740993"));
    EXPECT_NE(print_of("[9007199254740993]"), print_of("[ 9007199254740993]"));
}

// Pins the bytes: stored fingerprints must mean the same in every later version.
TEST(Fingerprint, IsStable) {
    const auto expected = [](std::string_view form, std::string_view bytes) {
        FieldHasher hasher("semel.content");
        return hasher.field(form).field(bytes).finish();
    };
    EXPECT_EQ(print_of(R"({"b": 1.0, "a": 2})"), expected("canonical", R"({"a":2,"b":1})"));
    EXPECT_EQ(print_of("[ 9007199254740993 ]"), expected("raw", "[ 9007199254740993 ]"));
    EXPECT_EQ(print_of("{}").to_hex(),
              "6bdfe357cb8a2fa77ca73d51a184f37540435627cb39e32f24e9636e2b26baa2");
}

TEST(SameContent, AgreesWithTheFingerprint) {
    const std::vector<std::string> texts = {"1",
                                            "1.0",
                                            "10e-1",
                                            "\"1\"",
                                            "[]",
                                            "[ ]",
                                            "{}",
                                            "9007199254740993",
                                            "9007199254740993.0",
                                            "[9007199254740993]",
                                            "[9007199254740993 ]",
                                            "0",
                                            "-0",
                                            R"({"a":1,"b":2})",
                                            R"({"b":2,"a":1})"};
    for (const std::string& a : texts) {
        for (const std::string& b : texts) {
            EXPECT_EQ(same_content(parsed(a).root(), parsed(b).root()), print_of(a) == print_of(b))
                << a << " and " << b;
        }
    }
    EXPECT_TRUE(same_content(parsed("1").root(), parsed("1.0").root()));
    EXPECT_FALSE(same_content(parsed("1").root(), parsed("2").root()));
}

}  // namespace
}  // namespace semel
