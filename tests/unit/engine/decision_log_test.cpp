// Lines that the store does not take: kept for a while, and counted where there is no room.
#include "engine/decision_log.hpp"

#include <gtest/gtest.h>

#include "store/memory/memory_store.hpp"
#include "support/store_spy.hpp"
#include "support/virtual_env.hpp"

namespace semel::test {
namespace {

struct Unlogged final : Observer {
    void on_unlogged(std::int64_t decisions) override { count += decisions; }
    std::int64_t count = 0;
};

CommitStream::Listeners nobody() {
    return {.recorded = [](const Changes&) {},
            .committed = [](const Changes&) {},
            .postponed = [] {},
            .unknown = [] {}};
}

class DecisionLogTest : public testing::Test {
protected:
    DecisionLogTest() {
        env_.observe(unlogged_);
        spy_.fail_load = Error(ErrorCode::unavailable, "away");
    }
    static std::vector<DecisionEntry> entries(std::size_t count, Decision decision) {
        std::vector<DecisionEntry> all(count);
        for (std::size_t i = 0; i < count; ++i) {
            all[i].tenant = "default";
            all[i].key = std::to_string(i);
            all[i].decision = decision;
            all[i].count = 1;
        }
        return all;
    }

    VirtualEnv env_;
    Unlogged unlogged_;
    Settings settings_;
    std::unique_ptr<Store> store_ = make_memory_store([this] { return env_.now(); });
    StoreSpy spy_{*store_};
    Ledger ledger_{env_, spy_, settings_, nobody()};
    ReceiptCache receipts_{env_, spy_, 0, [] {}};
    DecisionLog log_{env_, ledger_, ledger_, receipts_};
};

TEST_F(DecisionLogTest, EntriesBeyondWhatMemoryHoldsAreCounted) {
    Changes changes;
    changes.decisions = entries(100'000, Decision::new_);
    log_.committed_elsewhere(changes);
    env_.settle();
    EXPECT_EQ(unlogged_.count, 0);
    changes.decisions = entries(3, Decision::new_);
    log_.committed_elsewhere(changes);
    env_.settle();
    EXPECT_EQ(unlogged_.count, 3);
}

TEST_F(DecisionLogTest, SumsBeyondWhatMemoryHoldsAreCountedAndThoseItHasGrow) {
    Changes changes;
    changes.repeats = entries(50'000, Decision::duplicate);
    log_.committed_elsewhere(changes);
    env_.settle();
    EXPECT_EQ(unlogged_.count, 0);
    log_.committed_elsewhere(changes);
    env_.settle();
    EXPECT_EQ(unlogged_.count, 0) << "a sum takes any number";
    changes.repeats = entries(50'002, Decision::duplicate);
    log_.committed_elsewhere(changes);
    env_.settle();
    EXPECT_EQ(unlogged_.count, 2);
}

}  // namespace
}  // namespace semel::test
