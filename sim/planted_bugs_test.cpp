// The simulator finds each planted bug, and shrinks a plan that one of them breaks.
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "sim/bugs/mutation.hpp"
#include "sim/shrink.hpp"
#include "sim/simulation.hpp"
#include "support/planted.hpp"

namespace semel::sim {
namespace {

using test::Planted;

// A change of the engine changes what a seed does. Another of the first seeds may then find the
// bug.
constexpr std::uint64_t kSeedsForOneBug = 1'000;

const std::string kTop = SEMEL_TOP;

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

TEST(Simulator, FindsEveryPlantedBug) {
    const auto published = published_seeds();
    for (const PlantedBug& bug : kPlantedBugs) {
        const Planted planted(bug.mutation);
        const auto known = published.find(std::string(bug.name));
        ASSERT_NE(known, published.end()) << bug.name << " is not in docs/planted_bugs.md";
        bool found = is_found(known->second);
        const std::uint64_t first = known->second < kFirstPassSeed ? 1 : kFirstPassSeed;
        for (std::uint64_t seed = first; !found && seed < first + kSeedsForOneBug; ++seed) {
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
