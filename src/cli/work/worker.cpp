#include "cli/work/worker.hpp"

#include <algorithm>

#include "core/limits.hpp"

namespace semel::cli {
namespace {

// The answer to a heartbeat shows that an attempt is over. So a program is stopped within 2 s after
// its timeout, and one or two heartbeats can fail while a server restarts.
constexpr Millis kBeatEvery{1500};

}  // namespace

Worker::Worker(WorkerOptions options, CallerFactory callers, WorkerEvents events)
    : options_(std::move(options)),
      callers_(std::move(callers)),
      events_(std::move(events)),
      claims_(callers_.make()) {}

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
    end_claims();
    changed_.notify_all();
}

// A server answers a poll that is hung up at once: with no jobs, or with jobs that it has just
// taken for it. take_in() releases those. If the answer is lost, the leases of its jobs end.
void Worker::end_claims() {
    if (!stopping_) claims_.hang_up();
    stopping_ = true;
}

void Worker::release_all() {
    const std::lock_guard lock(mutex_);
    end_claims();
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

int Worker::refusal_status() const {
    const std::lock_guard lock(mutex_);
    return refusal_status_;
}

bool Worker::is_stopping() const {
    const std::lock_guard lock(mutex_);
    return stopping_;
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
    JobsApi api(callers_.make());  // separate: releases the jobs that arrive after the hang-up
    Backoff backoff;
    bool is_reachable = true;
    for (int room = wait_for_room(); room > 0; room = wait_for_room()) {
        ClaimCall call;
        call.types = options_.types;
        call.max = room;
        call.worker = options_.name;
        call.lease = options_.lease;
        call.wait = options_.claim_wait;
        std::vector<ClaimedJob> jobs;
        const CallOutcome outcome = claims_.claim(call, jobs);
        if (outcome.end == CallEnd::unreachable) {
            if (is_reachable && !is_stopping()) {
                say("cannot reach " + callers_.where() + ", trying again: " + outcome.message);
            }
            is_reachable = false;
            pause(backoff.next(), stopping_);
            continue;
        }
        if (!is_reachable) {
            say("reached " + callers_.where() + " again");
        }
        is_reachable = true;
        backoff.reset();
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

// Jobs that arrive after the stop are released at once.
bool Worker::take_in(const CallOutcome& outcome, std::vector<ClaimedJob> jobs, JobsApi& api) {
    std::unique_lock lock(mutex_);
    if (outcome.end != CallEnd::accepted) {
        refusal_ = outcome.message;
        refusal_status_ = outcome.status;
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
    while (!pause(std::min(options_.lease / 3, kBeatEvery), done_)) {
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
    jobs.reserve(held.size());
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

}  // namespace semel::cli
