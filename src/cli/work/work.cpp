// semel work: runs any program as a worker.
#include <algorithm>
#include <limits>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/api_client.hpp"
#include "cli/signals.hpp"
#include "cli/whole_number.hpp"
#include "cli/work/worker.hpp"
#include "config/config.hpp"
#include "config/durations.hpp"
#include "core/json/json_writer.hpp"
#include "core/limits.hpp"

namespace semel::cli {

namespace {

struct WorkOptions {
    CommonOptions common;
    WorkerOptions worker;
    std::string lease = "15s";
    std::string grace = "10s";
    std::string kill_grace = "5s";
    std::string claim_wait = "5s";
    bool once = false;
    std::optional<int> jobs_max;
    Millis grace_time{0};
};

std::string default_name() {
    std::string host(256, '\0');
    if (::gethostname(host.data(), host.size() - 1) != 0) {
        host = "worker";
    }
    host.resize(std::min(host.find('\0'), host.size()));
    return host + "-" + std::to_string(::getpid());
}

Result<void> check(WorkOptions& options) {
    const std::pair<const char*, std::pair<const std::string*, Millis*>> durations[] = {
        {"--lease", {&options.lease, &options.worker.lease}},
        {"--grace", {&options.grace, &options.grace_time}},
        {"--kill-grace", {&options.kill_grace, &options.worker.kill_grace}},
        {"--claim-wait", {&options.claim_wait, &options.worker.claim_wait}}};
    for (const auto& [name, target] : durations) {
        const auto duration = parse_duration(*target.first);
        if (!duration) {
            return duration.error().prefixed(name);
        }
        *target.second = *duration;
    }
    if (options.worker.lease < kLeaseMin || options.worker.lease > kLeaseMax) {
        return Error(ErrorCode::invalid, "--lease must be from 100ms to 24h");
    }
    if (options.worker.claim_wait > kWaitMax) {
        return Error(ErrorCode::invalid, "--claim-wait must be at most 60s");
    }
    options.worker.jobs_max = options.once ? std::optional(1) : options.jobs_max;
    if (options.worker.name.empty()) {
        options.worker.name = default_name();
    }
    return {};
}

// Returns the variables with which the program can call the API: the same server and tenant by
// default.
std::vector<std::string> child_environment(const ConnectionOptions& to) {
    std::vector<std::string> entries = current_environment();
    const auto set = [&entries](const std::string& name, const std::string& value) {
        std::erase_if(entries, [&](const auto& entry) { return entry.starts_with(name + "="); });
        if (!value.empty()) {
            entries.push_back(name + "=" + value);
        }
    };
    set("SEMEL_URL", to.store.empty() ? to.url : "");
    set("SEMEL_TENANT", to.tenant);
    for (const char* name :
         {"SEMEL_JOB_ID", "SEMEL_JOB_TYPE", "SEMEL_ATTEMPT", "SEMEL_JOB_TOKEN"}) {
        set(name, "");
    }
    return entries;
}

const char* word_for(JobEnd end) {
    switch (end) {
        case JobEnd::completed: return "completed";
        case JobEnd::failed: return "failed";
        case JobEnd::released: return "released";
        case JobEnd::lost: return "lost";
        case JobEnd::unreported: return "unreported";
    }
    return "";
}

WorkerEvents events_for(Console& console, bool as_json) {
    WorkerEvents events;
    const auto print = [&console, as_json](const ClaimedJob& job, const char* event,
                                           std::optional<Millis> took) {
        if (as_json) {
            JsonWriter line;
            line.begin_object().member("event", event).member("id", job.id);
            line.member("type", job.type).member("attempt", job.attempt);
            if (took) {
                line.member("durationMs", took->count());
            }
            console.out() << line.end_object().take() << "\n";
        } else {
            console.out() << console.status(event, 10) << "  " << job.id << "  "
                          << printable(job.type) << "  attempt " << job.attempt
                          << (took ? fmt::format("  {} ms", took->count()) : "") << "\n";
        }
        console.out().flush();
    };
    events.started = [print](const ClaimedJob& job) { print(job, "started", std::nullopt); };
    events.ended = [print](const ClaimedJob& job, JobEnd end, Millis took) {
        print(job, word_for(end), took);
    };
    events.said = [&console](const std::string& message) { console.complain(message); };
    return events;
}

// The first signal ends the claims. The second one, or the end of the grace, ends running programs.
void run_until_finished(Worker& worker, Signals& signals, Console& console, Millis grace) {
    if (!signals.wait_or(worker.finished_fd())) {
        return;
    }
    console.complain("stopping: no further jobs; what runs has " + format_duration(grace) +
                     " to end (a second signal does not wait)");
    worker.stop_claiming();
    static_cast<void>(signals.wait_or(worker.finished_fd(), grace));
    worker.release_all();
    while (signals.wait_or(worker.finished_fd())) {
        console.complain("stopping: giving jobs back");
    }
}

int work(Session& session, WorkOptions& options) {
    Console& console = session.console;
    if (const auto checked = check(options); !checked) {
        console.complain(checked.error().message());
        return kUsage;
    }
    Signals signals;  // before the first thread
    auto callers = CallerFactory::open(options.common.connection);
    if (!callers) {
        console.complain(callers.error().message());
        return exit_code_of(callers.error());
    }
    options.worker.environment = child_environment(options.common.connection);
    Worker worker(options.worker, *callers, events_for(console, options.common.as_json));
    if (!options.common.as_json) {
        console.complain(fmt::format("worker {}: up to {} at once, from {}", options.worker.name,
                                     options.worker.concurrency, callers->where()));
    }
    worker.start();
    run_until_finished(worker, signals, console, options.grace_time);
    if (const std::string refusal = worker.refusal(); !refusal.empty()) {
        console.complain(refusal);
        return exit_code_of(worker.refusal_status());
    }
    return kOk;
}

}  // namespace

void add_work(CLI::App& root, Session& session) {
    CLI::App* command = root.add_subcommand("work", "Let a program do the work of some types");
    command->footer(
        "\nThe program gets the job as JSON on its input and SEMEL_JOB_ID, SEMEL_JOB_TYPE,\n"
        "SEMEL_ATTEMPT and SEMEL_JOB_TOKEN in its environment. Exit status 0 completes the job "
        "(its\n"
        "output, if it is JSON, is the job's output), 100 fails it for good, anything else fails\n"
        "the attempt, with the end of its standard error as the reason.\n"
        "\nExamples:\n"
        "  semel work --type email:send --exec ./send-mail.sh\n"
        "  semel work --type report:build --exec 'python3 report.py' --concurrency 4 --lease "
        "60s\n");
    auto options = std::make_shared<WorkOptions>();
    WorkerOptions& worker = options->worker;
    command->add_option("--type", worker.types, "A type it does (repeatable)")
        ->required()
        ->type_name("TYPE")
        ->allow_extra_args(false);
    command->add_option("--exec", worker.command, "The program, for /bin/sh -c")
        ->required()
        ->type_name("CMD");
    command->add_option("--concurrency", worker.concurrency, "How many at once")
        ->type_name("N")
        ->check(whole_number(1, 256))
        ->capture_default_str();
    command->add_option("--lease", options->lease, "How long a job is ours without a heartbeat")
        ->type_name("TIME")
        ->capture_default_str();
    command->add_option("--worker", worker.name, "The name that the history shows (host-pid)")
        ->type_name("NAME");
    auto* once = command->add_flag("--once", options->once, "One job, then end");
    command->add_option("--max-jobs", options->jobs_max, "So many jobs, then end")
        ->type_name("N")
        ->check(whole_number(1, std::numeric_limits<int>::max()))
        ->excludes(once);
    command->add_option("--grace", options->grace, "What running jobs have after SIGTERM")
        ->type_name("TIME")
        ->capture_default_str();
    command->add_option("--kill-grace", options->kill_grace, "From SIGTERM to SIGKILL")->group("");
    command->add_option("--claim-wait", options->claim_wait, "Of one long poll")->group("");
    add_common_options(*command, options->common);
    command->callback([&session, options] {
        session.run = [&session, options] { return work(session, *options); };
    });
}

}  // namespace semel::cli
