// semel_sim and semel_sim_bugged: run seeds of the simulator. sim/README.md says what that is.
#include <charconv>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "sim/bugs/mutation.hpp"
#include "sim/shrink.hpp"
#include "sim/simulation.hpp"

namespace semel::sim {
namespace {

constexpr int kExitHeld = 0;
constexpr int kExitBroken = 1;
constexpr int kExitUsage = 2;
constexpr int kExitNeverTaken = 3;  // a rare path that no seed took
constexpr std::uint64_t kProgressEvery = 1'000;

constexpr std::string_view kUsage =
    "semel_sim --seed N [--trace] [--shrink]      one seed, with its trace, or made smaller\n"
    "semel_sim --seeds FROM..TO                   many seeds; stops at the first that fails\n"
    "          --sometimes                        … and each rare path must have been taken\n"
    "          --mutation NAME                    … with a planted bug; for semel_sim_bugged\n"
    "semel_sim --list-mutations\n"
    "\n"
    "Seeds from 1000001 on are about the gateway alone, the others about all the rest.\n"
    "Exit codes: 0 every invariant held; 1 one broke; 2 wrong usage; 3 a rare path was never "
    "taken.\n";

struct Options {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    bool trace = false;
    bool shrink = false;
    bool sometimes = false;
    bool list_mutations = false;
    bool has_seeds = false;
};

bool read_number(std::string_view text, std::uint64_t& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

bool read_range(std::string_view text, Options& options) {
    const auto dots = text.find("..");
    options.has_seeds =
        dots != std::string_view::npos && read_number(text.substr(0, dots), options.first) &&
        read_number(text.substr(dots + 2), options.last) && options.first <= options.last;
    return options.has_seeds;
}

// False if this program has no planted bug of that name.
bool switch_on([[maybe_unused]] std::string_view name) {
#ifdef SEMEL_BUGGED
    return plant(name);
#else
    return false;
#endif
}

std::optional<Options> read_options(const std::vector<std::string_view>& words) {
    Options options;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        const std::string_view value = i + 1 < words.size() ? words[i + 1] : std::string_view();
        bool is_known = true;
        if (word == "--trace") {
            options.trace = true;
        } else if (word == "--shrink") {
            options.shrink = true;
        } else if (word == "--sometimes") {
            options.sometimes = true;
        } else if (word == "--list-mutations") {
            options.list_mutations = true;
        } else if (word == "--seed") {
            options.has_seeds = is_known = read_number(value, options.first);
            options.last = options.first;
            ++i;
        } else if (word == "--seeds") {
            is_known = read_range(value, options);
            ++i;
        } else if (word == "--mutation") {
            is_known = switch_on(value);
            ++i;
        } else {
            is_known = false;
        }
        if (!is_known) {
            fmt::print(stderr, "semel_sim: cannot use `{}` {}\n\n", word, value);
            return std::nullopt;
        }
    }
    if (options.has_seeds == options.list_mutations) {
        return std::nullopt;
    }
    return options;
}

void report(const Plan& plan, const RunResult& result) {
    fmt::print("\n{}", to_text(plan));
    fmt::print("the trace before it:\n");
    for (const std::string& line : result.recent) fmt::print("{}\n", line);
    fmt::print("\nseed {} broke {}\n  {}\n", plan.seed, name_of(result.violation->invariant),
               result.violation->message);
}

int fail(const Options& options, const Plan& plan, const RunResult& result) {
    if (!options.shrink) {
        report(plan, result);
        fmt::print("again: semel_sim --seed {} --trace, or --shrink\n", plan.seed);
        return kExitBroken;
    }
    const Plan smaller = shrink(plan, result.violation->invariant);
    report(smaller, run(smaller, options.trace));
    return kExitBroken;
}

int report_sometimes(const SometimesCounts& counts, const Options& options) {
    int never = 0;
    for (std::size_t i = 0; i < std::size(kSometimes); ++i) {
        const bool is_of_gateway = i >= kFirstPassPath;
        if (is_of_gateway ? options.last < kFirstPassSeed : options.first >= kFirstPassSeed) {
            continue;
        }
        fmt::print("{:>10} {}{}\n", counts.of(i), kSometimes[i],
                   counts.of(i) == 0 ? "   NEVER" : "");
        never += counts.of(i) == 0 ? 1 : 0;
    }
    return never == 0 ? kExitHeld : kExitNeverTaken;
}

int run_seeds(const Options& options) {
    const auto began = std::chrono::steady_clock::now();
    SometimesCounts sometimes;
    std::uint64_t hash = 0;
    for (std::uint64_t seed = options.first; seed <= options.last; ++seed) {
        const Plan plan = make_plan(seed);
        const RunResult result = run(plan, options.trace && !options.shrink);
        sometimes.add(result.sometimes);
        hash = hash * 31 + result.hash;
        if (result.violation) {
            return fail(options, plan, result);
        }
        const std::uint64_t done = seed - options.first + 1;
        if (done % kProgressEvery == 0) {
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
            fmt::print(stderr, "{} seeds, {:.1f} ms each\n", done,
                       took.count() * 1000 / static_cast<double>(done));
        }
    }
    fmt::print("seeds {}..{}: every invariant held; hash {:016x}\n", options.first, options.last,
               hash);
    return options.sometimes ? report_sometimes(sometimes, options) : kExitHeld;
}

int list_mutations() {
    for (const PlantedBug& bug : kPlantedBugs) fmt::print("{:<30} {}\n", bug.name, bug.what);
    return kExitHeld;
}

int main(const std::vector<std::string_view>& words) {
    const auto options = read_options(words);
    if (!options) {
        fmt::print(stderr, "{}", kUsage);
        return kExitUsage;
    }
    return options->list_mutations ? list_mutations() : run_seeds(*options);
}

}  // namespace
}  // namespace semel::sim

int main(int argc, char** argv) {
    return semel::sim::main({argv + 1, argv + argc});
}
