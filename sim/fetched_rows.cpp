#include "sim/fetched_rows.hpp"

#include <limits>

#include "sim/bugs/mutation.hpp"

namespace semel::sim {
namespace {

constexpr int kAll = std::numeric_limits<int>::max();
constexpr int kTenantsAtOnce = 32;

}  // namespace

std::deque<Statement> FetchedRows::statements() {
    statements_.clear();
    ask_claims();
    ask_fences();
    if (!results_.wishes.empty()) {
        ask_plainly([this] {
            for (const JobId& id : std::exchange(results_.wishes, {})) {
                results_.values[id] = tables().result(id);
            }
        });
    }
    if (SEMEL_MUTATION(dependants_before_lock)) ask_dependants_first();
    ask_jobs();
    ask_named();
    ask_ready_tenants();
    ask_ready();
    ask_queue(later_, [this](int limit) { return tables().later(limit); });
    ask_queue(running_, [this](int limit) { return tables().running(limit); });
    ask_queue(finished_, [this](int limit) { return tables().finished(limit); });
    ask_waiting();
    ask_upkeep();
    ask_chains();
    ask_outbox();
    return std::exchange(statements_, {});
}

void FetchedRows::ask_plainly(std::function<void()> read) {
    ask([read = std::move(read)] {
        read();
        return true;
    });
}

template <typename Key, typename Row>
void FetchedRows::ask_locked(Locked<Key, Row>& rows,
                             const std::function<std::optional<Row>(const Key&)>& find,
                             RowName (*name)(const Key&)) {
    if (rows.wishes.empty()) {
        return;
    }
    ask([this, &rows, find, name] {
        for (const Key& key : rows.wishes) {
            auto row = find(key);
            if (!row) continue;
            if (lock(name(key))) {
                rows.values.insert_or_assign(key, std::move(row));
            } else if (waits_) {
                return false;
            }
        }
        return true;
    });
    ask_plainly([&rows, find] {
        for (const Key& key : std::exchange(rows.wishes, {})) {
            if (rows.values.try_emplace(key, std::nullopt).second && find(key)) {
                rows.locked.insert(key);
            }
        }
    });
}

bool FetchedRows::lock(const RowName& row) {
    return SEMEL_MUTATION(load_without_locks) || database_.lock(row, transaction_);
}

void FetchedRows::ask_claims() {
    if (waits_ || !jobs_.values.empty()) {
        ask_locked<ClaimId, Claim>(
            claims_, [this](const ClaimId& id) { return tables().claim(id); }, RowName::claim);
    } else if (!claims_.wishes.empty()) {
        ask_plainly([this] {
            for (const ClaimId& id : std::exchange(claims_.wishes, {})) fetch_owned_claim(id);
        });
    }
}

void FetchedRows::fetch_owned_claim(const ClaimId& id) {
    auto claim = tables().claim(id);
    if (claim && !lock(RowName::claim(id))) {
        claims_.locked.insert(id);
        claim.reset();
    }
    if (claim && !claim->owners.empty()) {
        const auto owner = tables().job(claim->newest().job, true);
        if (owner && lock(RowName::job(owner->job.id))) know_owner(owner->job, owner->body);
    }
    claims_.values.insert_or_assign(id, std::move(claim));
}

void FetchedRows::ask_jobs() {
    // Payloads come with the next statement: their rows are locked by then.
    bodies_.wishes.insert(with_body_.begin(), with_body_.end());
    with_body_.clear();
    if (SEMEL_MUTATION(run_before_lock)) ask_running_first();
    ask_locked<JobId, Job>(
        jobs_,
        [this](const JobId& id) {
            const auto found = tables().job(id, false);
            return found ? std::optional(with_early_run(found->job)) : std::nullopt;
        },
        RowName::job);
    if (!bodies_.wishes.empty()) {
        ask_plainly([this] {
            for (const JobId& id : std::exchange(bodies_.wishes, {})) {
                bodies_.values[id] = tables().body(id);
            }
        });
    }
}

// As where a run is joined to its job by the statement that locks the job.
void FetchedRows::ask_running_first() {
    ask_plainly([this] {
        early_.clear();
        for (const JobId& id : jobs_.wishes) {
            if (const auto found = tables().job(id, false)) early_.emplace(id, found->job);
        }
    });
}

Job FetchedRows::with_early_run(const Job& job) const {
    const auto early = early_.find(job.id);
    const bool runs = job.status == Status::running;
    return early != early_.end() && (early->second.status == Status::running) != runs
               ? early->second
               : job;
}

void FetchedRows::ask_fences() {
    if (!contents_.wishes.empty()) {
        ask_plainly([this] {
            for (const ClaimId& id : std::exchange(contents_.wishes, {})) {
                contents_.values[id] = tables().content(id);
            }
        });
    }
    ask_locked<SourceKey, Source>(
        sources_, [this](const SourceKey& key) { return tables().source(key); }, RowName::source);
    for (const int limit : std::exchange(expired_sources_.wishes, {})) {
        ask_plainly([this, limit] {
            expired_sources_.values[limit] = tables().expired_sources(expired_by_, limit);
        });
    }
}

void FetchedRows::ask_named() {
    ask_locked<ScheduleKey, Schedule>(
        schedules_, [this](const ScheduleKey& key) { return tables().schedule(key); },
        RowName::schedule);
    ask_groups();
    ask_locked<Uuid, BulkRun>(
        bulk_runs_, [this](const Uuid& id) { return tables().bulk_run(id); }, RowName::bulk_run);
    ask_locked<Uuid, ApiToken>(
        api_tokens_, [this](const Uuid& id) { return tables().api_token(id); }, RowName::api_token);
}

void FetchedRows::ask_groups() {
    if (SEMEL_MUTATION(group_head_joined)) {
        ask_groups_with_heads();
        return;
    }
    const std::set<GroupKey> keys = groups_.wishes;
    if (keys.empty()) {
        return;
    }
    ask_locked<GroupKey, LockGroup>(
        groups_, [this](const GroupKey& key) { return tables().group(key); }, RowName::group);
    ask_plainly([this, keys] {
        for (const GroupKey& key : keys) {
            const auto group = tables().group(key);
            const auto head = group ? tables().job(group->head, false) : std::nullopt;
            if (head && head->job.status == Status::running) running_heads_.insert(group->head);
        }
    });
}

// Planted: a join with the head, `for update of` the group alone. The head is what it was when the
// statement began, whoever has changed it by the time that the group is locked.
void FetchedRows::ask_groups_with_heads() {
    const auto heads = std::make_shared<std::map<GroupKey, JobId>>();
    ask_plainly([this, heads, keys = groups_.wishes] {
        for (const GroupKey& key : keys) {
            const auto group = tables().group(key);
            if (!group) continue;
            heads->emplace(key, group->head);
            jobs_.values.try_emplace(group->head, tables().job(group->head, false)->job);
        }
    });
    ask_locked<GroupKey, LockGroup>(
        groups_,
        [this, heads](const GroupKey& key) {
            auto group = tables().group(key);
            if (group && heads->contains(key)) group->head = heads->at(key);
            return group;
        },
        RowName::group);
}

void FetchedRows::ask_ready_tenants() {
    for (const std::string& tenant : std::exchange(next_tenant_.wishes, {})) {
        ask_plainly([this, tenant] {
            std::string last = tenant;
            for (int i = 0; i < kTenantsAtOnce; ++i) {
                auto next =
                    tables().ready_tenant_after(last.empty() ? std::nullopt : std::optional(last));
                next_tenant_.values[last] = next;
                if (!next) return;
                last = std::move(*next);
            }
        });
    }
}

// Those that somebody else has are passed over.
void FetchedRows::ask_ready() {
    for (auto& [key, wanted] : ready_) {
        if (wanted.wish == 0) {
            continue;
        }
        const auto limit = static_cast<std::size_t>(std::exchange(wanted.wish, 0));
        ask_plainly([this, &key = key, &queue = wanted, limit] {
            const auto after =
                queue.entries.empty() ? std::nullopt : std::optional(queue.entries.back());
            std::size_t count = 0;
            for (const ReadyEntry& entry : tables().ready(key.first, key.second, after, kAll)) {
                const bool is_mine = SEMEL_MUTATION(take_without_lock) ||
                                     SEMEL_MUTATION(load_without_locks) ||
                                     database_.lock(RowName::job(entry.id), transaction_);
                if (!is_mine) continue;
                queue.entries.push_back(entry);
                auto found = tables().job(entry.id, true);
                know_ready(std::move(found->job), std::move(found->body));
                if (++count == limit) break;
            }
            queue.is_whole = count < limit;
        });
    }
}

void FetchedRows::ask_queue(Limited& queue, const std::function<std::vector<TimedJob>(int)>& read) {
    for (const int limit : std::exchange(queue.wishes, {})) {
        ask_plainly([&queue, limit, read] { queue.values[limit] = read(limit); });
    }
}

void FetchedRows::ask_waiting() {
    for (const auto& wish : std::exchange(waiting_.wishes, {})) {
        ask_plainly([this, wish] {
            auto& ids = waiting_.values[wish];
            for (const Job& job : tables().waiting(wish.first, wish.second)) ids.push_back(job.id);
        });
    }
}

template <typename Key, typename Value>
void FetchedRows::ask_each(Known<Key, Value>& known, std::function<Value(const Key&)> read) {
    if (known.wishes.empty()) {
        return;
    }
    ask_plainly([&known, read = std::move(read)] {
        for (const Key& key : std::exchange(known.wishes, {})) known.values[key] = read(key);
    });
}

// Without locks: what is read is protected by the rows of jobs that were locked before.
void FetchedRows::ask_chains() {
    using Step = std::pair<JobId, int>;
    ask_each<JobId, std::vector<Edge>>(
        edges_of_job_, [this](const JobId& job) { return tables().edges_of_job(job); });
    ask_each<JobId, std::vector<Edge>>(
        edges_to_chain_, [this](const JobId& chain) { return tables().edges_to_chain(chain); });
    ask_each<Step, std::optional<JobId>>(step_, [this](const Step& step) {
        return tables().step({step.first, step.second});
    });
    ask_each<Step, std::vector<JobId>>(
        steps_, [this](const Step& most) { return tables().steps(most.first, most.second); });
    ask_each<JobId, bool>(taken_, [this](const JobId& id) { return tables().is_taken(id); });
    ask_each<int, std::vector<JobId>>(
        failing_dependants_, [this](int limit) { return tables().failing_dependants(limit); });
    ask_each<JobId, std::vector<BlockerView>>(
        blocker_views_, [this](const JobId& job) { return tables().blocker_views(job); });
    ask_waits();
}

// Planted: whoever comes to wait for a chain between this and its lock is missed.
void FetchedRows::ask_dependants_first() {
    edges_to_chain_.wishes.insert(jobs_.wishes.begin(), jobs_.wishes.end());
    ask_each<JobId, std::vector<Edge>>(
        edges_to_chain_, [this](const JobId& chain) { return tables().edges_to_chain(chain); });
}

// With those that the blockers wait for in turn, and so on.
void FetchedRows::ask_waits() {
    if (waits_of_.wishes.empty()) {
        return;
    }
    ask_plainly([this] {
        std::vector<JobId> open = listed(std::exchange(waits_of_.wishes, {}));
        while (!open.empty()) {
            const JobId chain = open.back();
            open.pop_back();
            const auto [at, is_new] = waits_of_.values.try_emplace(chain);
            if (is_new) {
                at->second = tables().waits_of(chain);
                open.insert(open.end(), at->second.begin(), at->second.end());
            }
        }
    });
}

void FetchedRows::ask_upkeep() {
    for (const int limit : std::exchange(expired_claims_.wishes, {})) {
        ask_plainly([this, limit] {
            expired_claims_.values[limit] = tables().expired_claims(expired_by_, limit);
        });
    }
    for (const int limit : std::exchange(finished_bulk_runs_.wishes, {})) {
        ask_plainly([this, limit] {
            finished_bulk_runs_.values[limit] = tables().finished_bulk_runs(finished_by_, limit);
        });
    }
    for (const int limit : std::exchange(decisions_before_.wishes, {})) {
        ask_plainly([this, limit] {
            decisions_before_.values[limit] = tables().decisions_before(decided_before_, limit);
        });
    }
}

// ---- the outbox -------------------------------------------------------------------------------

void FetchedRows::ask_outbox() {
    if (wants_to_drain_ && !drains_) {
        ask_plainly([this] { drains_ = may_drain(); });
    }
    ask_outbox_entries();
    for (const int limit : std::exchange(expired_responses_.wishes, {})) {
        ask_plainly([this, limit] {
            expired_responses_.values[limit] = tables().expired_responses(responses_by_, limit);
        });
    }
    for (const int limit : std::exchange(outbox_results_before_.wishes, {})) {
        ask_plainly([this, limit] {
            auto& ids = outbox_results_before_.values[limit];
            for (const auto& [id, at] : database_.outbox_answers()) {
                if (at < results_before_ && ids.size() < static_cast<std::size_t>(limit)) {
                    ids.push_back(id);
                }
            }
        });
    }
}

// Never waits, not even in a batch that may: another node drains then.
bool FetchedRows::may_drain() {
    if (database_.outbox().empty()) {
        return false;
    }
    const bool may =
        SEMEL_MUTATION(several_drainers) || database_.lock(RowName::drain(), transaction_);
    met_another_drainer_ = !may;
    return may;
}

void FetchedRows::ask_outbox_entries() {
    for (const auto& wish : std::exchange(outbox_.wishes, {})) {
        ask_plainly(
            [this, wish] { outbox_.values[wish] = outbox_entries(wish.first, wish.second); });
    }
}

std::vector<OutboxEntry> FetchedRows::outbox_entries(int limit,
                                                     const std::vector<std::int64_t>& skip) {
    const std::set<std::int64_t> skipped(skip.begin(), skip.end());
    std::vector<OutboxEntry> entries;
    for (const auto& [id, entry] : database_.outbox()) {
        const bool is_passed = SEMEL_MUTATION(drained_by_sequence) && id < database_.last_drained();
        const bool is_held =
            SEMEL_MUTATION(several_drainers) && !database_.lock(RowName::outbox(id), transaction_);
        if (skipped.contains(id) || is_passed || is_held) continue;
        entries.push_back(entry);
        if (entries.size() == static_cast<std::size_t>(limit)) break;
        if (SEMEL_MUTATION(several_drainers)) break;
    }
    return entries;
}

}  // namespace semel::sim
