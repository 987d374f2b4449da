// What a store does once it holds many keys.
//
//   semel_growth_bench fill FILE KEYS              schedules until there are KEYS of them
//   semel_growth_bench measure FILE KEYS SECONDS   a line: keys, decisions/s, CPU us each, p99 ms,
//                                                  start-up ms, memory and file in bytes
//
// Two programs' worth of work in two processes, so that the memory measured is not the filler's.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "loads/machine.hpp"
#include "loads/schedule_load.hpp"

namespace semel::loads {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kFillers = 4;  // what they ask for together is one commit
constexpr std::int64_t kBatch = 1000;
constexpr int kCallers = 512;  // as in the other lines of bench/run.sh
constexpr Millis kWarmUp = std::chrono::seconds(2);

[[noreturn]] void give_up(const std::string& why) {
    fmt::print(stderr, "semel_growth_bench: {}\n", why);
    std::exit(1);
}

template <typename T>
T unwrap(Result<T> result) {
    if (!result) {
        give_up(result.error().message());
    }
    return *std::move(result);
}

double seconds_since(Clock::time_point began) {
    return std::chrono::duration<double>(Clock::now() - began).count();
}

std::int64_t keys_in(BenchNode& node) {
    std::promise<Result<std::vector<JobCount>>> answered;
    auto answer = answered.get_future();
    node.host().store().reads().count_jobs(
        [&answered](auto counts) { answered.set_value(std::move(counts)); });
    std::int64_t keys = 0;
    for (const JobCount& count : unwrap(answer.get())) {
        keys += count.type == kScheduleType ? count.count : 0;
    }
    return keys;
}

void fill_part(BenchNode& node, std::atomic<std::int64_t>& next, std::int64_t keys) {
    const ScheduleLoad load;
    for (std::int64_t first = next.fetch_add(kBatch); first <= keys;
         first = next.fetch_add(kBatch)) {
        std::vector<ActionSpec> actions;
        for (std::int64_t key = first; key < first + kBatch && key <= keys; ++key) {
            actions.push_back(keyed_action(load, key));
        }
        if (const auto done = node.schedule_all(actions); !done) {
            give_up(done.error().message());
        }
    }
}

void fill(const std::string& file, std::int64_t keys) {
    const auto node = unwrap(BenchNode::open(file));
    node->start();
    const std::int64_t before = keys_in(*node);
    std::atomic<std::int64_t> next{before + 1};
    const auto began = Clock::now();
    std::vector<std::thread> fillers;
    for (int i = 0; i < kFillers; ++i) {
        fillers.emplace_back([&] { fill_part(*node, next, keys); });
    }
    for (std::thread& filler : fillers) {
        filler.join();
    }
    const auto added = std::max<std::int64_t>(0, keys - before);
    fmt::print(stderr, "filled to {} keys: {:.0f} s, {:.0f}/s\n", keys, seconds_since(began),
               static_cast<double>(added) / seconds_since(began));
    node->stop();
}

// So that the start is a start after a reboot.
void drop_from_cache(const std::string& file) {
    const int opened = open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (opened < 0 || posix_fadvise(opened, 0, 0, POSIX_FADV_DONTNEED) != 0) {
        give_up(file + " cannot be dropped from the cache");
    }
    close(opened);
}

Figure schedule(BenchNode& node, std::int64_t first, Millis duration) {
    ScheduleLoad load;
    load.callers = kCallers;
    load.duplicates = 50;
    load.first = first;
    load.duration = duration;
    return unwrap(run_schedule_load(node, load, [](double) { return true; }));
}

void measure(const std::string& file, std::int64_t keys, double seconds) {
    drop_from_cache(file);
    const auto began = Clock::now();
    const auto node = unwrap(BenchNode::open(file));
    node->start();
    if (const auto ready = node->schedule_all({keyed_action({}, 1)}); !ready) {
        give_up(ready.error().message());
    }
    const double start_ms = seconds_since(began) * 1000;
    std::int64_t first = keys_in(*node);
    first += schedule(*node, first, kWarmUp).fresh;
    const Figure figure = schedule(*node, first, Millis(static_cast<std::int64_t>(seconds * 1000)));
    const std::int64_t memory = memory_bytes();
    node->stop();
    fmt::print("{} {:.0f} {:.1f} {:.1f} {:.0f} {} {}\n", keys, figure.per_second(),
               figure.cpu_seconds_per_10000() * 100, figure.p99_ms, start_ms, memory,
               std::filesystem::file_size(file));
}

}  // namespace
}  // namespace semel::loads

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() == 3 && words[0] == "fill") {
        semel::loads::fill(words[1], std::atoll(words[2].c_str()));
    } else if (words.size() == 4 && words[0] == "measure") {
        semel::loads::measure(words[1], std::atoll(words[2].c_str()), std::atof(words[3].c_str()));
    } else {
        fmt::print(stderr,
                   "usage: semel_growth_bench fill FILE KEYS\n"
                   "       semel_growth_bench measure FILE KEYS SECONDS\n");
        return 2;
    }
    return 0;
}
