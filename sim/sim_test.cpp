// The simulator in CI: seeds hold and take every rare path, planted bugs are found, a run repeats
// itself hash for hash.
#include <fstream>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/mutation.hpp"
#include "sim/shrink.hpp"
#include "sim/simulation.hpp"

namespace semel::sim {
namespace {

constexpr std::uint64_t kSeeds = 1'000;
// A change of the engine moves what a seed does: a bug may then be found by another of the first.
constexpr std::uint64_t kSeedsForOneBug = 1'000;

const std::string kTop = SEMEL_TOP;

// Switches a bug on while it lives.
struct Planted {
    explicit Planted(Mutation mutation) { active_mutation = mutation; }
    ~Planted() { active_mutation = Mutation::none; }
    Planted(const Planted&) = delete;
    Planted& operator=(const Planted&) = delete;
};

std::string explain(std::uint64_t seed, const RunResult& result) {
    std::string text;
    for (const std::string& line : result.recent) text += line + "\n";
    return fmt::format("{}seed {} broke {}\n  {}\nagain: semel_sim --seed {} --trace, or --shrink",
                       text, seed, name_of(result.violation->invariant), result.violation->message,
                       seed);
}

// `| bug | what | seed | invariant |` lines, by bug.
std::map<std::string, std::uint64_t> published_seeds() {
    std::map<std::string, std::uint64_t> seeds;
    std::ifstream page(kTop + "/docs/planted_bugs.md");
    for (std::string line; std::getline(page, line);) {
        std::vector<std::string> cells;
        std::istringstream row(line);
        for (std::string cell; std::getline(row, cell, '|');) cells.push_back(cell);
        if (cells.size() > 3 && cells[1].starts_with(" `")) {
            const std::string name = cells[1].substr(2, cells[1].rfind('`') - 2);
            seeds[name] = std::stoull(cells[3]);
        }
    }
    return seeds;
}

bool is_found(std::uint64_t seed) {
    return run(make_plan(seed)).violation.has_value();
}

TEST(Simulator, SeedsHoldAndTakeEveryRarePath) {
    SometimesCounts sometimes;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        const RunResult result = run(make_plan(seed));
        ASSERT_FALSE(result.violation.has_value()) << explain(seed, result);
        sometimes.add(result.sometimes);
    }
    for (std::size_t i = 0; i < std::size(kSometimes); ++i) {
        EXPECT_GT(sometimes.of(i), 0) << "no seed of " << kSeeds << " took " << kSometimes[i];
    }
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
    }
    EXPECT_NE(run(make_plan(1)).hash, run(make_plan(2)).hash);
}

TEST(Simulator, FindsEveryPlantedBug) {
    const auto published = published_seeds();
    for (const PlantedBug& bug : kPlantedBugs) {
        const Planted planted(bug.mutation);
        const auto known = published.find(std::string(bug.name));
        ASSERT_NE(known, published.end()) << bug.name << " is not in docs/planted_bugs.md";
        bool found = is_found(known->second);
        for (std::uint64_t seed = 1; !found && seed <= kSeedsForOneBug; ++seed) {
            found = is_found(seed);
        }
        EXPECT_TRUE(found) << bug.name << ": " << bug.what;
    }
}

TEST(Simulator, ShrinksAPlanThatFails) {
    const Planted planted(Mutation::rescue_keeps_token);
    std::uint64_t seed = 1;
    while (!is_found(seed)) ++seed;
    const Plan plan = make_plan(seed);
    const Invariant invariant = run(plan).violation->invariant;
    const Plan smaller = shrink(plan, invariant);
    EXPECT_LT(smaller.requests.size(), plan.requests.size());
    const RunResult result = run(smaller);
    ASSERT_TRUE(result.violation.has_value());
    EXPECT_EQ(result.violation->invariant, invariant);
}

}  // namespace
}  // namespace semel::sim
