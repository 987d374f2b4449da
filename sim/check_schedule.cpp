// What a request for an action may be told, by the contract's words on deduplication.
#include <algorithm>

#include "sim/checker.hpp"

namespace semel::sim {

void Checker::check_schedule(const Decided& decided, const DecidedSchedule& schedule) {
    const Send& send = *decided.send;
    if (send.request->guarded) {
        check_sealed(send, schedule.receipt);
    }
    for (std::size_t i = 0; i < schedule.answers.size() && !violation_; ++i) {
        check_item(decided.tenant, send.items[i], schedule.answers[i]);
    }
}

void Checker::check_item(const std::string& tenant, const ItemPlan& item,
                         const Item<ScheduledAction>& answer) {
    const Allowed allowed = allowed_for(item, tenant);
    if (const auto* problem = std::get_if<Problem>(&answer)) {
        context_.trace.line("decided #{} {}", item.number, to_string(problem->code));
        if (problem->code == ProblemCode::store_unavailable) {
            return;  // a row that it needs is held: nothing was decided
        }
        count_decision(tenant, Decision::conflict);
        context_.sometimes.hit(Sometimes::conflict_refused);
        if (problem->code != ProblemCode::conflict || !allowed.conflict) {
            fail(Invariant::one_owner,
                 fmt::format("#{} was refused: {}", item.number, problem->detail));
        }
        return;
    }
    check_answer(tenant, item, std::get<ScheduledAction>(answer), allowed);
}

void Checker::check_answer(const std::string& tenant, const ItemPlan& item,
                           const ScheduledAction& answer, const Allowed& allowed) {
    const JobId& id = answer.action.job.id;
    context_.trace.line("decided #{} {} {}{}{}", item.number, to_string(answer.decision), name(id),
                        answer.replaced ? " replaced" : "",
                        answer.successor_of ? " successor" : "");
    count_decision(tenant, answer.decision);
    const auto wrong = [&](Invariant invariant, std::string_view what) {
        fail(invariant, fmt::format("#{} of {}: {} ({})", item.number, tenant, what, name(id)));
    };
    if (!answer.purged && answer.action.job.tenant != tenant) {
        wrong(Invariant::tenants_apart, "answered with an action of another tenant");
        return;
    }
    if (answer.decision == Decision::new_) {
        if (!(answer.successor_of ? allowed.successor : allowed.fresh)) {
            wrong(Invariant::one_owner, "a new action, although its key has an owner that counts");
            return;
        }
        learn_new(tenant, item, answer);
        return;
    }
    const Tracked* met = find(id);
    if (met == nullptr || met->tuple != item.tuple(tenant)) {
        wrong(Invariant::equal_keys, "called a duplicate of an action with another key");
    } else if (answer.purged) {
        context_.sometimes.hit(Sometimes::purged_duplicate);
        if (!allowed.purged) wrong(Invariant::one_owner, "a duplicate of a key that has ended");
    } else if (answer.replaced) {
        if (!allowed.replaced) {
            wrong(
                allowed.successor || allowed.same ? Invariant::last_payload : Invariant::one_owner,
                "replaced a payload that is frozen, kept or outside its window");
            return;
        }
        learn_replaced(tenant, item, answer);
    } else if (!allowed.same) {
        wrong(Invariant::one_owner, "a duplicate, although nothing that counts has its key");
    }
}

// ---- what is allowed ----------------------------------------------------------------------------

// The newest owner that qualifies counts.
Checker::Allowed Checker::allowed_for(const ItemPlan& item, const std::string& tenant) {
    Allowed allowed;
    allowed.fresh = true;
    const auto tuple = item.tuple(tenant);
    if (tuple && shared_keys_.contains(*tuple)) {
        shared_payloads_.insert(item.payload(tenant));
        return {true, true, true, true, true, true};
    }
    const auto key = tuple ? keys_.find(*tuple) : keys_.end();
    if (key == keys_.end()) {
        return allowed;
    }
    for (auto owner = key->second.rbegin(); owner != key->second.rend() && allowed.fresh; ++owner) {
        Allowed one = allowed_by(item, tenant, *owner);
        // Pruned in this batch: only the newest is remembered.
        one.fresh = one.fresh || (owner != key->second.rbegin() && is_deleted_now(owner->job));
        allowed.fresh = one.fresh;
        allowed.successor = allowed.successor || one.successor;
        allowed.replaced = allowed.replaced || one.replaced;
        allowed.same = allowed.same || one.same;
        allowed.conflict = allowed.conflict || one.conflict;
        allowed.purged = allowed.purged || one.purged;
    }
    return allowed;
}

Checker::Allowed Checker::allowed_by(const ItemPlan& item, const std::string& tenant,
                                     const Owner& owner) {
    Allowed allowed;
    const Tracked& job = jobs_.at(owner.job);
    if (job.deleted) {
        allow_purged(allowed, *item.key, owner, job.row);
        return allowed;
    }
    count_edges(*item.key, owner);
    allow(allowed, *item.key, owner, job.row);
    if (const Job* after = row_after(owner.job)) {
        allow(allowed, *item.key, owner, *after);
    } else if (is_deleted_now(owner.job)) {
        allow_purged(allowed, *item.key, owner, job.row);
    }
    if (const Attempt* attempt = ended_attempt(owner.job)) {
        allow_between(allowed, *item.key, owner, *attempt);
    }
    if (operated_.contains(owner.job)) {
        // It was over for a moment; and one that was cancelled and retried has a frozen payload.
        allowed.fresh = true;
        allowed.same = true;
        allowed.successor = true;
        // One that was retried and cancelled again was pending in between.
        Job pending = job.row;
        pending.status = Status::pending;
        pending.completed_at.reset();
        allow(allowed, *item.key, owner, pending);
    }
    if (allowed.same && item.key->on_duplicate == OnDuplicate::reject) {
        // A superseded match answers with another action's payload.
        const bool is_known = job.row.status != Status::superseded;
        const bool differs = job.payload != item.payload(tenant);
        allowed.conflict = !is_known || differs;
        allowed.same = !is_known || !differs;
    }
    return allowed;
}

namespace {

template <typename Row, typename Id>
bool is_deleted_in(const std::vector<Change<Row>>& changes, const Id& id) {
    return std::any_of(changes.begin(), changes.end(), [&](const Change<Row>& change) {
        return !change.after && change.before->id == id;
    });
}

}  // namespace

bool Checker::is_deleted_now(const JobId& id) const {
    return batch_->changes && is_deleted_in(batch_->changes->jobs, id);
}

bool Checker::is_forgotten_now(const ClaimId& id) const {
    return !claims_.contains(id) || (batch_->changes && is_deleted_in(batch_->changes->claims, id));
}

void Checker::allow(Allowed& allowed, const KeyPlan& key, const Owner& owner,
                    const Job& job) const {
    const auto& retention = context_.plan.settings.key_retention;
    if (job.completed_at && retention && now() >= *job.completed_at + *retention) {
        allowed.fresh = true;
        return;
    }
    const Millis max_wait = std::max(key.window, key.max_wait.value_or(key.window * 10));
    const bool waited_too_long =
        key.on_duplicate == OnDuplicate::debounce && now() >= job.created_at + max_wait;
    const bool in_window = job.place == Place::predecessor ||
                           (now() - owner.window_from < key.window && !waited_too_long);
    if (!in_window) {
        allowed.fresh = true;
    } else if (is_final(job.status)) {
        (key.scope == Scope::any ? allowed.same : allowed.fresh) = true;
    } else if (!job.was_taken()) {
        const bool replaces =
            key.on_duplicate == OnDuplicate::replace || key.on_duplicate == OnDuplicate::debounce;
        (replaces ? allowed.replaced : allowed.same) = true;
    } else {
        (key.scope == Scope::pending ? allowed.successor : allowed.same) = true;
    }
}

// What its owner was for a moment, neither before this batch nor after it.
void Checker::allow_between(Allowed& allowed, const KeyPlan& key, const Owner& owner,
                            const Attempt& ended) const {
    // Perhaps it was taken in this batch too, and cancelled: in between it ran.
    Job job = jobs_.at(owner.job).row;
    job.status = Status::running;
    job.place = Place::running;
    job.token = ended.token;
    job.completed_at.reset();
    allow(allowed, key, owner, job);
    // An operator's retry that comes later in this batch found it failed.
    const bool has_failed = ended.end == AttemptEnd::lost || ended.end == AttemptEnd::timeout ||
                            ended.end == AttemptEnd::failed;
    if (has_failed && reopened_.contains(owner.job)) {
        job.status = Status::failed;
        job.place = Place::done;
        allow(allowed, key, owner, job);
    }
}

// Keys outlive data, at least for their retention after the owner's end.
void Checker::allow_purged(Allowed& allowed, const KeyPlan& key, const Owner& owner,
                           const Job& job) const {
    const auto& retention = context_.plan.settings.key_retention;
    const auto claim = claims_.find(*job.claim);
    const bool is_held =
        claim != claims_.end() && (!claim->second.expires_at || now() < *claim->second.expires_at);
    const bool is_forgotten = retention && now() >= *job.completed_at + *retention && !is_held;
    const bool counts =
        !is_forgotten && key.scope == Scope::any && now() - owner.window_from < key.window;
    if (is_forgotten) context_.sometimes.hit(Sometimes::key_forgotten);
    (counts ? allowed.purged : allowed.fresh) = true;
}

void Checker::count_edges(const KeyPlan& key, const Owner& owner) {
    const Millis age = now() - owner.window_from;
    if (age == key.window) context_.sometimes.hit(Sometimes::request_at_window_end);
    if (age == key.window - Millis(1)) {
        context_.sometimes.hit(Sometimes::request_just_inside_window);
    }
}

// ---- what follows -------------------------------------------------------------------------------

void Checker::learn_new(const std::string& tenant, const ItemPlan& item,
                        const ScheduledAction& answer) {
    const Job& job = answer.action.job;
    if (jobs_.contains(job.id)) {
        fail(Invariant::one_row_per_request, "a new action has an id that was used before");
        return;
    }
    Tracked tracked;
    tracked.row = job;
    tracked.item = item;
    tracked.tuple = item.tuple(tenant);
    tracked.payload = item.payload(tenant);
    tracked.not_before = now() + item.delay.value_or(Millis(0));
    if (item.key && item.key->on_duplicate == OnDuplicate::debounce) {
        tracked.not_before = std::max(tracked.not_before, now() + item.key->window);
    }
    if (answer.successor_of) {
        context_.sometimes.hit(Sometimes::successor_made);
        learn_predecessor(tracked, *answer.successor_of);
    }
    if (tracked.tuple && job.claim) {
        const auto [known, is_new] = tuples_.try_emplace(*job.claim, *tracked.tuple);
        if (!is_new && known->second != *tracked.tuple) {
            fail(Invariant::equal_keys, fmt::format("#{}: two keys are one claim", item.number));
        }
        own(tracked, answer.successor_of.has_value());
    }
    jobs_.emplace(job.id, std::move(tracked));
}

// The key belongs to this job too. Those that have ended are dropped.
void Checker::own(const Tracked& job, bool is_successor) {
    auto& owners = keys_[*job.tuple];
    std::vector<Owner> open;
    for (const Owner& owner : owners) {
        const Tracked& other = jobs_.at(owner.job);
        const Job* after = row_after(owner.job);
        const bool was_over = other.deleted || is_final(other.row.status);
        const bool is_over = after != nullptr ? is_final(after->status) : was_over;
        if (was_over != is_over || operated_.contains(owner.job)) unclear_keys_.insert(*job.tuple);
        if (!was_over) open.push_back(owner);
    }
    owners = std::move(open);
    owners.push_back({job.row.id, now(), is_successor});
}

void Checker::learn_predecessor(Tracked& successor, const JobId& id) {
    Tracked* predecessor = find(id);
    if (predecessor == nullptr || predecessor->tuple != successor.tuple) {
        fail(Invariant::equal_keys, "a successor of an action with another key");
        return;
    }
    successor.successor_of = id;
    predecessor->successor_since = commits_;
    const Job* after = row_after(id);
    if (after != nullptr && after->status == Status::running) {
        successor.predecessor_token = after->token;
    } else if (predecessor->row.status == Status::running) {
        successor.predecessor_token = predecessor->row.token;
    }
}

void Checker::learn_replaced(const std::string& tenant, const ItemPlan& item,
                             const ScheduledAction& answer) {
    Tracked& job = jobs_.at(answer.action.job.id);
    job.payload = item.payload(tenant);
    const Job* after = row_after(job.row.id);
    if (after != nullptr && after->status == Status::running) {
        context_.sometimes.hit(Sometimes::payload_replaced_while_take_in_flight);
    }
    if (job.row.place == Place::predecessor) context_.sometimes.hit(Sometimes::successor_folded);
    if (item.key->on_duplicate == OnDuplicate::debounce) {
        context_.sometimes.hit(Sometimes::debounce_pushed);
        const Millis max_wait = item.key->max_wait.value_or(item.key->window * 10);
        const Time pushed = std::min(now() + item.key->window, job.row.created_at + max_wait);
        // One that a bulk run let go in this batch is where the later of the two left it.
        const bool is_let_go =
            operated_.contains(job.row.id) && after != nullptr && after->scheduled_at <= now();
        if (!is_let_go) job.not_before = std::max(job.not_before, pushed);
        for (Owner& owner : keys_.at(*job.tuple)) {
            if (owner.job == job.row.id) owner.window_from = now();
        }
    }
}

void Checker::count_decision(const std::string& tenant, Decision decision) {
    ++decided_count_[{tenant, decision}];
}

void Checker::count_refusal(const std::string& tenant, const Problem& problem) {
    if (problem.code == ProblemCode::conflict && !problem.pointer.empty()) {
        count_decision(tenant, Decision::conflict);
    }
}

}  // namespace semel::sim
