#include "engine/local_worker.hpp"

#include <algorithm>

#include "base/crash_point.hpp"
#include "core/limits.hpp"
#include "engine/handler_call.hpp"

namespace semel {
namespace {

constexpr Millis kHeartbeatEvery = kLeaseDefault / 3;
constexpr Millis kTakeRetryAfter = std::chrono::seconds(1);
constexpr const char* kNotEndedInSql =
    "the handler says that it ended its job in SQL, but the job has not ended: was the transaction "
    "committed?";

// Returns true if the claim can have returned fewer jobs than are due, because their data is large.
bool may_be_cut(const std::vector<TakenJob>& jobs) {
    std::size_t bytes = 0;
    for (const TakenJob& job : jobs) {
        bytes += job.payload.size();
        if (!job.blockers.empty()) {
            return true;
        }
    }
    return bytes > kTakeBytesMax / 2;
}

// A claim of jobs that is sent during a batch waits for the next one. It asks for as many jobs as
// slots are free when its own batch begins.
class LateTake final : public CommandTask<TakeJobs> {
public:
    LateTake(TakeJobs command, std::function<int()> ask, Callback done)
        : CommandTask(std::move(command), std::move(done)), ask_(std::move(ask)) {}

    void begin() override { command().query.limit = ask_(); }

private:
    std::function<int()> ask_;
};

}  // namespace

LocalWorker::LocalWorker(Env& env, Ledger& ledger, const Settings& settings, std::string name,
                         int concurrency)
    : env_(env),
      ledger_(ledger),
      settings_(settings),
      name_(std::move(name)),
      concurrency_(concurrency),
      is_alive_(std::make_shared<bool>(true)) {}

LocalWorker::~LocalWorker() {
    *is_alive_ = false;
    for (const auto& timer : {heartbeat_timer_, retry_timer_, grace_timer_}) {
        if (timer) {
            env_.cancel(*timer);
        }
    }
}

void LocalWorker::add_handler(std::string type, HandlerOptions options) {
    handlers_.insert_or_assign(std::move(type), options);
}

std::vector<std::string> LocalWorker::types() const {
    std::vector<std::string> types;
    types.reserve(handlers_.size());
    for (const auto& [type, handler] : handlers_) types.push_back(type);
    return types;
}

void LocalWorker::start() {
    started_ = true;
    take();
}

void LocalWorker::poll_again() {
    may_be_more_ = true;
    take();
}

int LocalWorker::free_slots() const {
    int asked = 0;
    for (const auto& [stream, jobs] : takes_) asked += jobs;
    return concurrency_ - static_cast<int>(running_.size()) - asked;
}

// Each stream may fill its share of the free slots, so that all streams have work.
int LocalWorker::room() const {
    const int streams = static_cast<int>(ledger_.streams());
    return std::min(free_slots(), (concurrency_ + streams - 1) / streams);
}

// Returns true if another claim of jobs can be sent. If a claim came back full, each stream of the
// ledger gets one, so that the claims overlap.
bool LocalWorker::may_take() const {
    const bool is_worth_it = takes_.empty() ? may_be_more_ : is_behind_;
    return started_ && !stopping_ && !handlers_.empty() && is_worth_it &&
           takes_.size() < ledger_.streams() && room() > 0;
}

void LocalWorker::take() {
    // Limited, because a closed stream answers at once.
    for (std::size_t sent = 0; sent < ledger_.streams() && may_take(); ++sent) {
        const auto stream =
            ledger_.idlest([this](std::size_t each) { return !takes_.contains(each); });
        ledger_.submit_to(stream, make_take(stream));
    }
}

std::unique_ptr<Task> LocalWorker::make_take(std::size_t stream) {
    takes_.emplace(stream, room());
    may_be_more_ = false;
    TakeJobs command;
    command.query.after_tenant = last_tenant_;
    command.worker = name_;
    command.lease = kLeaseDefault;
    for (const auto& [type, options] : handlers_) {
        command.query.types.push_back(type);
        command.timeouts.emplace(type, options.timeout);
    }
    return std::make_unique<LateTake>(
        std::move(command), [this, stream] { return ask(stream); },
        [this, stream](Result<Reply<TakeJobs>> reply) { taken(stream, std::move(reply)); });
}

int LocalWorker::ask(std::size_t stream) {
    takes_.at(stream) = 0;  // room() must not count the jobs of this claim
    return takes_.at(stream) = room();
}

void LocalWorker::taken(std::size_t stream, Result<Reply<TakeJobs>> reply) {
    const int asked = takes_.extract(stream).mapped();
    is_behind_ = false;
    if (!reply) {
        may_be_more_ = true;
        retry_later();
        check_stopped();
        return;
    }
    const auto& jobs = std::get<TakeJobs::Outcome>(*reply);
    is_behind_ = static_cast<int>(jobs.size()) == asked || may_be_cut(jobs);
    may_be_more_ = may_be_more_ || is_behind_;
    for (const TakenJob& job : jobs) {
        last_tenant_ = job.job.tenant;
        if (stopping_) {
            settle({.tenant = job.job.tenant, .stream = stream},
                   {.id = job.job.id, .token = job.job.token, .verb = Verb::release});
        } else {
            run(job, stream);
        }
    }
    take();
    check_stopped();
}

void LocalWorker::run(const TakenJob& job, std::size_t stream) {
    const AttemptKey key{job.job.id, job.job.token};
    running_.emplace(key, Origin{.tenant = job.job.tenant, .stream = stream});
    for (WorkRound& round : rounds_) {
        round.started(key);
    }
    if (!heartbeat_timer_) {
        heartbeat_timer_ = env_.after(kHeartbeatEvery, [this] { heartbeat(); });
    }
    SEMEL_CRASH_POINT(handler_not_started);
    env_.run_handler(job, [this, job](HandlerResult result) { ended(job, std::move(result)); });
}

void LocalWorker::ended(const TakenJob& job, HandlerResult result) {
    const AttemptKey key{job.job.id, job.job.token};
    auto ran = running_.extract(key);
    if (ran.empty()) {
        return;  // released when the grace was over
    }
    SEMEL_CRASH_POINT(handler_ended);
    // An attempt that lost its token would be refused, so its result is not sent.
    if (fenced_.erase(key) == 0) {
        settle_as_said(job, std::move(ran.mapped()), std::move(result));
    }
    catch_up_soon();
    check_stopped();
}

void LocalWorker::settle_as_said(const TakenJob& job, Origin origin, HandlerResult result) {
    Unsettled unsettled{.origin = std::move(origin), .call = {}};
    if (result.in_commit) {
        unsettled.atomic =
            std::make_shared<AtomicEnd>(AtomicEnd{.job = job, .run = std::move(result.in_commit)});
    } else if (result.in_sql) {
        // If the handler's own SQL has ended the job, the store refuses this call.
        unsettled.call = to_call(job, failed(kNotEndedInSql), settings_);
        unsettled.is_doubt = true;
    } else {
        unsettled.call = to_call(job, std::move(result), settings_);
    }
    settle({job.job.id, job.job.token}, std::move(unsettled));
}

void LocalWorker::settle(Origin origin, JobCall call) {
    const AttemptKey key{call.id, call.token};
    settle(key, Unsettled{.origin = std::move(origin), .call = std::move(call)});
}

void LocalWorker::settle(const AttemptKey& key, Unsettled unsettled) {
    unsettled_.insert_or_assign(key, std::move(unsettled));
    send(key);
}

void LocalWorker::send(const AttemptKey& key) {
    Unsettled& unsettled = unsettled_.at(key);
    unsettled.is_on_its_way = true;
    to_say_[unsettled.origin.stream].push_back(to_task(key, unsettled));
    catch_up_soon();
}

std::unique_ptr<Task> LocalWorker::to_task(const AttemptKey& key, const Unsettled& unsettled) {
    if (unsettled.atomic) {
        return std::make_unique<AtomicTask>(
            unsettled.atomic, settings_,
            [this, key](const Result<Item<JobAnswer>>& answer) { answered(key, answer); });
    }
    SettleJobs command{.tenant = unsettled.origin.tenant, .calls = {unsettled.call}};
    return std::make_unique<CommandTask<SettleJobs>>(
        std::move(command), [this, key](const Result<Reply<SettleJobs>>& reply) {
            if (reply) {
                answered(key, std::get<SettleJobs::Outcome>(*reply).front());
            } else {
                answered(key, reply.error());
            }
        });
}

// Fast handlers can end many jobs at a time. Waits for the results that are posted already, so that
// they share one batch, and the claim of jobs in it fills all their slots.
void LocalWorker::catch_up_soon() {
    if (!std::exchange(is_catching_up_, true)) {
        env_.post([this, is_alive = is_alive_] {
            if (*is_alive) catch_up();
        });
    }
}

void LocalWorker::catch_up() {
    is_catching_up_ = false;
    for (auto& [stream, tasks] : std::exchange(to_say_, {})) {
        if (may_take() && !takes_.contains(stream)) {
            // First, because the batch can be full before the last task.
            tasks.insert(tasks.begin(), make_take(stream));
        }
        ledger_.submit_all_to(stream, std::move(tasks));
    }
    take();
}

void LocalWorker::answered(const AttemptKey& key, const Result<Item<JobAnswer>>& answer) {
    if (answer) {
        settled(key, *answer);
    } else {
        unsettled_.at(key).is_on_its_way = false;
        retry_later();
    }
    check_stopped();
}

void LocalWorker::settled(const AttemptKey& key, const Item<JobAnswer>& answer) {
    SEMEL_CRASH_POINT(handler_settled);
    const auto held = unsettled_.extract(key);
    const Unsettled& unsettled = held.mapped();
    const auto* problem = std::get_if<Problem>(&answer);
    const JobCall& call =
        unsettled.atomic && unsettled.atomic->call ? *unsettled.atomic->call : unsettled.call;
    if (auto failure = problem != nullptr ? after_refusal(call, *problem) : std::nullopt) {
        settle(unsettled.origin, *std::move(failure));
    } else if (unsettled.is_doubt) {
        report(key, problem != nullptr ? "" : call.error);
    } else if (problem != nullptr) {
        report(key, problem->detail);
    } else if (call.verb == Verb::complete) {
        report(key, "");
    } else {
        report(key, call.error.empty() ? std::string(to_string(call.verb)) : call.error);
    }
}

void LocalWorker::work_round(int limit, std::function<void(RoundReport)> done) {
    WorkRound& round = rounds_.emplace_back(limit, std::move(done));
    for (const auto& [key, origin] : running_) {
        if (!fenced_.contains(key)) {
            round.started(key);
        }
    }
    poll_again();
    check_rounds();
}

void LocalWorker::report(const AttemptKey& key, const std::string& error) {
    for (WorkRound& round : rounds_) {
        round.ended(key, error);
    }
}

void LocalWorker::check_rounds() {
    const bool is_idle = takes_.empty() && (!may_be_more_ || stopping_ || handlers_.empty());
    for (auto round = rounds_.begin(); round != rounds_.end();) {
        if (!round->is_over(is_idle)) {
            ++round;
            continue;
        }
        std::list<WorkRound> over;
        over.splice(over.end(), rounds_, round++);
        over.front().answer();
    }
}

void LocalWorker::retry_later() {
    if (retry_timer_) {
        return;
    }
    retry_timer_ = env_.after(kTakeRetryAfter, [this] {
        retry_timer_.reset();
        send_all();
        take();
    });
}

void LocalWorker::send_all() {
    for (auto& [key, unsettled] : unsettled_) {
        if (!unsettled.is_on_its_way) {
            send(key);
        }
    }
}

void LocalWorker::heartbeat() {
    heartbeat_timer_.reset();
    std::map<std::string, std::vector<AttemptKey>> by_tenant;
    for (const auto& [key, origin] : running_) {
        if (!fenced_.contains(key)) {
            by_tenant[origin.tenant].push_back(key);
        }
    }
    for (auto& [tenant, attempts] : by_tenant) {
        beat(tenant, std::move(attempts));
    }
    if (!running_.empty()) {
        heartbeat_timer_ = env_.after(kHeartbeatEvery, [this] { heartbeat(); });
    }
}

void LocalWorker::beat(const std::string& tenant, std::vector<AttemptKey> attempts) {
    SettleJobs command{.tenant = tenant, .calls = {}};
    for (const auto& [id, token] : attempts) {
        JobCall call{.id = id, .token = token, .verb = Verb::heartbeat};
        call.lease = kLeaseDefault;
        command.calls.emplace_back(std::move(call));
    }
    ledger_.submit(std::make_unique<CommandTask<SettleJobs>>(
        std::move(command),
        [this, attempts = std::move(attempts)](const Result<Reply<SettleJobs>>& reply) {
            if (!reply) {
                return;  // the next one may arrive
            }
            const auto& answers = std::get<SettleJobs::Outcome>(*reply);
            for (std::size_t i = 0; i < answers.size(); ++i) {
                const auto* problem = std::get_if<Problem>(&answers[i]);
                // A row that is locked elsewhere does not mean that the job has another owner.
                if (problem != nullptr && problem->code != ProblemCode::store_unavailable) {
                    fence(attempts[i]);
                }
            }
        }));
}

// The attempt is over although its handler runs. Asks the handler to stop, and drops its result.
void LocalWorker::fence(const AttemptKey& key) {
    if (running_.contains(key) && fenced_.insert(key).second) {
        env_.stop_handler(key.first, key.second);
        report(key, "another owner took the action over, or its time was up");
    }
}

void LocalWorker::committed(const Changes& changes) {
    for (const auto& change : changes.jobs) {
        const Job& job = change.after ? *change.after : *change.before;
        const bool is_ready = change.after && job.place == Place::ready;
        may_be_more_ = may_be_more_ || (is_ready && handles(job.type));
        const auto held = running_.lower_bound({job.id, Token::none});
        if (held == running_.end() || held->first.first != job.id) {
            continue;
        }
        // The commit of another stream can be reported after a later commit.
        const bool is_older = change.after && job.token < held->first.second;
        const bool is_ours = change.after && job.lease && job.token == held->first.second;
        if (!is_older && !is_ours) {
            fence(held->first);
        }
    }
    take();
    check_rounds();  // only here, after the commit's ready jobs are known
}

void LocalWorker::stop(Millis grace, std::function<void()> done) {
    stopping_ = true;
    stopped_ = std::move(done);
    grace_timer_ = env_.after(grace, [this] {
        grace_timer_.reset();
        end_grace();
    });
    check_stopped();
}

void LocalWorker::end_grace() {
    grace_is_over_ = true;
    for (const auto& [key, origin] : std::exchange(running_, {})) {
        env_.stop_handler(key.first, key.second);
        if (fenced_.erase(key) == 0) {
            settle(origin, {.id = key.first, .token = key.second, .verb = Verb::release});
        }
    }
    check_stopped();
}

void LocalWorker::check_stopped() {
    const bool is_said = std::none_of(
        unsettled_.begin(), unsettled_.end(),
        [this](const auto& entry) { return entry.second.is_on_its_way || !grace_is_over_; });
    if (stopping_ && running_.empty() && is_said && takes_.empty() && stopped_) {
        for (WorkRound& round : std::exchange(rounds_, {})) {
            round.answer();
        }
        std::exchange(stopped_, nullptr)();
    }
}

}  // namespace semel
