#include "base/text.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace semel {
namespace {

using namespace std::string_literals;

TEST(Hex, GoesBothWays) {
    const std::array<std::uint8_t, 4> bytes = {0x00, 0x0F, 0xA5, 0xFF};
    EXPECT_EQ(to_hex(bytes.data(), bytes.size()), "000fa5ff");
    std::array<std::uint8_t, 4> back{};
    EXPECT_TRUE(from_hex("000FA5ff", back.data(), back.size()));
    EXPECT_EQ(back, bytes);
    for (const char* text : {"", "000fa5f", "000fa5ff0", "000fa5fg", "000fa5 f", "0x0fa5ff"}) {
        EXPECT_FALSE(from_hex(text, back.data(), back.size())) << text;
    }
    EXPECT_TRUE(from_hex("", back.data(), 0));
}

TEST(Utf8, AcceptsEveryCodePointInItsShortestForm) {
    const std::vector<std::string> valid = {"",
                                            "a",
                                            "\0"s,
                                            "\x7F",
                                            "\xC2\x80",
                                            "\xDF\xBF",
                                            "\xE0\xA0\x80",
                                            "\xED\x9F\xBF",
                                            "\xEE\x80\x80",
                                            "\xEF\xBF\xBF",
                                            "\xF0\x90\x80\x80",
                                            "\xF4\x8F\xBF\xBF",
                                            "é€😀 mixed"};
    for (const std::string& text : valid) EXPECT_TRUE(is_valid_utf8(text)) << text;
}

TEST(Utf8, RefusesEverythingElse) {
    const std::vector<std::string> invalid = {"\x80",
                                              "\xBF",
                                              "a\x80",
                                              "\xC2",
                                              "\302a",
                                              "\xC0\x80",
                                              "\xC1\xBF",
                                              "\xE0\x80\x80",
                                              "\xE0\x9F\xBF",
                                              "\xE2\x82",
                                              "\342\202a",
                                              "\xED\xA0\x80",
                                              "\xED\xBF\xBF",
                                              "\xF0\x80\x80\x80",
                                              "\xF0\x8F\xBF\xBF",
                                              "\xF0\x9F\x98",
                                              "\360\237\230a",
                                              "\xF4\x90\x80\x80",
                                              "\xF5\x80\x80\x80",
                                              "\xF8\x88\x80\x80\x80",
                                              "\xFE",
                                              "\xFF",
                                              "ok\xFF",
                                              "\xC3\xA9\xC3"};
    for (const std::string& text : invalid) EXPECT_FALSE(is_valid_utf8(text)) << text;
}

// Against the definition: decode what has the right bit pattern, then judge the code point.
TEST(Utf8, AgreesWithTheDefinitionOnAllShortSequences) {
    for (unsigned lead = 0x80; lead < 0x100; ++lead) {
        for (unsigned second = 0; second < 0x100; ++second) {
            std::string text = {static_cast<char>(lead), static_cast<char>(second)};
            const std::size_t tail = lead >= 0xF0 ? 2 : lead >= 0xE0 ? 1 : 0;
            text.append(tail, '\x80');
            unsigned code_point = lead >= 0xF0 ? lead & 7 : lead >= 0xE0 ? lead & 15 : lead & 31;
            code_point = code_point << 6 | (second & 63);
            code_point <<= 6 * tail;
            const unsigned lowest = tail == 2 ? 0x10000 : tail == 1 ? 0x800 : 0x80;
            const bool valid = lead >= 0xC0 && lead < 0xF8 && (second & 0xC0) == 0x80 &&
                               code_point >= lowest && code_point <= 0x10FFFF &&
                               (code_point < 0xD800 || code_point > 0xDFFF);
            ASSERT_EQ(is_valid_utf8(text), valid) << std::hex << lead << " " << second;
        }
    }
}

TEST(ParseDecimal, TakesTheWholeTextOrNothing) {
    EXPECT_EQ(parse_decimal("0"), 0);
    EXPECT_EQ(parse_decimal("007"), 7);
    EXPECT_EQ(parse_decimal("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
    for (const char* text : {"", "-1", "-0", "+1", " 1", "1 ", "1.0", "1e3", "0x10", "a",
                             "9223372036854775808", "99999999999999999999"}) {
        EXPECT_EQ(parse_decimal(text), std::nullopt) << text;
    }
}

TEST(Nearest, FindsWhatWasMeant) {
    const std::vector<std::string> members = {"payload", "scheduledAt", "maxRetries", "type",
                                              "priority"};
    EXPECT_EQ(nearest("payloud", members), "payload");
    EXPECT_EQ(nearest("schedueldAt", members), "scheduledAt");
    EXPECT_EQ(nearest("max_retries", members), "maxRetries");
    EXPECT_EQ(nearest("typ", members), "type");
    EXPECT_EQ(nearest("priority", members), "priority");
    EXPECT_EQ(nearest("zzzzzzzz", members), std::nullopt);
    EXPECT_EQ(nearest("x", {}), std::nullopt);
    EXPECT_EQ(nearest("ab", {"xyz", "ac", "abb"}), "ac");
}

}  // namespace
}  // namespace semel
