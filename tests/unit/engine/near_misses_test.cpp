#include "engine/near_misses.hpp"

#include "support/fence_node.hpp"
#include "support/fence_table.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::FenceNode;
using test::FenceTable;

// The lines that all decisions of a table give.
std::vector<DecisionEntry> entries_of(const std::vector<DecisionEntry>& decisions,
                                      std::size_t keys_max = 100) {
    NearMisses misses(keys_max);
    std::vector<DecisionEntry> near_misses;
    for (const DecisionEntry& entry : decisions) {
        if (auto near_miss = misses.note(entry)) near_misses.push_back(std::move(*near_miss));
    }
    return near_misses;
}

TEST(NearMiss, IsTheSameContentUnderAnotherKey) {
    FenceTable t;
    t.own(R"({"key":"a","content":{"order":17,"x":1}})");
    t.own(R"({"key":"b","content":{"x":1.0, "order":17}})");
    t.own(R"({"key":"c","content":{"order":18,"x":1}})");
    const auto near_misses = entries_of(t.decisions);
    ASSERT_EQ(near_misses.size(), 1U);
    EXPECT_EQ(near_misses[0].decision, Decision::near_miss);
    EXPECT_TRUE(is_repeat(near_misses[0].decision));
    EXPECT_EQ(near_misses[0].key, R"(["a"])");
    EXPECT_EQ(near_misses[0].reason, R"(["b"])");
    EXPECT_EQ(near_misses[0].tenant, "default");
}

TEST(NearMiss, IsNeitherTheSameKeyAgainNorAnotherTenantNorContentThatSaysNothing) {
    FenceTable t;
    const Claim first = t.own(R"({"key":"a","content":{"order":17}})");
    test::done(t.release(first));
    t.own(R"({"key":"a","content":{"order":17}})");
    t.own(R"({"key":"a","content":{"order":17}})", "other");
    t.own(R"({"key":"d","content":{}})");
    t.own(R"({"key":"e","content":{}})");
    t.own(R"({"key":"f"})");
    t.own(R"({"key":"g"})");
    EXPECT_TRUE(entries_of(t.decisions).empty());
}

TEST(NearMiss, IsForgottenAfterADayAndWhenThereAreTooMany) {
    FenceTable t;
    const auto own = [&](int key, int content) {
        t.own(R"({"key":")" + std::to_string(key) + R"(","content":{"order":)" +
              std::to_string(content) + "}}");
    };
    own(1, 7);
    t.advance(24h - 1ms);
    own(2, 7);
    t.advance(1ms);
    own(3, 7);  // a day after the first: it is the first now
    EXPECT_EQ(entries_of(t.decisions).size(), 1U);
    own(4, 8);
    own(5, 9);
    own(6, 7);
    EXPECT_EQ(entries_of(t.decisions).size(), 2U);
    EXPECT_EQ(entries_of(t.decisions, 2).size(), 1U);
}

// ---- in the log -------------------------------------------------------------------------------

// Claims keys of one content, and gives the line that is written about them.
struct SameContent : FenceNode {
    void own_key(int key) {
        own(R"({"key":")" + std::to_string(key) + R"(","content":{"order":17}})");
    }
    DecisionEntry near_miss() {
        env.advance(2s);
        for (const LoggedDecision& logged : decisions()) {
            if (logged.entry.decision == Decision::near_miss) return logged.entry;
        }
        ADD_FAILURE() << "there is none";
        return {};
    }
};

TEST(NearMissEntry, NamesTheKeys) {
    SameContent t;
    for (int key = 0; key < 4; ++key) t.own_key(key);
    const DecisionEntry near_miss = t.near_miss();
    EXPECT_EQ(near_miss.key, R"(["0"])");
    EXPECT_EQ(near_miss.count, 3);
    EXPECT_EQ(near_miss.reason, R"(["1"], ["2"], ["3"])");
}

TEST(NearMissEntry, NamesFiveAndSaysHowManyMore) {
    SameContent t;
    for (int key = 0; key < 10; ++key) t.own_key(key);
    EXPECT_EQ(t.near_miss().reason, R"(["1"], ["2"], ["3"], ["4"], ["5"] and 4 more)");
    for (int key = 10; key < 12; ++key) t.own_key(key);
    EXPECT_EQ(t.near_miss().reason, R"(["10"], ["11"])") << "of the line before it is said no more";
}

TEST(NearMissEntry, NamesThemAlsoWhereTheStoreWasAwayForAWhile) {
    SameContent t;
    for (int key = 0; key < 3; ++key) t.own_key(key);
    t.store.fail_load = Error(ErrorCode::unavailable, "away");
    t.env.advance(2s);
    t.store.fail_load.reset();
    for (int key = 3; key < 9; ++key) t.own_key(key);
    const DecisionEntry near_miss = t.near_miss();
    EXPECT_EQ(near_miss.count, 8);
    EXPECT_EQ(near_miss.reason, R"(["1"], ["2"], ["3"], ["4"], ["5"] and 3 more)");
}

}  // namespace
}  // namespace semel
