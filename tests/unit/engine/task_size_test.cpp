// How much of the queue's bounds a command takes: whatever comes with it, and may be large.
#include <gtest/gtest.h>

#include "engine/task.hpp"

namespace semel {
namespace {

constexpr std::size_t kLarge = 100'000;

TEST(TaskSize, CountsWhatEntriesOfTheLogTake) {
    RecordDecisions command;
    EXPECT_EQ(size_of(command).bytes, 0U);
    command.entries.resize(10);
    const TaskSize bare = size_of(command);
    EXPECT_GE(bare.bytes, 10 * sizeof(DecisionEntry));
    for (auto text :
         {&DecisionEntry::tenant, &DecisionEntry::type, &DecisionEntry::key, &DecisionEntry::effect,
          &DecisionEntry::source_type, &DecisionEntry::source_id, &DecisionEntry::reason}) {
        RecordDecisions long_one = command;
        long_one.entries[3].*text = std::string(kLarge, 'x');
        EXPECT_EQ(size_of(long_one).bytes, bare.bytes + kLarge);
    }
    EXPECT_EQ(bare.items, 1U) << "a busy second's lines turn nobody away";
}

TEST(TaskSize, CountsAReceiptWhoeverSealsWithIt) {
    EXPECT_EQ(size_of(ResolveClaim{}).bytes, 0U);
    ResolveClaim resolved;
    resolved.receipt = std::string(kLarge, 'x');
    EXPECT_EQ(size_of(resolved).bytes, kLarge);
    CallFence sealed;
    sealed.call.receipt = std::string(kLarge, 'x');
    EXPECT_EQ(size_of(sealed).bytes, kLarge);
}

TEST(TaskSize, CountsTheBodiesOfRequestsAndOfTheirAnswers) {
    const auto body = std::make_shared<const std::string>(kLarge, 'x');
    AdmitPass admitted;
    admitted.request.content = *body;
    EXPECT_EQ(size_of(admitted).bytes, kLarge);
    SettlePass settled;
    settled.body = body;
    EXPECT_EQ(size_of(settled).bytes, kLarge);
    ResolveClaim resolved;
    resolved.answer.emplace().body = body;
    EXPECT_EQ(size_of(resolved).bytes, kLarge);
    BeatPasses beats;
    beats.claims.resize(500);
    EXPECT_EQ(size_of(beats).items, 500U);
    EXPECT_TRUE(has_many_items(beats));
}

}  // namespace
}  // namespace semel
