// semel bench: measures Semel on this machine.
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "cli/api_client.hpp"
#include "cli/bench/report.hpp"
#include "cli/bench/run.hpp"
#include "cli/progress_bar.hpp"
#include "cli/signals.hpp"
#include "cli/whole_number.hpp"
#include "config/durations.hpp"

namespace semel::cli {

namespace {

constexpr Millis kDurationMin{100};
constexpr Millis kDurationMax = std::chrono::hours(1);
constexpr int kCallersMax = 5000;  // an engine takes 10 000 at once
constexpr int kJobsMax = 10'000'000;

struct Arguments {
    std::string duration = "5s";
    std::optional<int> duplicates;
    BenchOptions options;
    bool as_json = false;
};

Result<BenchOptions> read(const Arguments& arguments) {
    BenchOptions options = arguments.options;
    const auto duration = parse_duration(arguments.duration);
    if (!duration) {
        return duration.error().prefixed("--duration");
    }
    if (*duration < kDurationMin || *duration > kDurationMax) {
        return Error(ErrorCode::invalid, "--duration must be from 100ms to 1h");
    }
    options.duration = *duration;
    if (arguments.duplicates) {
        options.duplicates = {*arguments.duplicates};
    }
    return options;
}

int bench(Session& session, const Arguments& arguments) {
    Console& console = session.console;
    const auto options = read(arguments);
    if (!options) {
        console.complain(options.error().message());
        return kUsage;
    }
    Signals signals;  // before the first thread
    std::optional<int> signal;
    ProgressBar bar(console.err(), !arguments.as_json && isatty(STDERR_FILENO) == 1);
    const auto report = run_bench(*options, [&](std::string_view measure, double part) {
        bar.show(measure, part);
        signal = signals.wait(Millis(0));
        return !signal;
    });
    bar.clear();
    if (signal) {
        console.complain(options->store.empty() ? "stopped; the temporary store is gone"
                                                : "stopped; actions of the tenant semel-bench are "
                                                  "left in the store, some of them pending");
        return 128 + *signal;
    }
    if (!report) {
        console.complain(report.error().message());
        return exit_code_of(report.error());
    }
    if (arguments.as_json) {
        console.out() << report_json(*options, *report) << "\n";
    } else {
        print_report(console, *options, *report);
    }
    return kOk;
}

}  // namespace

void add_bench(CLI::App& root, Session& session) {
    CLI::App* command = root.add_subcommand("bench", "Measure what this machine does with Semel");
    command->allow_extras();
    command->footer(
        "\nWithout --store each measure has a temporary store in TMPDIR. With it the actions are "
        "of\n"
        "the tenant semel-bench; they are finished, and stay until retention removes them.\n"
        "\nExamples:\n"
        "  semel bench\n"
        "  semel bench --store /var/lib/semel/bench.db --duration 10s --callers 512\n"
        "  semel bench --duplicates 50 --json\n");
    auto arguments = std::make_shared<Arguments>();
    BenchOptions& options = arguments->options;
    command->add_option("--store", options.store, "Measure on this store")->type_name("PATH|URL");
    command->add_option("--duration", arguments->duration, "How long a measure takes")
        ->type_name("TIME")
        ->capture_default_str();
    command->add_option("--callers", options.callers, "Calls that are under way at once")
        ->check(whole_number(1, kCallersMax))
        ->type_name("N")
        ->capture_default_str();
    command
        ->add_option("--duplicates", arguments->duplicates,
                     "Percent of calls that repeat a recent key (0, 50 and 99 in turn)")
        ->check(whole_number(0, 100))
        ->type_name("PERCENT");
    command->add_option("--jobs", options.jobs, "Jobs to drain")
        ->check(whole_number(1, kJobsMax))
        ->type_name("N")
        ->capture_default_str();
    command->add_flag("--json", arguments->as_json, "Print JSON");
    command->callback([&session, arguments] {
        session.run = [&session, arguments] { return bench(session, *arguments); };
    });
}

}  // namespace semel::cli
