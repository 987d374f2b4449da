#include "base/result.hpp"

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

namespace semel {
namespace {

Result<int> half(int number) {
    if (number % 2 != 0) return Error(ErrorCode::invalid, "odd");
    return number / 2;
}

Result<int> quarter(int number) {
    SEMEL_TRY(once, half(number));
    SEMEL_TRY(twice, half(once));
    return twice;
}

Result<void> check_even(int number) {
    SEMEL_CHECK(half(number).has_value() ? Result<void>() : Result<void>(half(number).error()));
    return {};
}

TEST(Result, HoldsAValueOrAnError) {
    const Result<int> good = half(8);
    ASSERT_TRUE(good);
    EXPECT_EQ(*good, 4);
    EXPECT_EQ(good.value(), 4);
    const Result<int> bad = half(7);
    ASSERT_FALSE(bad);
    EXPECT_FALSE(bad.has_value());
    EXPECT_EQ(bad.error().code(), ErrorCode::invalid);
    EXPECT_EQ(bad.error().message(), "odd");
}

TEST(Result, MovesItsValueOut) {
    Result<std::unique_ptr<int>> result(std::make_unique<int>(5));
    EXPECT_EQ(**result, 5);
    const std::unique_ptr<int> taken = std::move(result).value();
    EXPECT_EQ(*taken, 5);
    Result<std::string> text(std::string("abc"));
    text->push_back('d');
    EXPECT_EQ(*std::move(text), "abcd");
}

TEST(Result, TryHandsTheFirstErrorUp) {
    EXPECT_EQ(quarter(12).value(), 3);
    EXPECT_EQ(quarter(6).error().message(), "odd");
    EXPECT_EQ(quarter(5).error().message(), "odd");
    EXPECT_TRUE(check_even(2));
    EXPECT_EQ(check_even(3).error().code(), ErrorCode::invalid);
}

TEST(Result, OfVoidIsGoodByDefault) {
    EXPECT_TRUE(Result<void>());
    const Result<void> bad = Error(ErrorCode::timeout, "late");
    EXPECT_FALSE(bad);
    EXPECT_EQ(bad.error().code(), ErrorCode::timeout);
}

TEST(ResultDeathTest, TheWrongSideIsAProgrammersError) {
    EXPECT_DEATH((void)half(7).value(), "assertion failed");
    EXPECT_DEATH((void)half(8).error(), "assertion failed");
    EXPECT_DEATH((void)Result<void>().error(), "assertion failed");
}

TEST(Error, GainsContextOnItsWayUp) {
    const Error error = Error(ErrorCode::io_error, "disk full").prefixed("writing a").prefixed("b");
    EXPECT_EQ(error.code(), ErrorCode::io_error);
    EXPECT_EQ(error.message(), "b: writing a: disk full");
}

TEST(Error, CodesHaveNames) {
    EXPECT_STREQ(to_string(ErrorCode::commit_unknown), "commit_unknown");
    EXPECT_STREQ(to_string(ErrorCode::invalid), "invalid");
    EXPECT_STREQ(to_string(ErrorCode::stopped), "stopped");
}

}  // namespace
}  // namespace semel
