// One measure of chains, as a line of JSON; bench/chains.py runs them in rounds.
//
//   semel_chains_bench start STORE SECONDS CALLERS BATCH    chains started
//   semel_chains_bench steps STORE CHAINS STEPS             steps worked off
//   semel_chains_bench fanin STORE BLOCKERS                 one job that waits for so many chains
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "loads/chain_load.hpp"

namespace semel::loads {
namespace {

constexpr const char* kUsage =
    "semel_chains_bench start STORE SECONDS CALLERS BATCH | steps STORE CHAINS STEPS | fanin STORE "
    "BLOCKERS";

int number(const std::string& word) {
    return std::atoi(word.c_str());
}

Result<Figure> measure(const std::vector<std::string>& words) {
    const Watch go_on = [](double) { return true; };
    if (words.size() == 5 && words[0] == "start") {
        SEMEL_TRY(node, BenchNode::open(words[1]));
        node->start();
        StartLoad load{.callers = number(words[3]), .batch = number(words[4])};
        load.duration = Millis(static_cast<std::int64_t>(std::atof(words[2].c_str()) * 1000));
        return run_start_load(*node, load, go_on);
    }
    if (words.size() == 4 && words[0] == "steps") {
        return run_steps_load(words[1], {.chains = number(words[2]), .steps = number(words[3])},
                              go_on);
    }
    if (words.size() == 3 && words[0] == "fanin") {
        return run_fan_in_load(words[1], {.blockers = number(words[2])}, go_on);
    }
    return Error(ErrorCode::invalid, kUsage);
}

int run(const std::vector<std::string>& words) {
    const auto figure = measure(words);
    if (!figure) {
        fmt::print(stderr, "semel_chains_bench: {}\n", figure.error().message());
        return 1;
    }
    fmt::print(
        R"({{"count":{},"seconds":{:.6f},"cpuSeconds":{:.6f},"p50Ms":{:.3f},"p99Ms":{:.3f}}})"
        "\n",
        figure->count, figure->seconds, figure->cpu_seconds, figure->p50_ms, figure->p99_ms);
    return 0;
}

}  // namespace
}  // namespace semel::loads

int main(int argc, char** argv) {
    return semel::loads::run({argv + 1, argv + argc});
}
