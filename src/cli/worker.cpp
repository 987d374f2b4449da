#include "cli/worker.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/json.hpp"
#include "core/json_writer.hpp"
#include "core/limits.hpp"

namespace semel::cli {

namespace {

// Of the API's 1 MiB for a body, less what stands around the output.
constexpr std::size_t kOutputBytesMax = (1024 - 1) * 1024;
constexpr std::size_t kErrorTailBytes = 4 * 1024;
constexpr int kFailForGood = 100;  // the exit status that asks for no retry

constexpr Millis kBackoffFirst{100};
constexpr Millis kBackoffMax = std::chrono::seconds(5);

Millis longer(Millis backoff) {
    return std::min(backoff * 2, kBackoffMax);
}

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

struct Worker::Held {
    explicit Held(ClaimedJob claimed) : job(std::move(claimed)) {}

    const ClaimedJob job;
    StopFlag stop;
    bool is_lost = false;  // guarded by the worker's mutex
};

Worker::Worker(WorkerOptions options, CallerFactory callers, WorkerEvents events)
    : options_(std::move(options)), callers_(std::move(callers)), events_(std::move(events)) {}

Worker::~Worker() {
    release_all();
    for (std::thread& thread : threads_) {
        thread.join();
    }
}

void Worker::start() {
    threads_.emplace_back([this] { claim_loop(); });
    threads_.emplace_back([this] { heartbeat_loop(); });
    for (int slot = 0; slot < options_.concurrency; ++slot) {
        threads_.emplace_back([this] { slot_loop(); });
    }
}

void Worker::stop_claiming() {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
}

void Worker::release_all() {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    releasing_ = true;
    for (const auto& [id, held] : held_) {
        held->stop.raise();
    }
    changed_.notify_all();
}

std::string Worker::refusal() const {
    const std::lock_guard lock(mutex_);
    return refusal_;
}

bool Worker::pause(Millis wait, const bool& until) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, wait, [&] { return until; });
}

void Worker::say(const std::string& message) {
    const std::lock_guard lock(events_mutex_);
    events_.said(message);
}

// ---- claiming -------------------------------------------------------------------------------

// How many jobs to ask for; 0 when no more shall be asked for.
int Worker::wait_for_room() {
    std::unique_lock lock(mutex_);
    int room = 0;
    changed_.wait(lock, [&] {
        room = options_.concurrency - static_cast<int>(held_.size());
        return stopping_ || room > 0;
    });
    if (options_.jobs_max) {
        room = std::min(room, *options_.jobs_max - claimed_);
    }
    return stopping_ ? 0 : std::min(room, static_cast<int>(kItemsMax));
}

void Worker::claim_loop() {
    JobsApi api(callers_.make());
    Millis backoff = kBackoffFirst;
    bool is_reachable = true;
    for (int room = wait_for_room(); room > 0; room = wait_for_room()) {
        ClaimCall call;
        call.types = options_.types;
        call.max = room;
        call.worker = options_.name;
        call.lease = options_.lease;
        call.wait = options_.claim_wait;
        std::vector<ClaimedJob> jobs;
        const CallOutcome outcome = api.claim(call, jobs);
        if (outcome.end == CallEnd::unreachable) {
            if (is_reachable) {
                say("cannot reach " + callers_.where() + ", trying again: " + outcome.message);
            }
            is_reachable = false;
            pause(backoff, stopping_);
            backoff = longer(backoff);
            continue;
        }
        if (!is_reachable) {
            say("reached " + callers_.where() + " again");
        }
        is_reachable = true;
        backoff = kBackoffFirst;
        if (!take_in(outcome, std::move(jobs), api)) {
            break;
        }
    }
    std::unique_lock lock(mutex_);
    stopping_ = true;
    changed_.wait(lock, [this] { return held_.empty(); });
    done_ = true;
    changed_.notify_all();
    finished_.raise();
}

// Whether to go on. Jobs that come after the stop go back at once.
bool Worker::take_in(const CallOutcome& outcome, std::vector<ClaimedJob> jobs, JobsApi& api) {
    std::unique_lock lock(mutex_);
    if (outcome.end != CallEnd::accepted) {
        refusal_ = outcome.message;
        return false;
    }
    if (stopping_) {
        lock.unlock();
        for (const ClaimedJob& job : jobs) {
            static_cast<void>(api.release(job));
        }
        return false;
    }
    for (ClaimedJob& job : jobs) {
        auto held = std::make_shared<Held>(std::move(job));
        held_.emplace(held->job.id, held);
        queue_.push_back(std::move(held));
        ++claimed_;
    }
    changed_.notify_all();
    return !options_.jobs_max || claimed_ < *options_.jobs_max;
}

// ---- keeping --------------------------------------------------------------------------------

void Worker::heartbeat_loop() {
    JobsApi api(callers_.make());
    while (!pause(options_.lease / 3, done_)) {
        std::vector<HeldPtr> held;
        {
            const std::lock_guard lock(mutex_);
            for (const auto& [id, one] : held_) {
                if (!one->is_lost) held.push_back(one);
            }
        }
        if (!held.empty()) {
            beat(held, api);
        }
    }
}

void Worker::beat(const std::vector<HeldPtr>& held, JobsApi& api) {
    std::vector<ClaimedJob> jobs;
    for (const HeldPtr& one : held) {
        jobs.push_back(one->job);
    }
    const auto outcomes = api.heartbeat(jobs, options_.lease, options_.lease / 3);
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < held.size(); ++i) {
        if (outcomes[i].end == CallEnd::lost) {
            held[i]->is_lost = true;
            held[i]->stop.raise();
            changed_.notify_all();
        }
    }
}

// ---- running --------------------------------------------------------------------------------

void Worker::slot_loop() {
    JobsApi api(callers_.make());
    for (;;) {
        HeldPtr held;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [this] { return done_ || !queue_.empty(); });
            if (queue_.empty()) return;
            held = queue_.front();
            queue_.pop_front();
        }
        run_job(*held, api);
        const std::lock_guard lock(mutex_);
        held_.erase(held->job.id);
        changed_.notify_all();
    }
}

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
    input.member("attempt", job.attempt).member("token", job.token).end_object();
    options.input = input.take() + "\n";
    return options;
}

// Repeats a call until it is answered. A job that is lost, or a worker that must go, ends it.
CallOutcome Worker::call_until_answered(Held& held, const std::function<CallOutcome()>& call) {
    Millis backoff = kBackoffFirst;
    for (;;) {
        {
            const std::lock_guard lock(mutex_);
            if (held.is_lost) return {CallEnd::lost, ""};
        }
        CallOutcome outcome = call();
        if (outcome.end != CallEnd::unreachable || pause(backoff, releasing_)) {
            return outcome;
        }
        backoff = longer(backoff);
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

JobEnd Worker::report(Held& held, const ChildOutcome& outcome, JobsApi& api) {
    if (outcome.was_stopped) {
        const CallOutcome released =
            call_until_answered(held, [&] { return api.release(held.job); });
        return released.end == CallEnd::accepted ? JobEnd::released : JobEnd::lost;
    }
    if (!outcome.has_succeeded()) {
        return fail_job(held, api, error_of(outcome),
                        outcome.signal == 0 && outcome.exit_status == kFailForGood);
    }
    std::optional<std::string> output;
    if (outcome.is_output_cut) {
        say("job " + held.job.id + ": its output is larger than 1 MiB and is not kept");
    } else if (const auto parsed = json::Document::parse(outcome.output)) {
        output = std::string(parsed->root().raw());
    }
    const CallOutcome completed =
        call_until_answered(held, [&] { return api.complete(held.job, output); });
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
