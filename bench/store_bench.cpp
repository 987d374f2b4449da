// How many decisions a second the SQLite store carries: load, decide, save and commit, in batches,
// without engine or HTTP around them.
//
//   semel_store_bench [DATABASE FILE] [SECONDS PER PART] [BATCHES PER PART, AT MOST]
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "core/keys/dedup_key.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "support/store_driver.hpp"

namespace semel {
namespace {

constexpr int kBatch = 256;
constexpr int kRecentKeys = 10'000;  // duplicates are of recent keys
const std::string kTenant = "default";

std::string payload_of(std::uint64_t number) {
    return fmt::format(R"({{"entityType":"order","entityId":"{}","note":"{:064}"}})", number,
                       number);
}

ActionRequest request_for(std::uint64_t number) {
    ActionRequest request;
    request.type = "noop";
    request.payload = payload_of(number);
    Deduplication wanted;
    const Key key = make_key(kTenant, "actions", {"noop", "order", std::to_string(number)});
    wanted.claim = key.claim;
    wanted.full_key = key.full_key;
    wanted.window = std::chrono::hours(1);
    request.deduplication = wanted;
    return request;
}

class Bench {
public:
    Bench(Store& store, double seconds, int batches)
        : driver_(store), seconds_(seconds), batches_(batches) {}

    void schedule(int percent_duplicates) {
        measure(fmt::format("schedule, {} % duplicates", percent_duplicates), [&] {
            ScheduleActions command{kTenant, {}};
            for (int i = 0; i < kBatch; ++i) {
                const bool again = static_cast<int>(random_() % 100) < percent_duplicates;
                const std::uint64_t recent = std::min<std::uint64_t>(keys_, kRecentKeys);
                const auto number = again && recent > 0 ? keys_ - random_() % recent - 1 : keys_++;
                command.items.emplace_back(request_for(number));
            }
            (void)driver_.run(command);
            return kBatch;
        });
    }

    void drain() {
        measure("drain: take and complete", [&] {
            TakeJobs take{ReadyQuery{.tenant = {}, .types = {"noop"}, .limit = kBatch}, "bench",
                          std::chrono::seconds(15)};
            const auto [reply] = driver_.run(take);
            SettleJobs settle{kTenant, {}};
            for (const TakenJob& taken : std::get<TakeJobs::Outcome>(reply)) {
                settle.calls.emplace_back(JobCall{.id = taken.job.id, .token = taken.job.token});
            }
            (void)driver_.run(settle);
            return static_cast<int>(settle.calls.size());
        });
    }

private:
    // Of all threads of this process. On a machine that others use it says more than the clock.
    static double cpu_seconds() {
        timespec time{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
    }

    void measure(const std::string& name, const std::function<int()>& batch) {
        using Clock = std::chrono::steady_clock;
        const auto begin = Clock::now();
        const double cpu_begin = cpu_seconds();
        std::chrono::duration<double> elapsed{0};
        std::chrono::duration<double> worst{0};
        std::int64_t count = 0;
        for (int i = 0; i < batches_ && elapsed.count() < seconds_; ++i) {
            const auto batch_begin = Clock::now();
            const int done = batch();
            const auto now = Clock::now();
            worst = std::max<std::chrono::duration<double>>(worst, now - batch_begin);
            elapsed = now - begin;
            count += done;
            if (done == 0) break;
        }
        fmt::print(
            "{:28} {:8.0f}/s   {:5.1f} us CPU each   {} in {:.1f} s, slowest batch {:.1f} ms\n",
            name, static_cast<double>(count) / elapsed.count(),
            (cpu_seconds() - cpu_begin) * 1e6 / static_cast<double>(count), count, elapsed.count(),
            worst.count() * 1000);
    }

    test::StoreDriver driver_;
    const double seconds_;
    const int batches_;
    std::mt19937_64 random_{1};
    std::uint64_t keys_ = 0;
};

int run(const std::string& path, double seconds, int batches) {
    for (const char* suffix : {"", "-wal", "-shm", ".lock"}) {
        std::filesystem::remove(path + suffix);
    }
    SqliteOptions options;
    options.path = path;
    auto store = open_sqlite_store(options);
    if (!store) {
        fmt::print(stderr, "{}\n", store.error().message());
        return 1;
    }
    Bench bench(**store, seconds, batches);
    bench.schedule(0);
    bench.schedule(50);
    bench.schedule(99);
    bench.drain();
    return 0;
}

}  // namespace
}  // namespace semel

int main(int argc, char** argv) {
    const std::string path = argc > 1 ? argv[1] : "store_bench.db";
    const double seconds = argc > 2 ? std::atof(argv[2]) : 3.0;
    return semel::run(path, seconds,
                      argc > 3 ? std::atoi(argv[3]) : std::numeric_limits<int>::max());
}
