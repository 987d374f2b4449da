// That the loads do what they are said to do; how fast is none of a test's business.
#include <gtest/gtest.h>

#include "loads/chain_load.hpp"
#include "loads/drain_load.hpp"
#include "loads/fence_load.hpp"
#include "loads/latency_load.hpp"
#include "loads/machine.hpp"
#include "loads/schedule_load.hpp"
#include "support/temp_folder.hpp"

namespace semel::loads {
namespace {

using namespace std::chrono_literals;

const Watch kGoOn = [](double) { return true; };
const Watch kEnough = [](double) { return false; };

Figure schedule(const std::string& store, const ScheduleLoad& load, const Watch& watch = kGoOn) {
    const auto node = BenchNode::open(store);
    EXPECT_TRUE(node.has_value());
    (*node)->start();
    const auto figure = run_schedule_load(**node, load, watch);
    EXPECT_TRUE(figure.has_value());
    return *figure;
}

TEST(Percentile, IsAValueThatWasThere) {
    std::vector<double> none;
    EXPECT_EQ(percentile(none, 0.5), 0);
    std::vector<double> values = {5, 1, 4, 2, 3};
    EXPECT_EQ(percentile(values, 0.0), 1);
    EXPECT_EQ(percentile(values, 0.5), 3);
    EXPECT_EQ(percentile(values, 0.99), 4);
    EXPECT_EQ(percentile(values, 1.0), 5);
}

TEST(Loads, WithoutDuplicatesEveryDecisionIsNew) {
    const test::TempFolder folder;
    const Figure figure =
        schedule(folder.file("a.db"), {.callers = 4, .duplicates = 0, .duration = 100ms});
    EXPECT_GT(figure.count, 0);
    EXPECT_EQ(figure.fresh, figure.count);
    EXPECT_GE(figure.commit_batch, 1);
    EXPECT_GT(figure.cpu_seconds, 0);
    EXPECT_GE(figure.p99_ms, figure.p50_ms);
    EXPECT_GE(figure.p999_ms, figure.p99_ms);
}

TEST(Loads, DuplicatesAreOfKeysThatAreThere) {
    const test::TempFolder folder;
    const std::string store = folder.file("a.db");
    const Figure first = schedule(store, {.duplicates = 100, .duration = 100ms});
    EXPECT_EQ(first.fresh, 1);
    EXPECT_GT(first.count, 1);
    const Figure again = schedule(store, {.duplicates = 100, .first = 1, .duration = 100ms});
    EXPECT_EQ(again.fresh, 0);
    const Figure other = schedule(store, {.run = "b", .duplicates = 100, .duration = 100ms});
    EXPECT_EQ(other.fresh, 1) << "another run's keys are others";
}

TEST(Loads, AStoppedEngineEndsTheLoadWithItsError) {
    const test::TempFolder folder;
    const auto node = BenchNode::open(folder.file("a.db"));
    const auto figure = run_schedule_load(**node, {}, kGoOn);
    EXPECT_EQ(figure.error().code(), ErrorCode::stopped);
}

TEST(Loads, AWatchThatHasSeenEnoughEndsThem) {
    const test::TempFolder folder;
    EXPECT_EQ(schedule(folder.file("a.db"), {.duration = 1h}, kEnough).count, 0);
    const auto latency = run_latency_load(folder.file("b.db"), {.duration = 1h}, kEnough);
    EXPECT_EQ(latency->count, 0);
    const auto drain = run_drain_load(folder.file("b.db"), {kNoopType}, 1, kEnough);
    EXPECT_EQ(drain->count, 0);
}

TEST(Loads, FencesAreClaimedSealedAndReplayed) {
    const test::TempFolder folder;
    const auto node = BenchNode::open(folder.file("a.db"));
    (*node)->start();
    const auto filled = seal_keys(**node, {.callers = 4}, 50, kGoOn);
    ASSERT_TRUE(filled.has_value()) << filled.error().message();
    EXPECT_EQ(filled->count, 50);
    const auto pairs = run_pair_load(**node, {.callers = 4, .first = 50, .duration = 100ms}, kGoOn);
    ASSERT_TRUE(pairs.has_value()) << pairs.error().message();
    EXPECT_GT(pairs->count, 0);
    EXPECT_GE(pairs->p99_ms, pairs->p50_ms);
    const ReplayLoad again{.fences = {.callers = 4, .first = 50, .duration = 100ms}, .recent = 60};
    const auto replays = run_replay_load(**node, again, kGoOn);
    ASSERT_TRUE(replays.has_value()) << replays.error().message();
    EXPECT_GT(replays->count, 0);
}

TEST(Loads, AFenceThatIsNotWhatTheLoadSaysEndsIt) {
    const test::TempFolder folder;
    const auto node = BenchNode::open(folder.file("a.db"));
    EXPECT_EQ(seal_keys(**node, {}, 1, kGoOn).error().code(), ErrorCode::stopped);
    (*node)->start();
    EXPECT_FALSE(run_replay_load(**node, {.fences = {.first = 1, .duration = 1h}}, kGoOn))
        << "nothing is sealed";
    ASSERT_TRUE(seal_keys(**node, {.run = "b"}, 1, kGoOn));
    EXPECT_FALSE(seal_keys(**node, {.run = "b"}, 1, kGoOn)) << "it is sealed already";
}

TEST(Loads, DrainHandlesTheJobsThatWereMade) {
    constexpr int kJobs = 1500;  // more than a batch, and not a whole number of them
    const test::TempFolder folder;
    const std::string store = folder.file("a.db");
    ASSERT_TRUE(make_noop_jobs(store, "default", kJobs, kGoOn).has_value());
    const auto figure = run_drain_load(store, {kNoopType}, kJobs, kGoOn);
    ASSERT_TRUE(figure.has_value());
    EXPECT_EQ(figure->count, kJobs);
}

TEST(Loads, ChainsAreStartedSinglyAndInBatches) {
    const test::TempFolder folder;
    for (const int batch : {1, 50}) {
        const auto node = BenchNode::open(folder.file(std::to_string(batch) + ".db"));
        ASSERT_TRUE(node.has_value());
        (*node)->start();
        const auto figure =
            run_start_load(**node, {.callers = 4, .batch = batch, .duration = 100ms}, kGoOn);
        ASSERT_TRUE(figure.has_value()) << figure.error().message();
        EXPECT_GT(figure->count, 0);
        EXPECT_EQ(figure->count % batch, 0);
    }
}

TEST(Loads, ChainsAreWorkedOffStepByStep) {
    const test::TempFolder folder;
    const auto figure = run_steps_load(folder.file("a.db"), {.chains = 30, .steps = 7}, kGoOn);
    ASSERT_TRUE(figure.has_value()) << figure.error().message();
    EXPECT_EQ(figure->count, 30 * 7);
    const auto again = run_drain_load(folder.file("a.db"), {kStepType}, 1, kEnough);
    EXPECT_EQ(again->count, 0) << "nothing is left of them";
}

TEST(Loads, AFanInIsReleasedByTheLastOfItsBlockers) {
    const test::TempFolder folder;
    const auto figure = run_fan_in_load(folder.file("a.db"), {.blockers = 200}, kGoOn);
    ASSERT_TRUE(figure.has_value()) << figure.error().message();
    EXPECT_EQ(figure->count, 200);
}

TEST(Loads, LatencyIsMeasuredOneByOne) {
    const test::TempFolder folder;
    const auto figure =
        run_latency_load(folder.file("a.db"), {.rounds_max = 5, .duration = 1h}, kGoOn);
    ASSERT_TRUE(figure.has_value());
    EXPECT_EQ(figure->count, 5);
    EXPECT_GT(figure->p50_ms, 0);
}

TEST(Machine, IsDescribed) {
    EXPECT_GE(this_machine().cores, 1U);
    EXPECT_EQ(this_machine().kernel.find("Linux "), 0U);
    EXPECT_GT(memory_bytes(), 0);
    EXPECT_GE(peak_memory_bytes(), memory_bytes() / 2);
    const test::TempFolder folder;
    const auto disk = probe_disk(folder.path());
    ASSERT_TRUE(disk.has_value()) << disk.error().message();
    EXPECT_GT(disk->sync_p50_ms, 0);
    EXPECT_FALSE(disk->file_system.empty());
    EXPECT_FALSE(probe_disk(folder.file("nothing")).has_value());
}

}  // namespace
}  // namespace semel::loads
