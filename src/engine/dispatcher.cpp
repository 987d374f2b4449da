#include "engine/dispatcher.hpp"

#include <algorithm>

#include "base/crash_point.hpp"

namespace semel {
namespace {

// A worker that has not polled for longer than the longest poll counts as absent.
constexpr Millis kPresence = std::chrono::seconds(90);
// The limit of remembered lanes, because a tenant can invent any number of types.
constexpr std::size_t kLanesMax = 100'000;

bool is_newly_ready(const Change<Job>& change) {
    return change.after && change.after->place == Place::ready &&
           (!change.before || change.before->place != Place::ready ||
            change.before->type != change.after->type);
}

// Releases jobs that were taken for a disconnected worker. If the release fails, their leases end.
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

std::vector<Lane> lanes_of(const ClaimRequest& request) {
    std::vector<Lane> lanes;
    lanes.reserve(request.types.size());
    for (const std::string& type : request.types) lanes.emplace_back(request.tenant, type);
    return lanes;
}

}  // namespace

Dispatcher::Dispatcher(Env& env, Store& store, Ledger& ledger)
    : store_(store),
      ledger_(ledger),
      polls_(env, store,
             {.poll =
                  [this](const Polls::Ids& ids) {
                      for (const PollerId id : ids) take(id);
                  },
              .too_late = [this](PollerId id) { polls_.end(id); },
              .ended = std::vector<TakenJob>{}}) {}

Dispatcher::PollerId Dispatcher::claim(ClaimRequest request, Callback done) {
    if (ledger_.is_full() && !polls_.is_stopped()) {
        done(Error(ErrorCode::overloaded, "too many commands are waiting"));
        return 0;
    }
    const Time deadline = store_.now() + request.wait;
    std::vector<Lane> lanes = lanes_of(request);
    for (const Lane& lane : lanes) remember(lane, deadline);
    return polls_.wait({.request = std::move(request), .deadline = deadline}, std::move(lanes),
                       std::move(done));
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

void Dispatcher::take(PollerId id) {
    const Poll* poll = polls_.find(id);
    if (poll == nullptr) {
        return;
    }
    TakeJobs command;
    command.query.tenant = poll->request.tenant;
    command.query.types = poll->request.types;
    command.query.limit = poll->request.max;
    command.worker = poll->request.worker;
    command.lease = poll->request.lease;
    ledger_.submit(std::make_unique<CommandTask<TakeJobs>>(
        std::move(command),
        [this, id](Result<Reply<TakeJobs>> reply) { taken(id, std::move(reply)); }));
}

void Dispatcher::taken(PollerId id, Result<Reply<TakeJobs>> reply) {
    const Poll& poll = *polls_.find(id);
    if (!reply) {
        // The job that woke this poll is still ready. Another poll can take it.
        const std::vector<Lane> lanes = lanes_of(poll.request);
        polls_.answer(id, reply.error());
        for (const Lane& lane : lanes) polls_.wake_first(lane, is_in_time());
        return;
    }
    auto& jobs = std::get<TakeJobs::Outcome>(*reply);
    SEMEL_CRASH_POINT_IF(!jobs.empty(), dispatcher_taken);
    if (polls_.is_gone(id)) {
        give_back(ledger_, std::exchange(jobs, {}));
    }
    if (!jobs.empty() || store_.now() >= poll.deadline) {
        polls_.answer(id, std::move(jobs));
    } else {
        polls_.park(id, poll.deadline);
    }
}

Dispatcher::Polls::Condition Dispatcher::is_in_time() const {
    return [now = store_.now()](const Poll& poll) { return now < poll.deadline; };
}

void Dispatcher::poll_again() {
    polls_.wake_all(is_in_time());
}

void Dispatcher::committed(const Changes& changes) {
    if (polls_.empty()) {
        return;
    }
    const Polls::Condition in_time = is_in_time();
    for (const auto& change : changes.jobs) {
        if (is_newly_ready(change)) {
            polls_.wake_first({change.after->tenant, change.after->type}, in_time);
        }
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
