#include "core/batch/workspace.hpp"

#include <gtest/gtest.h>

namespace semel {
namespace {

TEST(Table, ARolledBackCommandLeavesNoTraceAndEarlierOnesStay) {
    Table<int, std::string> table;
    table.load(1, "one");
    table.savepoint();
    table.edit(1) = "uno";
    table.put(2, "two");
    table.savepoint();
    table.edit(1) = "eins";
    table.edit(1) = "ein";
    table.put(3, "three");
    table.erase(2);
    table.roll_back();
    EXPECT_EQ(*table.find(1), "uno");
    EXPECT_EQ(*table.find(2), "two");
    EXPECT_EQ(table.find(3), nullptr);
    const auto changes = table.take_changes();
    ASSERT_EQ(changes.size(), 2U);
    EXPECT_EQ(changes[0].before, "one");
    EXPECT_EQ(changes[0].after, "uno");
    EXPECT_FALSE(changes[1].before.has_value());
    EXPECT_EQ(changes[1].after, "two");
}

TEST(Table, AnItemIsUndoneAloneAndACommandWithAllItsItems) {
    Table<int, std::string> table;
    table.load(1, "one");
    table.savepoint();
    table.edit(1) = "first item";
    table.begin_item();
    table.edit(1) = "second item";
    table.put(2, "two");
    table.roll_back_item();
    EXPECT_EQ(*table.find(1), "first item");
    EXPECT_EQ(table.find(2), nullptr);
    table.edit(1) = "third item";
    table.roll_back();
    EXPECT_EQ(*table.find(1), "one");
    EXPECT_TRUE(table.take_changes().empty());
}

TEST(Table, ChangesThatChangeNothingAreNotWritten) {
    Table<int, std::string> table;
    table.load(1, "one");
    table.savepoint();
    table.edit(1) = "two";
    table.edit(1) = "one";
    table.put(2, "x");
    table.erase(2);
    EXPECT_TRUE(table.take_changes().empty());
}

TEST(Table, ADamagedRowIsAbsentAndNamedUntilItIsErased) {
    Table<int, std::string> table;
    table.damage(1, "of one", "it is damaged");
    table.savepoint();
    EXPECT_EQ(table.met_damage(), nullptr);
    EXPECT_EQ(table.find(1), nullptr);
    ASSERT_NE(table.met_damage(), nullptr);
    EXPECT_EQ(*table.met_damage(), "it is damaged");
    table.put(1, "what a command makes of it");
    table.roll_back();
    EXPECT_TRUE(table.take_changes().empty());
    table.savepoint();
    EXPECT_TRUE(table.is_damaged(1));
    table.erase_damaged(1);
    table.roll_back();
    EXPECT_TRUE(table.is_damaged(1)) << "that is undone too";
    table.savepoint();
    table.erase_damaged(1);
    EXPECT_EQ(table.find(1), nullptr);
    EXPECT_EQ(table.met_damage(), nullptr) << "it is absent, and no more than that";
    const auto changes = table.take_changes();
    ASSERT_EQ(changes.size(), 1U);
    EXPECT_EQ(changes[0].before, "of one");
    EXPECT_FALSE(changes[0].after.has_value());
}

TEST(Table, DeletionsAreChanges) {
    Table<int, std::string> table;
    table.load(1, "one");
    table.savepoint();
    table.erase(1);
    EXPECT_EQ(table.find(1), nullptr);
    const auto changes = table.take_changes();
    ASSERT_EQ(changes.size(), 1U);
    EXPECT_EQ(changes[0].before, "one");
    EXPECT_FALSE(changes[0].after.has_value());
}

TEST(Table, ALockedRowIsAbsentAndSaysThatItWasMet) {
    Table<int, std::string> table;
    table.load(1, "loaded, and of no use");
    table.mark_locked(1);
    table.mark_locked(2);
    table.savepoint();
    EXPECT_EQ(table.find(3), nullptr);
    EXPECT_FALSE(table.met_locked());
    EXPECT_EQ(table.find(1), nullptr);
    EXPECT_TRUE(table.met_locked());
    table.savepoint();
    EXPECT_FALSE(table.met_locked()) << "the next command has met nothing yet";
    EXPECT_EQ(table.find(2), nullptr);
    EXPECT_TRUE(table.met_locked());
    table.put(2, "what a command makes of it");
    EXPECT_EQ(*table.find(2), "what a command makes of it");
    table.roll_back();
    EXPECT_TRUE(table.take_changes().empty());
}

// Whatever the commands before the one that deletes it have left behind.
TEST(Workspace, WhatBelongsToAJobGoesWithIt) {
    const std::function<std::uint64_t()> random = [] { return std::uint64_t{7}; };
    UuidGenerator ids(random);
    Job job;
    job.id.bytes[15] = 1;
    Loaded loaded;
    loaded.jobs = {job};
    const Settings settings;
    Workspace workspace(std::move(loaded), settings, ids, random);
    workspace.savepoint();
    workspace.bodies.put(job.id, JobBody{"1"});
    workspace.set_result(job.id, JobResult{"2", {}, {}});
    Attempt attempt;
    attempt.job = job.id;
    workspace.record(std::move(attempt));
    workspace.remove_job(job.id);
    const Changes changes = workspace.take_changes();
    EXPECT_EQ(changes.jobs.size(), 1U);
    EXPECT_TRUE(changes.bodies.empty());
    EXPECT_TRUE(changes.results.empty());
    EXPECT_TRUE(changes.attempts.empty());
}

TEST(Tokens, GrowWithTimeAndWithEachOwner) {
    EXPECT_EQ(to_int(next_token(Token::none, from_ms(1000))), 1000);
    EXPECT_EQ(to_int(next_token(Token{1000}, from_ms(1000))), 1001);
    EXPECT_EQ(to_int(next_token(Token{5000}, from_ms(1000))), 5001);
}

}  // namespace
}  // namespace semel
