#include "core/keys/key_header.hpp"

#include <gtest/gtest.h>

namespace semel {
namespace {

struct Spelling {
    std::string value;
    std::string key;
};

TEST(KeyHeader, QuotedAndBareAreTheSameKey) {
    const Spelling spellings[] = {
        {"k", "k"},
        {"\"k\"", "k"},
        {"7d0f-4e:/?=&%+~'()[]{}\\", "7d0f-4e:/?=&%+~'()[]{}\\"},
        {R"("a\\b")", R"(a\b)"},
        {R"(a\b)", R"(a\b)"},
        {R"("a\"b")", R"(a"b)"},
        {"\"a b\"", "a b"},
        {"\"a,b;c\"", "a,b;c"},
        {std::string(255, 'k'), std::string(255, 'k')},
        {"\"" + std::string(255, 'k') + "\"", std::string(255, 'k')},
    };
    for (const Spelling& spelling : spellings) {
        const auto parsed = parse_key_header("Idempotency-Key", spelling.value);
        const auto* key = std::get_if<std::string>(&parsed);
        ASSERT_NE(key, nullptr) << spelling.value << ": " << std::get<Problem>(parsed).detail;
        EXPECT_EQ(*key, spelling.key) << spelling.value;
    }
}

TEST(KeyHeader, AnotherFormIsRefusedByTheNameOfItsHeader) {
    for (const std::string& value : {std::string(),
                                     std::string("\"\""),
                                     std::string("\""),
                                     std::string("\"open"),
                                     std::string("\"a\"b\""),
                                     std::string(R"("a\n")"),
                                     std::string(R"("a\)"),
                                     std::string(R"("a\")"),
                                     std::string(256, 'k'),
                                     "\"" + std::string(256, 'k') + "\"",
                                     std::string("a b"),
                                     std::string("a,b"),
                                     std::string("a, b"),
                                     std::string("a;v=1"),
                                     std::string("a\"b"),
                                     std::string("\"a\";v=1"),
                                     std::string("\"a\" ;v=1"),
                                     std::string("\"a\", \"b\""),
                                     std::string("a\tb"),
                                     std::string("\"a\tb\""),
                                     std::string("\xff"),
                                     std::string("caf\xc3\xa9"),
                                     std::string("\"caf\xc3\xa9\""),
                                     std::string("a\0b", 3),
                                     std::string("a\x7f")}) {
        const auto parsed = parse_key_header("X-Request-Id", value);
        const auto* problem = std::get_if<Problem>(&parsed);
        ASSERT_NE(problem, nullptr) << value;
        EXPECT_EQ(problem->code, ProblemCode::key_invalid) << value;
        EXPECT_TRUE(problem->detail.starts_with("`X-Request-Id` ")) << problem->detail;
    }
}

TEST(KeyHeader, AWrittenKeyIsReadAsItself) {
    for (const std::string& key : {std::string("k"), std::string("a b"), std::string(R"(a"\b)"),
                                   std::string("a,b;c"), std::string("\\")}) {
        const auto value = key_header_value(key);
        ASSERT_TRUE(value) << key;
        EXPECT_EQ(std::get<std::string>(parse_key_header("k", *value)), key) << *value;
    }
    EXPECT_EQ(key_header_value("a\\b"), "a\\b");
    EXPECT_EQ(key_header_value("a b"), "\"a b\"");
    EXPECT_FALSE(key_header_value(""));
    EXPECT_FALSE(key_header_value("a\nb"));
    EXPECT_FALSE(key_header_value("caf\xc3\xa9"));
}

}  // namespace
}  // namespace semel
