#include "engine/dispatcher.hpp"

#include <algorithm>

#include "base/crash_point.hpp"
#include "base/mutation.hpp"

namespace semel {
namespace {

// A worker that has not asked for longer than the longest poll is taken to be gone.
constexpr Millis kPresence = std::chrono::seconds(90);
// Lanes remembered for presence; a tenant can invent types, memory must not follow.
constexpr std::size_t kLanesMax = 100'000;

bool is_newly_ready(const Change<Job>& change) {
    return change.after && change.after->place == Place::ready &&
           (!change.before || change.before->place != Place::ready ||
            change.before->type != change.after->type);
}

// What was taken for somebody who went meanwhile, or may work no more. If that fails, the leases
// end by themselves.
void give_back(Ledger& ledger, const std::vector<TakenJob>& jobs) {
    if (jobs.empty()) {
        return;
    }
    SettleJobs command{.tenant = jobs.front().job.tenant, .calls = {}};
    for (const TakenJob& taken : jobs) {
        command.calls.emplace_back(
            JobCall{.id = taken.job.id, .token = taken.job.token, .verb = Verb::release});
    }
    ledger.submit(std::make_unique<CommandTask<SettleJobs>>(
        std::move(command), [](const Result<Reply<SettleJobs>>&) {}));
}

}  // namespace

struct Dispatcher::Poller {
    PollerId id = 0;
    ClaimRequest request;
    Callback done;
    Time deadline;
    bool is_parked = false;
    bool look_again = false;  // something became ready while it was taking
    bool is_cancelled = false;
    std::optional<Env::TimerId> timer;
};

Dispatcher::Dispatcher(Env& env, Store& store, Ledger& ledger)
    : env_(env), store_(store), ledger_(ledger) {}

Dispatcher::~Dispatcher() {
    for (const auto& [id, poller] : pollers_) {
        if (poller->timer) {
            env_.cancel(*poller->timer);
        }
    }
}

Dispatcher::PollerId Dispatcher::claim(ClaimRequest request, Callback done) {
    const PollerId id = ++last_id_;
    if (stopped_) {
        done(std::vector<TakenJob>{});
        return id;
    }
    if (ledger_.is_full()) {
        done(Error(ErrorCode::overloaded, "too many commands are waiting"));
        return id;
    }
    auto poller = std::make_unique<Poller>();
    poller->id = id;
    poller->deadline = store_.now() + request.wait;
    poller->request = std::move(request);
    poller->done = std::move(done);
    for (const std::string& type : poller->request.types) {
        lanes_[{poller->request.tenant, type}].insert(poller->id);
        remember({poller->request.tenant, type}, poller->deadline);
    }
    take(*pollers_.emplace(id, std::move(poller)).first->second);
    return id;
}

void Dispatcher::cancel(PollerId id) {
    const auto poller = pollers_.find(id);
    if (poller == pollers_.end()) {
        return;
    }
    poller->second->is_cancelled = true;
    if (poller->second->is_parked) {
        answer(id, std::vector<TakenJob>{});
    }
}

void Dispatcher::remember(const Lane& lane, Time until) {
    if (last_asked_.size() >= kLanesMax && !last_asked_.contains(lane)) {
        std::erase_if(last_asked_, [now = store_.now()](const auto& entry) {
            return now >= entry.second + kPresence;
        });
    }
    if (last_asked_.size() < kLanesMax || last_asked_.contains(lane)) {
        Time& known = last_asked_[lane];
        known = std::max(known, until);
    }
}

void Dispatcher::take(Poller& poller) {
    poller.is_parked = false;
    poller.look_again = false;
    TakeJobs command;
    command.query.tenant = poller.request.tenant;
    command.query.types = poller.request.types;
    command.query.limit = poller.request.max;
    command.worker = poller.request.worker;
    command.lease = poller.request.lease;
    const PollerId id = poller.id;
    ledger_.submit(std::make_unique<CommandTask<TakeJobs>>(
        std::move(command),
        [this, id](Result<Reply<TakeJobs>> reply) { taken(id, std::move(reply)); }));
}

void Dispatcher::taken(PollerId id, Result<Reply<TakeJobs>> reply) {
    if (!reply) {
        // What woke this one is still there: somebody else may have more luck.
        const ClaimRequest request = pollers_.at(id)->request;
        answer(id, reply.error());
        for (const std::string& type : request.types) {
            became_ready({request.tenant, type});
        }
        return;
    }
    auto& jobs = std::get<TakeJobs::Outcome>(*reply);
    SEMEL_CRASH_POINT_IF(!jobs.empty(), dispatcher_taken);
    Poller& poller = *pollers_.at(id);
    if (poller.is_cancelled) {
        give_back(ledger_, std::exchange(jobs, {}));
    }
    if (!jobs.empty() || stopped_ || poller.is_cancelled || store_.now() >= poller.deadline) {
        answer(id, std::move(jobs));
    } else if (poller.look_again) {
        take(poller);
    } else {
        park(poller);
    }
}

void Dispatcher::park(Poller& poller) {
    poller.is_parked = true;
    if (!poller.timer) {
        const PollerId id = poller.id;
        poller.timer = env_.after(poller.deadline - store_.now(), [this, id] {
            pollers_.at(id)->timer.reset();
            // One that is taking answers by itself when that is over.
            if (pollers_.at(id)->is_parked) {
                answer(id, std::vector<TakenJob>{});
            }
        });
    }
}

// Wakes the first who waits; one whose wait is over, by the clock if not yet by its timer, may have
// no right to work any more. Those who are looking right now may have looked too early.
void Dispatcher::became_ready(const Lane& lane) {
    const auto waiting = lanes_.find(lane);
    if (waiting == lanes_.end()) {
        return;
    }
    const Time now = store_.now();
    for (const PollerId id : waiting->second) {
        Poller& poller = *pollers_.at(id);
        if (!poller.is_parked) {
            poller.look_again = true;
        } else if (now < poller.deadline) {
            take(poller);
            return;
        }
    }
}

void Dispatcher::answer(PollerId id, Result<std::vector<TakenJob>> jobs) {
    const auto poller = pollers_.extract(id);
    SEMEL_ASSERT(!poller.empty());
    if (poller.mapped()->timer) {
        env_.cancel(*poller.mapped()->timer);
    }
    const ClaimRequest& request = poller.mapped()->request;
    for (const std::string& type : request.types) {
        const auto lane = lanes_.find({request.tenant, type});
        if (lane == lanes_.end()) {
            continue;  // a type that was named twice
        }
        lane->second.erase(id);
        if (lane->second.empty()) {
            lanes_.erase(lane);
        }
    }
    poller.mapped()->done(std::move(jobs));
}

void Dispatcher::committed(const Changes& changes) {
    for (const auto& change : changes.jobs) {
        if (is_newly_ready(change) && !SEMEL_MUTATION(wake_up_lost)) {
            became_ready({change.after->tenant, change.after->type});
        }
    }
}

void Dispatcher::look_again() {
    const Time now = store_.now();
    for (const auto& [id, poller] : pollers_) {
        if (!poller->is_parked) {
            poller->look_again = true;
        } else if (now < poller->deadline) {
            take(*poller);
        }
    }
}

void Dispatcher::stop() {
    stopped_ = true;
    std::vector<PollerId> waiting;
    for (const auto& [id, poller] : pollers_) {
        if (poller->is_parked) {
            waiting.push_back(id);
        }
    }
    for (const PollerId id : waiting) {
        answer(id, std::vector<TakenJob>{});
    }
}

bool Dispatcher::has_worker(const Lane& lane) const {
    const auto asked = last_asked_.find(lane);
    return asked != last_asked_.end() && store_.now() < asked->second + kPresence;
}

KnownWorkers Dispatcher::known_workers() const {
    KnownWorkers workers;
    for (const auto& [lane, until] : last_asked_) {
        workers.emplace(lane, until + kPresence);
    }
    return workers;
}

}  // namespace semel
