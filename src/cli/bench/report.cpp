#include "cli/bench/report.hpp"

#include <cmath>

#include <fmt/format.h>

#include "cli/version.hpp"
#include "config/durations.hpp"
#include "core/json/json_writer.hpp"

namespace semel::cli {

namespace {

constexpr double kMegabyte = 1'000'000.0;

std::string millis(double ms) {
    return ms > 0 ? fmt::format("{:.2f} ms", ms) : "-";
}

std::vector<std::string> row(const std::string& name, const loads::Figure& figure, bool has_rate) {
    return {name,
            has_rate ? fmt::format("{:.0f}/s", figure.per_second()) : "-",
            millis(figure.p50_ms),
            millis(figure.p99_ms),
            millis(figure.p999_ms),
            fmt::format("{:.1f}", figure.commit_batch),
            has_rate ? fmt::format("{:.2f} s", figure.cpu_seconds_per_10000()) : "-"};
}

std::string disk_line(const BenchReport& report) {
    if (!report.disk) {
        return "not measured: " + report.disk.error().message();
    }
    const loads::Disk& disk = *report.disk;
    return fmt::format("{}; writing a page and syncing it takes {:.3f} ms, p99 {:.3f} ms{}",
                       disk.file_system, disk.sync_p50_ms, disk.sync_p99_ms,
                       disk.is_memory ? ". This is memory: a disk is slower" : "");
}

// Rounds to three decimals, which is more than the precision of these numbers.
double rounded(double value) {
    return std::round(value * 1000) / 1000;
}

void write_figure(JsonWriter& json, const loads::Figure& figure) {
    json.member("count", figure.count);
    json.member("seconds", rounded(figure.seconds));
    json.member("perSecond", rounded(figure.per_second()));
    json.member("commitBatch", rounded(figure.commit_batch));
    json.member("cpuSecondsPer10000", rounded(figure.cpu_seconds_per_10000()));
}

void write_times(JsonWriter& json, const loads::Figure& figure) {
    json.member("p50Ms", rounded(figure.p50_ms)).member("p99Ms", rounded(figure.p99_ms));
    json.member("p999Ms", rounded(figure.p999_ms));
}

void write_surroundings(JsonWriter& json, const BenchReport& report) {
    json.begin_object("machine").member("cores", std::int64_t{report.machine.cores});
    json.member("kernel", report.machine.kernel).end_object();
    json.begin_object("store").member("kind", report.store.kind);
    json.member("location", report.store.location).member("durability", report.store.durability);
    json.member("durable", report.store.is_durable).member("temporary", report.is_temporary);
    json.end_object();
    if (!report.disk) {
        json.member_null("disk");
        return;
    }
    json.begin_object("disk").member("fileSystem", report.disk->file_system);
    json.member("syncP50Ms", rounded(report.disk->sync_p50_ms));
    json.member("syncP99Ms", rounded(report.disk->sync_p99_ms));
    json.member("memory", report.disk->is_memory).end_object();
}

}  // namespace

void print_report(Console& console, const BenchOptions& options, const BenchReport& report) {
    auto& out = console.out();
    out << "semel " << kVersion << ", " << report.machine.cores << " cores, "
        << printable(report.machine.kernel) << "\n"
        << "store   " << (report.is_temporary ? "temporary, " : "")
        << printable(report.store.location) << " (" << report.store.kind
        << "): " << report.store.durability << "\n"
        << "disk    " << printable(disk_line(report)) << "\n"
        << "load    " << options.callers << " callers at once, "
        << format_duration(options.duration) << " a measure, " << options.jobs
        << " jobs to drain; load and engine in one process\n\n";
    Table table({"MEASURE", "RATE", "P50", "P99", "P99.9", "PER COMMIT", "CPU PER 10000"});
    for (const ScheduleFigure& schedule : report.schedule) {
        table.add(row(fmt::format("schedule, {} % duplicates", schedule.duplicates),
                      schedule.figure, true));
    }
    table.add(row("drain of no-op jobs", report.drain, true));
    table.add(row("schedule to start, idle", report.latency, false));
    table.print(console);
    out << fmt::format("\npeak memory {:.0f} MB\n",
                       static_cast<double>(report.peak_memory_bytes) / kMegabyte);
    if (!report.is_temporary) {
        out << "left    " << report.left << " finished actions of the tenant " << kBenchTenant
            << " and their keys in the store, until retention removes them\n";
    }
}

std::string report_json(const BenchOptions& options, const BenchReport& report) {
    JsonWriter json;
    json.begin_object().member("version", kVersion);
    write_surroundings(json, report);
    json.member("callers", std::int64_t{options.callers});
    json.member("durationMs", options.duration.count());
    json.begin_array("schedule");
    for (const ScheduleFigure& schedule : report.schedule) {
        json.begin_object().member("duplicatesPercent", std::int64_t{schedule.duplicates});
        json.member("new", schedule.figure.fresh);
        write_figure(json, schedule.figure);
        write_times(json, schedule.figure);
        json.end_object();
    }
    json.end_array();
    json.begin_object("drain");
    write_figure(json, report.drain);
    json.end_object();
    json.begin_object("scheduleToStart").member("count", report.latency.count);
    write_times(json, report.latency);
    json.end_object();
    json.member("peakMemoryBytes", report.peak_memory_bytes);
    json.member("leftActions", report.is_temporary ? std::int64_t{0} : report.left);
    return json.end_object().take();
}

}  // namespace semel::cli
