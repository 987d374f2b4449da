#include "gateway/body_budget.hpp"

#include <gtest/gtest.h>

namespace semel::gateway {
namespace {

TEST(BodyBudget, GivesNoMoreThanThereIsAndTakesItBack) {
    BodyBudget budget(10);
    auto first = budget.take(6);
    EXPECT_TRUE(first);
    EXPECT_FALSE(budget.take(5));
    auto second = budget.take(4);
    EXPECT_TRUE(second);
    EXPECT_FALSE(budget.take(1));
    first = nullptr;
    EXPECT_TRUE(budget.take(6));
}

TEST(BodyBudget, WhatWasTakenMayOutliveIt) {
    std::shared_ptr<void> held;
    {
        BodyBudget budget(1);
        held = budget.take(1);
    }
    EXPECT_TRUE(held);
}

}  // namespace
}  // namespace semel::gateway
