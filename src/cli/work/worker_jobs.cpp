// The part of the worker that handles one job: it runs the program and reports the result.
#include <fmt/format.h>

#include "cli/work/worker.hpp"
#include "core/json/json.hpp"
#include "core/json/json_writer.hpp"

namespace semel::cli {

namespace {

// The API's limit of 1 MiB for a body, minus 1 KiB for the rest of the body.
constexpr std::size_t kOutputBytesMax = (1024 - 1) * 1024;
constexpr std::size_t kErrorTailBytes = 4 * 1024;
// One level less than a request's body can have, because the body encloses the output.
constexpr std::size_t kOutputDepthMax = json::Limits().depth_max - 1;
constexpr int kFailForGood = 100;  // the exit status that asks for no retry

std::string error_of(const ChildOutcome& outcome) {
    std::string_view tail = outcome.error_tail;
    tail.remove_suffix(tail.size() - (tail.find_last_not_of(" \r\n\t") + 1));
    if (!tail.empty()) {
        return std::string(tail);
    }
    return outcome.signal != 0 ? fmt::format("killed by signal {}", outcome.signal)
                               : fmt::format("exit status {}", outcome.exit_status);
}

}  // namespace

void Worker::run_job(Held& held, JobsApi& api) {
    {
        const std::lock_guard lock(events_mutex_);
        events_.started(held.job);
    }
    const auto began = std::chrono::steady_clock::now();
    const auto outcome = run_child(child_options(held.job), held.stop);
    const JobEnd end = outcome ? report(held, *outcome, api)
                               : fail_job(held, api, outcome.error().message(), false);
    const auto took = std::chrono::duration_cast<Millis>(std::chrono::steady_clock::now() - began);
    const std::lock_guard lock(events_mutex_);
    events_.ended(held.job, end, took);
}

ChildOptions Worker::child_options(const ClaimedJob& job) const {
    ChildOptions options;
    options.command = options_.command;
    options.kill_grace = options_.kill_grace;
    options.output_bytes_max = kOutputBytesMax;
    options.error_bytes_max = kErrorTailBytes;
    options.environment = options_.environment;
    options.environment.push_back("SEMEL_JOB_ID=" + job.id);
    options.environment.push_back("SEMEL_JOB_TYPE=" + job.type);
    options.environment.push_back("SEMEL_ATTEMPT=" + std::to_string(job.attempt));
    options.environment.push_back("SEMEL_JOB_TOKEN=" + std::to_string(job.token));
    JsonWriter input(job.input.size() + 256);
    input.begin_object().member("id", job.id).member("type", job.type);
    input.member("tenant", job.tenant).member_raw("input", job.input);
    input.member("attempt", job.attempt).member("token", job.token);
    input.member("chainId", job.chain_id).member("chainIndex", job.chain_index);
    input.member_raw("blockers", job.blockers).end_object();
    options.input = input.take() + "\n";
    return options;
}

// Repeats a call until it is answered, the job is lost, or the worker must stop.
CallOutcome Worker::call_until_answered(Held& held, const std::function<CallOutcome()>& call) {
    Backoff backoff;
    for (;;) {
        {
            const std::lock_guard lock(mutex_);
            if (held.is_lost) return {CallEnd::lost, ""};
        }
        CallOutcome outcome = call();
        if (outcome.end != CallEnd::unreachable || pause(backoff.next(), releasing_)) {
            return outcome;
        }
    }
}

JobEnd Worker::fail_job(Held& held, JobsApi& api, const std::string& error, bool final) {
    const CallOutcome failed =
        call_until_answered(held, [&] { return api.fail(held.job, error, final); });
    switch (failed.end) {
        case CallEnd::accepted: return JobEnd::failed;
        case CallEnd::lost: return JobEnd::lost;
        case CallEnd::refused:
        case CallEnd::unreachable: break;
    }
    say("job " + held.job.id + ": its failure could not be reported: " + failed.message);
    return JobEnd::unreported;
}

// Returns the output of the program if it can be the job's output.
std::optional<std::string> Worker::output_of(const ClaimedJob& job, const ChildOutcome& outcome) {
    constexpr const char* kElsewhere =
        "The job is completed, without an output: write large results elsewhere and print where "
        "they are";
    if (outcome.is_output_cut) {
        say(fmt::format("job {}: the program wrote more than {} KiB to its standard output. {}",
                        job.id, kOutputBytesMax / 1024, kElsewhere));
        return std::nullopt;
    }
    const auto parsed = json::Document::parse(outcome.output, {.depth_max = kOutputDepthMax});
    if (parsed) {
        return std::string(parsed->root().raw());
    }
    if (parsed.error().code == json::ParseErrorCode::too_deep) {
        say(fmt::format("job {}: the program wrote JSON of more than {} levels. {}", job.id,
                        kOutputDepthMax, kElsewhere));
    }
    return std::nullopt;
}

JobEnd Worker::report(Held& held, const ChildOutcome& outcome, JobsApi& api) {
    // A program that succeeded after it was asked to stop has completed its job.
    if (outcome.was_stopped && !outcome.has_succeeded()) {
        const CallOutcome released =
            call_until_answered(held, [&] { return api.release(held.job); });
        return released.end == CallEnd::accepted ? JobEnd::released : JobEnd::lost;
    }
    if (!outcome.has_succeeded()) {
        return fail_job(held, api, error_of(outcome),
                        outcome.signal == 0 && outcome.exit_status == kFailForGood);
    }
    const CallOutcome completed = call_until_answered(
        held,
        [&, output = output_of(held.job, outcome)] { return api.complete(held.job, output); });
    switch (completed.end) {
        case CallEnd::accepted: return JobEnd::completed;
        case CallEnd::lost: return JobEnd::lost;
        case CallEnd::refused:
            return fail_job(held, api, "its result was refused: " + completed.message, false);
        case CallEnd::unreachable: break;
    }
    say("job " + held.job.id + ": its completion could not be reported: " + completed.message);
    return JobEnd::unreported;
}

}  // namespace semel::cli
