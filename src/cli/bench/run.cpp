#include "cli/bench/run.hpp"

#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/temporary_folder.hpp"
#include "loads/drain_load.hpp"
#include "loads/latency_load.hpp"
#include "loads/schedule_load.hpp"
#include "runtime/open_store.hpp"

namespace semel::cli {

namespace {

namespace fs = std::filesystem;

// The store of the measurements: the given one, or a new file for each measurement.
class Place {
public:
    [[nodiscard]] static Result<std::unique_ptr<Place>> make(const std::string& store) {
        std::unique_ptr<Place> place(new Place(store));
        if (!store.empty()) {
            return place;
        }
        auto folder = TemporaryFolder::make("semel-bench-");
        if (!folder) {
            return Error(folder.error().code(),
                         folder.error().message() + "; give a file with --store");
        }
        place->folder_.emplace(*std::move(folder));
        return place;
    }

    // Returns the store of the next measurement. Deletes the files of the one before.
    [[nodiscard]] std::string next_store() {
        if (!folder_) {
            return store_;
        }
        folder_->clear();
        return folder_->path() + "/bench.db";
    }
    [[nodiscard]] bool is_temporary() const { return folder_.has_value(); }
    [[nodiscard]] Result<loads::Disk> probe_disk() const {
        if (store_.find("://") != std::string::npos) {
            return Error(ErrorCode::not_found, "it is the database server's");
        }
        const std::string file = folder_ ? folder_->path() + "/" : store_;
        const std::string folder = fs::path(file).parent_path().string();
        return loads::probe_disk(folder.empty() ? "." : folder);
    }

private:
    explicit Place(std::string store) : store_(std::move(store)) {}

    const std::string store_;
    std::optional<TemporaryFolder> folder_;
};

// Returns a name that separates two runs on one store.
std::string run_name() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::to_string(std::chrono::duration_cast<Millis>(now).count()) + "-";
}

class Run {
public:
    Run(const BenchOptions& options, Place& place, const BenchProgress& progress)
        : options_(options),
          place_(place),
          progress_(progress),
          steps_(static_cast<double>(options.duplicates.size()) + (place.is_temporary() ? 3 : 4)) {}

    Result<BenchReport> all() {
        SEMEL_CHECK(describe());
        for (const int duplicates : options_.duplicates) {
            SEMEL_CHECK(schedule(duplicates));
        }
        SEMEL_CHECK(drain());
        SEMEL_CHECK(latency());
        if (!place_.is_temporary()) {
            SEMEL_CHECK(finish());
        }
        report_.peak_memory_bytes = loads::peak_memory_bytes();
        return std::move(report_);
    }

private:
    Result<void> describe() {
        SEMEL_TRY(store, open_store(place_.next_store()));
        report_.store = store->info();
        report_.is_temporary = place_.is_temporary();
        report_.machine = loads::this_machine();
        report_.disk = place_.probe_disk();
        return {};
    }

    Result<void> schedule(int duplicates) {
        SEMEL_TRY(node, loads::BenchNode::open(place_.next_store()));
        node->start();
        loads::ScheduleLoad load;
        load.tenant = kBenchTenant;
        load.run = run_name();
        load.callers = options_.callers;
        load.duplicates = duplicates;
        load.duration = options_.duration;
        const auto watch = begin(fmt::format("schedule, {} % duplicates", duplicates));
        SEMEL_TRY(figure, loads::run_schedule_load(*node, load, watch));
        node->stop();
        report_.schedule.push_back({duplicates, figure});
        unfinished_ += figure.fresh;
        return end_of_step();
    }

    Result<void> drain() {
        const std::string store = place_.next_store();
        SEMEL_CHECK(loads::make_noop_jobs(store, kBenchTenant, options_.jobs,
                                          begin("making jobs to drain")));
        SEMEL_CHECK(end_of_step());
        const auto watch = begin("drain of no-op jobs");
        SEMEL_TRY(figure, loads::run_drain_load(store, {loads::kNoopType}, options_.jobs, watch));
        report_.drain = figure;
        report_.left += figure.count;
        return end_of_step();
    }

    Result<void> latency() {
        loads::LatencyLoad load;
        load.tenant = kBenchTenant;
        load.duration = options_.duration;
        const auto watch = begin("schedule to start, idle");
        SEMEL_TRY(figure, loads::run_latency_load(place_.next_store(), load, watch));
        report_.latency = figure;
        report_.left += figure.count;
        return end_of_step();
    }

    // Completes the actions that are still due, because the store can be in real use.
    Result<void> finish() {
        const auto watch = begin("finishing what was scheduled");
        SEMEL_TRY(figure, loads::run_drain_load(place_.next_store(), {loads::kScheduleType},
                                                unfinished_, watch));
        report_.left += figure.count;
        return end_of_step();
    }

    loads::Watch begin(std::string measure) {
        return [this, measure = std::move(measure)](double part) {
            is_stopped_ = is_stopped_ || !progress_(measure, (step_ + part) / steps_);
            return !is_stopped_;
        };
    }

    Result<void> end_of_step() {
        ++step_;
        if (is_stopped_) {
            return Error(ErrorCode::stopped, "stopped");
        }
        return {};
    }

    const BenchOptions& options_;
    Place& place_;
    const BenchProgress& progress_;
    const double steps_;
    double step_ = 0;
    bool is_stopped_ = false;
    std::int64_t unfinished_ = 0;  // scheduled actions without a handler
    BenchReport report_;
};

}  // namespace

Result<BenchReport> run_bench(const BenchOptions& options, const BenchProgress& progress) {
    SEMEL_TRY(place, Place::make(options.store));
    return Run(options, *place, progress).all();
}

}  // namespace semel::cli
