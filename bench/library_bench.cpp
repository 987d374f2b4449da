// The library by itself: decisions per second with deduplication on, drain rate, and how soon a
// handler starts. Prints one line a measure; bench/run.sh makes the table.
//
//   library_bench FOLDER [SECONDS]
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include <semel/semel.hpp>

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kOutstanding = 512;  // callers that wait at once
constexpr int kDrainJobs = 50'000;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

// A counting gate: how many calls may be under way.
class Gate {
public:
    explicit Gate(int room) : room_(room) {}
    void enter() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return room_ > 0; });
        --room_;
    }
    void leave() {
        const std::lock_guard lock(mutex_);
        ++room_;
        changed_.notify_one();
    }
    void wait_for(int room) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return room_ == room; });
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    int room_;
};

std::unique_ptr<semel::Engine> open_engine(const std::string& path) {
    std::filesystem::remove(path);
    std::filesystem::remove(path + "-wal");
    std::filesystem::remove(path + "-shm");
    auto engine = semel::Engine::open({.store = path});
    if (!engine) {
        std::fprintf(stderr, "library_bench: %s\n", engine.error().message().c_str());
        std::exit(1);
    }
    return std::move(*engine);
}

// Every request has a key; `duplicates` percent of them have one that was used just before.
void bench_schedule(const std::string& folder, int duplicates, double seconds) {
    const auto engine = open_engine(folder + "/schedule.db");
    engine->start();
    std::mt19937_64 random(1);
    Gate gate(kOutstanding);
    std::atomic<std::int64_t> answered{0};
    std::atomic<std::int64_t> fresh{0};
    std::int64_t entity = 0;
    const auto begin = Clock::now();
    while (seconds_since(begin) < seconds) {
        const bool repeat = entity > 0 && static_cast<int>(random() % 100) < duplicates;
        const auto back = static_cast<std::int64_t>(random() % 1000);
        const std::int64_t id = repeat ? std::max<std::int64_t>(1, entity - back) : ++entity;
        semel::ActionSpec action;
        action.type = "bench";
        action.payload = R"({"entityId":)" + std::to_string(id) + R"(,"note":"hello"})";
        action.deduplication.window = std::chrono::hours(1);
        gate.enter();
        engine->schedule_async(action, [&](semel::Result<semel::ScheduleAnswer> answer) {
            answered += answer.has_value() ? 1 : 0;
            fresh += answer.has_value() && answer->decision == semel::Decision::new_ ? 1 : 0;
            gate.leave();
        });
    }
    gate.wait_for(kOutstanding);
    const double took = seconds_since(begin);
    std::printf("library schedule, %d %% duplicates: %.0f decisions/s (%.0f %% were new)\n",
                duplicates, static_cast<double>(answered) / took,
                100.0 * static_cast<double>(fresh) / static_cast<double>(answered));
    engine->stop();
}

void bench_drain(const std::string& folder) {
    const std::string path = folder + "/drain.db";
    auto engine = open_engine(path);
    engine->start();
    for (int i = 0; i < kDrainJobs; i += 1000) {
        const std::vector<semel::ActionSpec> batch(1000, semel::ActionSpec{.type = "noop"});
        if (!engine->schedule_all(batch)) {
            std::exit(1);
        }
    }
    engine->stop();
    engine.reset();

    auto opened = semel::Engine::open({.store = path, .concurrency = 256});
    std::mutex mutex;
    std::condition_variable finished;
    int left = kDrainJobs;
    (*opened)->handle("noop", [&](const semel::Work&) {
        const std::lock_guard lock(mutex);
        if (--left == 0) {
            finished.notify_one();
        }
        return semel::done();
    });
    const auto begin = Clock::now();
    (*opened)->start();
    std::unique_lock lock(mutex);
    finished.wait(lock, [&] { return left == 0; });
    lock.unlock();
    (*opened)->stop();
    std::printf("library drain, no-op jobs: %.0f jobs/s\n", kDrainJobs / seconds_since(begin));
}

void bench_latency(const std::string& folder) {
    constexpr int kRounds = 500;
    const auto engine = open_engine(folder + "/latency.db");
    std::mutex mutex;
    std::condition_variable started;
    std::optional<Clock::time_point> at;
    engine->handle("ping", [&](const semel::Work&) {
        const std::lock_guard lock(mutex);
        at = Clock::now();
        started.notify_one();
        return semel::done();
    });
    engine->start();
    std::vector<double> waits;
    for (int i = 0; i < kRounds; ++i) {
        const auto begin = Clock::now();
        if (!engine->schedule({.type = "ping"})) {
            std::exit(1);
        }
        std::unique_lock lock(mutex);
        started.wait(lock, [&] { return at.has_value(); });
        waits.push_back(std::chrono::duration<double, std::milli>(*at - begin).count());
        at.reset();
    }
    std::sort(waits.begin(), waits.end());
    std::printf("library schedule to handler start, idle: p50 %.2f ms, p99 %.2f ms\n",
                waits[kRounds / 2], waits[kRounds * 99 / 100]);
    engine->stop();
}

}  // namespace

int main(int argc, char** argv) {
    const std::string folder = argc > 1 ? argv[1] : ".";
    const double seconds = argc > 2 ? std::stod(argv[2]) : 5.0;
    for (const int duplicates : {0, 50, 99}) {
        bench_schedule(folder, duplicates, seconds);
    }
    bench_drain(folder);
    bench_latency(folder);
}
