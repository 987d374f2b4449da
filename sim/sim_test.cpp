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

// Seeds, and the rare paths that they must take: those before `paths_end`.
struct SeedGroup {
    std::uint64_t first = 1;
    std::uint64_t count = 0;
    std::size_t first_path = 0;
    std::size_t paths_end = 0;
};

void run_seeds(const SeedGroup& group) {
    SometimesCounts sometimes;
    for (std::uint64_t seed = group.first; seed < group.first + group.count; ++seed) {
        const RunResult result = run(make_plan(seed));
        ASSERT_FALSE(result.violation.has_value()) << explain(seed, result);
        sometimes.add(result.sometimes);
    }
    for (std::size_t i = group.first_path; i < group.paths_end; ++i) {
        EXPECT_GT(sometimes.of(i), 0) << "no seed of " << group.count << " took " << kSometimes[i];
    }
}

TEST(Simulator, SeedsHoldAndTakeEveryRarePath) {
    run_seeds({.first = 1, .count = kSeeds, .first_path = 0, .paths_end = kFirstPassPath});
}

TEST(Simulator, SeedsOfTheGatewayHoldAndTakeEveryRarePath) {
    run_seeds({.first = kFirstPassSeed,
               .count = kSeedsOfGateway,
               .first_path = kFirstPassPath,
               .paths_end = std::size(kSometimes)});
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
