#include "gateway/normal_path.hpp"

#include <gtest/gtest.h>

namespace semel::gateway {
namespace {

struct Spelling {
    std::string_view raw;
    std::string_view normal;
};

TEST(NormalPath, ASpellingThatIsSafeHasOneNormalForm) {
    constexpr Spelling kSpellings[] = {
        {"/", "/"},
        {"/api/messages", "/api/messages"},
        {"/api/messages/", "/api/messages/"},
        {"/API/Messages", "/API/Messages"},
        {"/%61pi/%6D%65ssages", "/api/messages"},
        {"/%7Euser/%2Dx%5Fy%2E", "/~user/-x_y."},
        {"/caf%c3%a9", "/caf%C3%A9"},
        {"/caf%C3%A9", "/caf%C3%A9"},
        {"/a%20b", "/a%20b"},
        {"/a%3fb%23c", "/a%3Fb%23c"},
        // A second decoding is the upstream's own business: the escaped percent sign stays.
        {"/a%252e%252e/b", "/a%252e%252e/b"},
        {"/a%25%32%65/b", "/a%252e/b"},
        // Dots that are not a dot segment.
        {"/...", "/..."},
        {"/.well-known/x", "/.well-known/x"},
        {"/..a", "/..a"},
        {"/a..", "/a.."},
        {"/a;v=1/b", "/a;v=1/b"},
        {"/a:b@c!$&'()*+,=", "/a:b@c!$&'()*+,="},
    };
    for (const Spelling& spelling : kSpellings) {
        const auto path = normal_path(spelling.raw);
        ASSERT_TRUE(path) << spelling.raw << ": " << path.error().message();
        EXPECT_EQ(*path, spelling.normal) << spelling.raw;
    }
}

TEST(NormalPath, TheNormalFormIsItsOwnNormalForm) {
    for (const char* raw : {"/%7e%c3%a4/a%252e", "/%2541", "/a/b/", "/%25%34%31"}) {
        const auto once = normal_path(raw);
        ASSERT_TRUE(once) << raw;
        const auto twice = normal_path(*once);
        ASSERT_TRUE(twice) << *once;
        EXPECT_EQ(*once, *twice) << raw;
    }
}

struct Hostile {
    std::string_view raw;
    std::string_view reason;
};

TEST(NormalPath, ASpellingThatServersReadInDifferentWaysIsRefused) {
    constexpr Hostile kHostile[] = {
        {"", "begin with `/`"},
        {"api", "begin with `/`"},
        {"*", "begin with `/`"},
        {"%2Fapi", "begin with `/`"},
        {"/./api", "dot segment"},
        {"/api/.", "dot segment"},
        {"/api/..", "dot segment"},
        {"/../api", "dot segment"},
        {"/api/../admin", "dot segment"},
        {"/api/%2e%2e/admin", "dot segment"},
        {"/api/%2E./admin", "dot segment"},
        {"/api/.%2e/admin", "dot segment"},
        {"/api/%2e/", "dot segment"},
        {"/api/..;/admin", "dot segment"},
        {"/api/.;a=1", "dot segment"},
        {"/api/%2e%2e;x/admin", "dot segment"},
        {"//", "empty segment"},
        {"//api", "empty segment"},
        {"/api//messages", "empty segment"},
        {"/api/messages//", "empty segment"},
        {"/api%2fmessages", "`%2f`"},
        {"/api%2Fmessages", "`%2F`"},
        {"/api%5cmessages", "`%5c`"},
        {"/api%5Cmessages", "`%5C`"},
        {"/api%00", "`%00`"},
        {"/api\\messages", "backslash"},
        {"/api/%", "hex digits"},
        {"/api/%4", "hex digits"},
        {"/api/%4g", "hex digits"},
        {"/api/%u0041", "hex digits"},
        {"/api/%%34%31", "hex digits"},
        {"/a b", "must be escaped"},
        {"/a\tb", "must be escaped"},
        {"/a?b", "must be escaped"},
        {"/a#b", "must be escaped"},
        {"/caf\xc3\xa9", "must be escaped"},
        {"/a\x7f", "must be escaped"},
        {std::string_view("/a\0b", 4), "must be escaped"},
    };
    for (const Hostile& hostile : kHostile) {
        const auto path = normal_path(hostile.raw);
        ASSERT_FALSE(path) << hostile.raw << " became " << *path;
        EXPECT_EQ(path.error().code(), ErrorCode::invalid);
        EXPECT_NE(path.error().message().find(hostile.reason), std::string::npos)
            << hostile.raw << ": " << path.error().message();
    }
}

}  // namespace
}  // namespace semel::gateway
