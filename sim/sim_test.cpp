// The simulator in CI: seeds hold and take every rare path, and a run repeats itself hash for hash.
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/simulation.hpp"

namespace semel::sim {
namespace {

constexpr std::uint64_t kSeeds = 1'000;
constexpr std::uint64_t kSeedsOfGateway = 500;  // each takes longer

const std::string kTop = SEMEL_TOP;

std::string explain(std::uint64_t seed, const RunResult& result) {
    std::string text;
    for (const std::string& line : result.recent) text += line + "\n";
    return fmt::format("{}seed {} broke {}\n  {}\nagain: semel_sim --seed {} --trace, or --shrink",
                       text, seed, name_of(result.violation->invariant), result.violation->message,
                       seed);
}

// Runs seeds from `first` on. Each of the paths from `path` to `last_path` must be taken.
void run_seeds(std::uint64_t first, std::uint64_t count, std::size_t path, std::size_t last_path) {
    SometimesCounts sometimes;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const RunResult result = run(make_plan(seed));
        ASSERT_FALSE(result.violation.has_value()) << explain(seed, result);
        sometimes.add(result.sometimes);
    }
    for (std::size_t i = path; i < last_path; ++i) {
        EXPECT_GT(sometimes.of(i), 0) << "no seed of " << count << " took " << kSometimes[i];
    }
}

TEST(Simulator, SeedsHoldAndTakeEveryRarePath) {
    run_seeds(1, kSeeds, 0, kFirstPassPath);
}

TEST(Simulator, SeedsOfTheGatewayHoldAndTakeEveryRarePath) {
    run_seeds(kFirstPassSeed, kSeedsOfGateway, kFirstPassPath, std::size(kSometimes));
}

TEST(Simulator, SeedsThatOnceFailedHold) {
    std::ifstream kept(kTop + "/sim/seeds.txt");
    int count = 0;
    for (std::string line; std::getline(kept, line);) {
        if (line.empty() || line.front() == '#') continue;
        const std::uint64_t seed = std::stoull(line);
        const RunResult result = run(make_plan(seed));
        EXPECT_FALSE(result.violation.has_value()) << explain(seed, result);
        ++count;
    }
    EXPECT_GT(count, 0);
}

TEST(Simulator, ASeedRepeatsItselfHashForHash) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        EXPECT_EQ(run(make_plan(seed)).hash, run(make_plan(seed)).hash) << seed;
        const std::uint64_t of_gateway = kFirstPassSeed + seed;
        EXPECT_EQ(run(make_plan(of_gateway)).hash, run(make_plan(of_gateway)).hash) << of_gateway;
    }
    EXPECT_NE(run(make_plan(1)).hash, run(make_plan(2)).hash);
}

}  // namespace
}  // namespace semel::sim
