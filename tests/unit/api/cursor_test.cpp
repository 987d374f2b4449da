#include "api/cursor.hpp"

#include <gtest/gtest.h>

#include "api/base64.hpp"

namespace semel {
namespace {

TEST(Base64, HasTheFormsOfRfc4648) {
    EXPECT_EQ(base64(""), "");
    EXPECT_EQ(base64("f"), "Zg==");
    EXPECT_EQ(base64("fo"), "Zm8=");
    EXPECT_EQ(base64("foo"), "Zm9v");
    EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
    EXPECT_EQ(base64("\xfb\xff\xfe"), "+//+");
    EXPECT_EQ(base64url("\xfb\xff\xfe"), "-__-");
    EXPECT_EQ(base64url("fo"), "Zm8");
}

TEST(Base64, ReadsWhatItWritesAndNothingElse) {
    std::string bytes;
    for (int i = 0; i < 300; ++i) {
        EXPECT_EQ(from_base64url(base64url(bytes)), bytes);
        bytes.push_back(static_cast<char>(i * 7));
    }
    for (const char* bad : {"Z", "Zg==", "Zh", "Zm9", "+//+", "Zm 8", "Zm8\n"}) {
        EXPECT_FALSE(from_base64url(bad)) << bad;
    }
}

const Uuid kId = *Uuid::parse("0192f0c1-2b7e-7000-8000-0000000000ff");
const WalkFields kWalk = {"actions", "default", "pending"};

TEST(Cursor, LeadsBackToWhereItWas) {
    EXPECT_EQ(std::get<Uuid>(read_id_cursor(make_cursor(kWalk, kId), kWalk)), kId);
    for (const std::int64_t number :
         {std::int64_t{0}, std::int64_t{1}, std::int64_t{1} << 40, std::int64_t{-1}}) {
        EXPECT_EQ(std::get<std::int64_t>(read_number_cursor(make_cursor(kWalk, number), kWalk)),
                  number);
    }
}

TEST(Cursor, BelongsToItsFilters) {
    const std::string cursor = make_cursor(kWalk, kId);
    for (const WalkFields& other : std::vector<WalkFields>{
             {"actions", "default", "running"},
             {"actions", "other", "pending"},
             {"actions", "default", "pending", ""},
             {"actions", "defaul", "tpending"},
             {},
         }) {
        const auto read = read_id_cursor(cursor, other);
        ASSERT_TRUE(std::holds_alternative<Problem>(read));
        EXPECT_EQ(std::get<Problem>(read).code, ProblemCode::invalid);
    }
}

TEST(Cursor, WhatIsNoneIsInvalid) {
    const std::string cursor = make_cursor(kWalk, kId);
    std::vector<std::string> bad = {"",
                                    "A",
                                    "AAAA",
                                    cursor + "A",
                                    cursor.substr(1),
                                    cursor.substr(0, cursor.size() - 1),
                                    std::string(5000, 'A'),
                                    make_cursor(kWalk, std::int64_t{7})};
    bad.push_back("B" + cursor.substr(1));  // another version
    for (const std::string& text : bad) {
        EXPECT_TRUE(std::holds_alternative<Problem>(read_id_cursor(text, kWalk))) << text;
    }
    EXPECT_TRUE(std::holds_alternative<Problem>(read_number_cursor(cursor, kWalk)));
}

}  // namespace
}  // namespace semel
