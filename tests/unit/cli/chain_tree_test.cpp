#include "cli/commands/chain_tree.hpp"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace semel::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string drawn(const std::vector<std::string>& steps) {
    std::vector<json::Document> parsed;
    for (const std::string& step : steps) parsed.push_back(json::Document::parse(step).value());
    std::ostringstream out;
    Console console(out, out, false);
    print_chain_tree(console, parsed);
    return out.str();
}

std::string step(int index, const std::string& status) {
    return R"({"chainIndex":)" + std::to_string(index) + R"(,"id":"i","type":"t","status":")" +
           status + R"(","scheduledAt":"s","blockers":[{"id":"b","type":"u","status":"pending"}]})";
}

TEST(ChainTree, IndexAndStatusStandApartHoweverManyStepsThereAre) {
    EXPECT_THAT(drawn({step(8, "completed"), step(9, "pending")}), HasSubstr("─ 9  pending "));
    const std::string tree = drawn({step(9, "completed"), step(99, "completed"),
                                    step(100, "completed"), step(1000, "pending")});
    EXPECT_THAT(tree, HasSubstr("─ 9    completed "));
    EXPECT_THAT(tree, HasSubstr("─ 100  completed "));
    EXPECT_THAT(tree, HasSubstr("─ 1000 pending "));
}

TEST(ChainTree, WhatHasEndedWaitsForNothingAnyMore) {
    EXPECT_THAT(drawn({step(0, "blocked")}), HasSubstr("waits for   pending"));
    for (const char* ended : {"completed", "failed", "cancelled", "superseded"}) {
        const std::string tree = drawn({step(0, ended)});
        EXPECT_THAT(tree, HasSubstr("waited for  pending"));
        EXPECT_THAT(tree, Not(HasSubstr("waits for")));
    }
}

}  // namespace
}  // namespace semel::cli
