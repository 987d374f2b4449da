// One measure of fences, as a line of JSON; bench/fences.py runs them.
//
//   semel_fences_bench pairs STORE SECONDS CALLERS     keys claimed and sealed
//   semel_fences_bench replays STORE SECONDS CALLERS   receipts of sealed keys
//   semel_fences_bench fill STORE FROM TO              seals the keys behind FROM, up to TO
//   semel_fences_bench measure STORE KEYS SECONDS      on a store that was filled to KEYS
//
// `measure` tells start-up and receipts of any key when nothing of the file is in the cache; then,
// when all of it is, receipts of recent keys and of any, and pairs; and memory.
// Filling is another process than measuring, so that the memory measured is not the filler's.
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "loads/fence_load.hpp"
#include "loads/machine.hpp"

namespace semel::loads {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kUsage =
    "semel_fences_bench pairs|replays STORE SECONDS CALLERS | fill STORE FROM TO | measure STORE "
    "KEYS SECONDS";
constexpr int kGrowthCallers = 512;       // as in bench/growth_bench.cpp
constexpr std::int64_t kRecent = 1000;    // keys that are asked for again
constexpr const char* kWarmUp = "warm-";  // keys of their own

const Watch kGoOn = [](double) { return true; };

Millis seconds_of(const std::string& word) {
    return Millis(static_cast<std::int64_t>(std::atof(word.c_str()) * 1000));
}

std::string figure_json(const Figure& figure) {
    return fmt::format(
        R"({{"count":{},"seconds":{:.6f},"cpuSeconds":{:.6f},"p50Ms":{:.3f},"p99Ms":{:.3f}}})",
        figure.count, figure.seconds, figure.cpu_seconds, figure.p50_ms, figure.p99_ms);
}

Result<std::string> measure_pairs(const std::string& store, const FenceLoad& load) {
    SEMEL_TRY(node, BenchNode::open(store));
    node->start();
    SEMEL_TRY(figure, run_pair_load(*node, load, kGoOn));
    node->stop();
    return figure_json(figure);
}

Result<std::string> measure_replays(const std::string& store, FenceLoad load) {
    SEMEL_TRY(node, BenchNode::open(store));
    node->start();
    SEMEL_CHECK(seal_keys(*node, load, kRecent, kGoOn));
    load.first = kRecent;
    SEMEL_TRY(figure, run_replay_load(*node, {.fences = load, .recent = kRecent}, kGoOn));
    node->stop();
    return figure_json(figure);
}

Result<std::string> fill(const std::string& store, std::int64_t from, std::int64_t to) {
    SEMEL_TRY(node, BenchNode::open(store));
    node->start();
    SEMEL_TRY(figure, seal_keys(*node, {.callers = kGrowthCallers, .first = from}, to, kGoOn));
    node->stop();
    return figure_json(figure);
}

// So that the start is a start after a reboot. What is no file has its own cache.
void drop_from_cache(const std::string& store) {
    const int opened = open(store.c_str(), O_RDONLY | O_CLOEXEC);
    if (opened >= 0) {
        static_cast<void>(posix_fadvise(opened, 0, 0, POSIX_FADV_DONTNEED));
        close(opened);
    }
}

// As after hours of work, where memory has room for the file.
void bring_to_cache(const std::string& store) {
    std::ifstream file(store, std::ios::binary);
    std::vector<char> part(1024 * 1024);
    while (file.read(part.data(), static_cast<std::streamsize>(part.size()))) {
    }
}

Result<std::string> measure(const std::string& store, std::int64_t keys, Millis duration) {
    drop_from_cache(store);
    const auto began = Clock::now();
    SEMEL_TRY(node, BenchNode::open(store));
    node->start();
    FenceLoad load{.callers = kGrowthCallers, .first = keys, .duration = duration};
    FenceLoad warm = load;
    warm.run = kWarmUp + std::to_string(keys) + "-";
    warm.first = 0;
    SEMEL_CHECK(seal_keys(*node, warm, 1, kGoOn));
    const double start_ms = std::chrono::duration<double, std::milli>(Clock::now() - began).count();
    SEMEL_TRY(cold, run_replay_load(*node, {.fences = load, .recent = keys}, kGoOn));
    // What it told is not in memory any more.
    node->stop();
    node.reset();
    bring_to_cache(store);
    SEMEL_TRY(again, BenchNode::open(store));
    node = std::move(again);
    node->start();
    SEMEL_TRY(recent, run_replay_load(*node, {.fences = load, .recent = kRecent}, kGoOn));
    SEMEL_TRY(any, run_replay_load(*node, {.fences = load, .recent = keys}, kGoOn));
    FenceLoad fresh = warm;
    fresh.first = 1;
    SEMEL_TRY(pairs, run_pair_load(*node, fresh, kGoOn));
    const std::int64_t memory = memory_bytes();
    node->stop();
    return fmt::format(
        R"({{"startMs":{:.0f},"memoryBytes":{},"peakBytes":{},"pairs":{},"recent":{},"any":{},"cold":{}}})",
        start_ms, memory, peak_memory_bytes(), figure_json(pairs), figure_json(recent),
        figure_json(any), figure_json(cold));
}

Result<std::string> answer(const std::vector<std::string>& words) {
    if (words.size() != 4) {
        return Error(ErrorCode::invalid, kUsage);
    }
    const FenceLoad load{.callers = std::atoi(words[3].c_str()), .duration = seconds_of(words[2])};
    if (words[0] == "pairs") return measure_pairs(words[1], load);
    if (words[0] == "replays") return measure_replays(words[1], load);
    const std::int64_t number = std::atoll(words[2].c_str());
    if (words[0] == "fill") return fill(words[1], number, std::atoll(words[3].c_str()));
    if (words[0] == "measure") return measure(words[1], number, seconds_of(words[3]));
    return Error(ErrorCode::invalid, kUsage);
}

int run(const std::vector<std::string>& words) {
    const auto said = answer(words);
    if (!said) {
        fmt::print(stderr, "semel_fences_bench: {}\n", said.error().message());
        return 1;
    }
    fmt::print("{}\n", *said);
    return 0;
}

}  // namespace
}  // namespace semel::loads

int main(int argc, char** argv) {
    return semel::loads::run({argv + 1, argv + argc});
}
