#include "engine/local_worker.hpp"

#include <algorithm>

#include "core/limits.hpp"

namespace semel {
namespace {

constexpr Millis kHeartbeatEvery = kLeaseDefault / 3;
constexpr Millis kRetryAfterError = std::chrono::seconds(1);

JobCall to_call(const TakenJob& job, HandlerResult result) {
    JobCall call;
    call.id = job.job.id;
    call.token = job.job.token;
    call.verb = result.completed ? Verb::complete : Verb::fail;
    call.output = std::move(result.output);
    call.error = std::move(result.error);
    call.final = result.final;
    call.retry_after = result.retry_after;
    return call;
}

}  // namespace

LocalWorker::LocalWorker(Env& env, Ledger& ledger, std::string name, int concurrency)
    : env_(env), ledger_(ledger), name_(std::move(name)), concurrency_(concurrency) {}

LocalWorker::~LocalWorker() {
    for (const auto& timer : {heartbeat_timer_, grace_timer_}) {
        if (timer) {
            env_.cancel(*timer);
        }
    }
}

void LocalWorker::add_handler(std::string type, HandlerOptions options) {
    handlers_.insert_or_assign(std::move(type), options);
}

void LocalWorker::start() {
    started_ = true;
    take();
}

void LocalWorker::take() {
    const int room = concurrency_ - static_cast<int>(running_.size());
    if (!started_ || stopping_ || taking_ || !may_be_more_ || room <= 0 || handlers_.empty()) {
        return;
    }
    taking_ = true;
    may_be_more_ = false;
    TakeJobs command;
    command.query.limit = room;
    command.query.after_tenant = last_tenant_;
    command.worker = name_;
    command.lease = kLeaseDefault;
    for (const auto& [type, options] : handlers_) {
        command.query.types.push_back(type);
        command.timeouts.emplace(type, options.timeout);
    }
    ledger_.submit(std::make_unique<CommandTask<TakeJobs>>(
        std::move(command),
        [this, room](Result<Reply<TakeJobs>> reply) { taken(room, std::move(reply)); }));
}

void LocalWorker::taken(int asked, Result<Reply<TakeJobs>> reply) {
    taking_ = false;
    if (!reply) {
        may_be_more_ = true;
        env_.after(kRetryAfterError, [this] { take(); });
        check_stopped();
        return;
    }
    const auto& jobs = std::get<TakeJobs::Outcome>(*reply);
    may_be_more_ = may_be_more_ || static_cast<int>(jobs.size()) == asked;
    for (const TakenJob& job : jobs) {
        last_tenant_ = job.job.tenant;
        run(job);
    }
    if (!jobs.empty() && !heartbeat_timer_) {
        heartbeat_timer_ = env_.after(kHeartbeatEvery, [this] { heartbeat(); });
    }
    if (stopping_) {
        check_stopped();
    } else {
        take();
    }
}

void LocalWorker::run(const TakenJob& job) {
    running_.emplace(Running{job.job.id, job.job.token}, job.job.tenant);
    env_.run_handler(job, [this, job](HandlerResult result) { ended(job, std::move(result)); });
}

void LocalWorker::ended(const TakenJob& job, HandlerResult result) {
    const Running key{job.job.id, job.job.token};
    running_.erase(key);
    // A late finisher is fenced anyway; not asking saves a commit.
    if (fenced_.erase(key) == 0) {
        settle(job.job.tenant, to_call(job, std::move(result)));
    }
    take();
    check_stopped();
}

void LocalWorker::settle(const std::string& tenant, JobCall call) {
    ++settling_;
    SettleJobs command{.tenant = tenant, .calls = {call}};
    ledger_.submit(std::make_unique<CommandTask<SettleJobs>>(
        std::move(command), [this, tenant, call](const Result<Reply<SettleJobs>>& reply) {
            --settling_;
            if (!reply && !stopping_) {
                // The store is away: the result is kept and said again, until it is taken or the
                // token is lost.
                env_.after(kRetryAfterError, [this, tenant, call] { settle(tenant, call); });
            }
            check_stopped();
        }));
}

void LocalWorker::heartbeat() {
    heartbeat_timer_.reset();
    if (running_.empty()) {
        return;
    }
    std::map<std::string, SettleJobs> by_tenant;
    for (const auto& [key, tenant] : running_) {
        JobCall call{.id = key.first, .token = key.second, .verb = Verb::heartbeat};
        call.lease = kLeaseDefault;
        by_tenant[tenant].tenant = tenant;
        by_tenant[tenant].calls.emplace_back(std::move(call));
    }
    for (auto& [tenant, command] : by_tenant) {
        ledger_.submit(std::make_unique<CommandTask<SettleJobs>>(std::move(command),
                                                                 [](Result<Reply<SettleJobs>>) {}));
    }
    heartbeat_timer_ = env_.after(kHeartbeatEvery, [this] { heartbeat(); });
}

void LocalWorker::committed(const Changes& changes) {
    for (const auto& change : changes.jobs) {
        const bool is_ready = change.after && change.after->place == Place::ready;
        may_be_more_ = may_be_more_ || (is_ready && handles(change.after->type));
        if (!change.before || !change.before->lease) {
            continue;
        }
        const Running key{change.before->id, change.before->token};
        const bool lost = !change.after || change.after->token != change.before->token;
        if (lost && running_.contains(key) && fenced_.insert(key).second) {
            env_.stop_handler(key.first, key.second);
        }
    }
    take();
}

void LocalWorker::stop(Millis grace, std::function<void()> done) {
    stopping_ = true;
    stopped_ = std::move(done);
    grace_timer_ = env_.after(grace, [this] {
        grace_timer_.reset();
        release_running();
    });
    check_stopped();
}

void LocalWorker::release_running() {
    for (const auto& [key, tenant] : running_) {
        env_.stop_handler(key.first, key.second);
        if (fenced_.insert(key).second) {
            settle(tenant, JobCall{.id = key.first, .token = key.second, .verb = Verb::release});
        }
    }
    running_.clear();
    fenced_.clear();
    check_stopped();
}

void LocalWorker::check_stopped() {
    if (stopping_ && running_.empty() && settling_ == 0 && !taking_ && stopped_) {
        std::exchange(stopped_, nullptr)();
    }
}

}  // namespace semel
