#include "store/postgres/locked_rows.hpp"

#include <limits>

#include <fmt/format.h>

#include "store/packing/row_columns.hpp"
#include "store/postgres/codec.hpp"

namespace semel::postgres {
namespace {

template <typename Key>
Params by_id(const std::set<Key>& keys) {
    return Params().array(array_of(std::vector<Key>(keys.begin(), keys.end())));
}

// Returns the keys as two arrays: tenants and names.
template <typename Key>
Params by_name(const std::set<Key>& keys) {
    Array tenants(Type::text);
    Array names(Type::text);
    for (const Key& key : keys) {
        tenants.bytes(key.tenant);
        names.bytes(key.name);
    }
    return Params().array(tenants).array(names);
}

template <typename Key>
Key read_name(Rows& rows) {
    Key key;
    key.tenant = rows.read_string();
    key.name = rows.read_string();
    return key;
}

Uuid read_id(Rows& rows) {
    return rows.read_id();
}

Hash256 read_hash(Rows& rows) {
    return rows.read_hash();
}

template <typename Key, typename Row>
Key id_of(const Row& row) {
    return row.id;
}

template <typename Key, typename Row>
Key name_of(const Row& row) {
    return row.key;
}

SourceKey read_source_key(Rows& rows) {
    SourceKey key;
    key.tenant = rows.read_string();
    key.type = rows.read_string();
    key.id = rows.read_string();
    return key;
}

LockGroup read_group(Rows& rows) {
    LockGroup group;
    group.key = read_name<GroupKey>(rows);
    group.head = rows.read_id();
    return group;
}

ReadyEntry read_ready(Rows& rows) {
    ReadyEntry entry;
    entry.urgency = rows.read_int();
    entry.scheduled_at = rows.read_time();
    entry.id = rows.read_id();
    return entry;
}

constexpr std::string_view kById = "id = any($1)";
constexpr std::string_view kByName = "(tenant, name) in (select * from unnest($1, $2))";

}  // namespace

void LockedRows::queue() {
    ask_claims();
    ask_contents();
    ask_sources();
    ask_parts_of_jobs();
    ask_jobs();
    ask_locked<ScheduleKey, Schedule>(schedules_,
                                      {"semel.schedule", "tenant, name", kScheduleColumns, kByName},
                                      by_name(schedules_.wishes), read_schedule<Rows>,
                                      read_name<ScheduleKey>, name_of<ScheduleKey, Schedule>);
    ask_groups();
    ask_locked<Uuid, BulkRun>(bulk_runs_, {"semel.bulk_run", "id", kBulkRunColumns, kById},
                              by_id(bulk_runs_.wishes), read_bulk_run<Rows>, read_id,
                              id_of<Uuid, BulkRun>);
    ask_locked<Uuid, ApiToken>(api_tokens_, {"semel.api_token", "id", kApiTokenColumns, kById},
                               by_id(api_tokens_.wishes), read_api_token<Rows>, read_id,
                               id_of<Uuid, ApiToken>);
    ask_ready_tenants();
    ask_ready();
    ask_queue(later_,
              "select scheduled_at, id from semel.later order by scheduled_at, id limit $1");
    ask_queue(running_, "select deadline, id from semel.running order by deadline, id limit $1");
    ask_queue(finished_,
              "select completed_at, id from semel.job where completed_at is not null "
              "and kept is null order by completed_at, id limit $1");
    ask_waiting();
    ask_upkeep();
    ask_chains();
    ask_outbox();
}

Result<void> LockedRows::take(std::vector<Rows>& answers, std::size_t first) {
    const auto reads = std::exchange(reads_, {});
    SEMEL_ASSERT(answers.size() == first + reads.size());
    for (std::size_t i = 0; i < reads.size(); ++i) {
        reads[i](answers[first + i]);
        if (answers[first + i].is_damaged()) {
            return Error(ErrorCode::corrupt, "a row of the schema semel cannot be read");
        }
    }
    return {};
}

void LockedRows::ask(const std::string& sql, const Params& params, Read read) {
    connection_.queue(sql, params);
    reads_.push_back(std::move(read));
}

std::string LockedRows::locking(std::string_view of) const {
    return fmt::format("for update{}{}", of, if_locked_ == IfLocked::skip ? " skip locked" : "");
}

template <typename Key, typename Row>
void LockedRows::ask_locked(Locked<Key, Row>& rows, const Place& place, const Params& params,
                            Row (*read_row)(Rows&), const std::function<Key(Rows&)>& read_key,
                            Key (*key_of)(const Row&)) {
    if (rows.wishes.empty()) {
        return;
    }
    lock_rows(rows, place, params, read_row, key_of);
    const std::string_view rest = place.rest.empty() ? place.key : place.rest;
    ask_rest(rows, fmt::format("select {} from {} where {}", rest, place.table, place.where),
             params, read_key);
}

template <typename Key, typename Row>
void LockedRows::lock_rows(Locked<Key, Row>& rows, const Place& place, const Params& params,
                           Row (*read_row)(Rows&), Key (*key_of)(const Row&)) {
    // In the order of the key, so that transactions that wait for locks cannot deadlock.
    ask(fmt::format("select {} from {} where {} order by {} {}", place.columns, place.table,
                    place.where, place.key, locking()),
        params, [&rows, read_row, key_of](Rows& answer) {
            while (answer.next_row()) {
                Row row = read_row(answer);
                const Key key = key_of(row);
                rows.values.insert_or_assign(key, std::move(row));
            }
        });
}

template <typename Key, typename Row>
void LockedRows::ask_rest(Locked<Key, Row>& rows, const std::string& sql, const Params& params,
                          const std::function<Key(Rows&)>& read_key) {
    ask(sql, params, [&rows, read_key](Rows& answer) {
        while (answer.next_row()) {
            const Key key = read_key(answer);
            if (rows.values.try_emplace(key, std::nullopt).second) {
                rows.locked.insert(key);
            }
        }
        for (const Key& key : std::exchange(rows.wishes, {})) {
            rows.values.try_emplace(key, std::nullopt);
        }
    });
}

// The ladder needs the owners of claims next. So they are fetched with the claims, unless this
// fetch waits for locks, or jobs are known already that they might contradict.
void LockedRows::ask_claims() {
    if (claims_.wishes.empty()) {
        return;
    }
    const Params claims = by_id(claims_.wishes);
    if (if_locked_ == IfLocked::skip && jobs_.values.empty()) {
        ask_owned_claims(claims);
        ask_running_of_owners(claims);
    } else {
        ask_locked<ClaimId, Claim>(claims_, {"semel.claim", "id", kClaimColumns, kById}, claims,
                                   read_claim, read_hash, id_of<ClaimId, Claim>);
    }
}

// One query finds the claims, locks the free ones, and locks the jobs that they name. A job that is
// missing in the answer is fetched like any other: it is locked elsewhere, or newer than this
// query. A claim that was changed since it was found is returned in its new state. Newer servers
// omit it instead, and it then counts as locked elsewhere.
void LockedRows::ask_owned_claims(const Params& claims) {
    static const std::string kSql = fmt::format(
        "select k.id, c.*, o.* from (select id, ctid as tid from semel.claim where id = any($1)) k "
        "left join lateral (select {}, owner from semel.claim where ctid = k.tid "
        "for update skip locked) c on true "
        "left join lateral (select {}, j.payload from semel.job j where j.id = c.owner "
        "for update skip locked) o on true",
        kClaimColumns, kRowColumns);
    ask(kSql, claims, [this](Rows& answer) {
        while (answer.next_row()) {
            const ClaimId id = answer.read_hash();
            if (answer.is_null()) {
                claims_.values.try_emplace(id, std::nullopt);
                claims_.locked.insert(id);
                continue;
            }
            claims_.values.insert_or_assign(id, read_claim(answer));
            (void)answer.read_optional_id();  // the owner's id, also without the owner's row
            if (!answer.is_null()) read_owner(answer);
        }
        for (const ClaimId& id : std::exchange(claims_.wishes, {})) {
            claims_.values.try_emplace(id, std::nullopt);
        }
    });
}

void LockedRows::read_owner(Rows& rows) {
    Job job = read_row(rows);
    auto payload = rows.read_optional_string();
    know_owner(std::move(job),
               payload ? std::optional(JobBody{std::move(*payload)}) : std::nullopt);
}

// Reads the runs of the owners that this transaction has just locked.
void LockedRows::ask_running_of_owners(const Params& claims) {
    static const std::string kSql = fmt::format(
        "select r.id, {} from semel.run r where r.id = any(array("
        "select c.owner from semel.claim c where c.id = any($1) and c.owner is not null))",
        kRunningColumns);
    ask(kSql, claims, [this](Rows& answer) {
        while (answer.next_row()) {
            const auto job = jobs_.values.find(answer.read_id());
            if (job != jobs_.values.end() && job->second) read_running(answer, *job->second);
        }
    });
}

// Fetches contents without locks, because their claims are locked.
void LockedRows::ask_contents() {
    if (contents_.wishes.empty()) {
        return;
    }
    ask("select id, content from semel.claim where id = any($1)", by_id(contents_.wishes),
        [this](Rows& answer) {
            for (const ClaimId& id : std::exchange(contents_.wishes, {})) contents_.values[id];
            while (answer.next_row()) {
                const ClaimId id = answer.read_hash();
                auto json = answer.read_optional_string();
                if (json) contents_.values[id] = Content{std::move(*json)};
            }
        });
}

void LockedRows::ask_sources() {
    Array tenant(Type::text);
    Array type(Type::text);
    Array id(Type::text);
    for (const SourceKey& key : sources_.wishes) {
        tenant.bytes(key.tenant);
        type.bytes(key.type);
        id.bytes(key.id);
    }
    const Place place{.table = "semel.source",
                      .key = "tenant, type, id",
                      .columns = source_columns(),
                      .where = "(tenant, type, id) in (select * from unnest($1, $2, $3))"};
    ask_locked<SourceKey, Source>(sources_, place, Params().array(tenant).array(type).array(id),
                                  read_source_row, read_source_key, name_of<SourceKey, Source>);
    for (const int limit : std::exchange(expired_sources_.wishes, {})) {
        ask("select tenant, type, id from semel.source where expires_at <= $1 "
            "order by expires_at, tenant, type, id limit $2",
            Params().time(expired_by_).integer(limit), [this, limit](Rows& answer) {
                auto& keys = expired_sources_.values[limit];
                while (answer.next_row()) keys.push_back(read_source_key(answer));
            });
    }
}

// The running heads are read after their groups are locked, not with the heads: a head that was
// fetched earlier can have ended and begun again since. While the group's row is locked, a running
// head stays running, because the end of an attempt changes that row, and `complete_job` only
// records how it will end. But a claim of jobs does not lock the group. So a head that does not run
// can start to run.
void LockedRows::ask_groups() {
    const auto read_key = [this](Rows& rows) {
        const auto key = read_name<GroupKey>(rows);
        if (const auto head = rows.read_optional_id()) running_heads_.insert(*head);
        return key;
    };
    const Place place{.table = "semel.lock_group g",
                      .key = "g.tenant, g.name",
                      .columns = "g.tenant, g.name, g.head",
                      .where = kByName,
                      .rest =
                          "g.tenant, g.name, (select r.id from semel.run r "
                          "where r.id = g.head)"};
    ask_locked<GroupKey, LockGroup>(groups_, place, by_name(groups_.wishes), read_group, read_key,
                                    name_of<GroupKey, LockGroup>);
}

// The query for the rest also returns the runs and the payloads of the jobs that are locked by now.
void LockedRows::ask_jobs() {
    if (!jobs_.wishes.empty()) {
        static const std::string kRest = fmt::format(
            "select j.id, {}, case when j.id = any($2) then j.payload end from semel.job j {} "
            "where j.id = any($1)",
            kRunningColumns, kRunningOfJob);
        lock_rows<JobId, Job>(jobs_, {"semel.job j", "j.id", kRowColumns, "j.id = any($1)"},
                              by_id(jobs_.wishes), read_row, id_of<JobId, Job>);
        for (const JobId& id : with_body_) bodies_.values.try_emplace(id, std::nullopt);
        Params params = by_id(jobs_.wishes);
        params.array(array_of(std::vector<JobId>(with_body_.begin(), with_body_.end())));
        with_body_.clear();
        ask_rest<JobId, Job>(jobs_, kRest, params, [this](Rows& rows) { return read_rest(rows); });
    }
    ask_bodies();
}

JobId LockedRows::read_rest(Rows& rows) {
    const JobId id = rows.read_id();
    const auto known = jobs_.values.find(id);
    Job locked;
    read_running(rows, known != jobs_.values.end() && known->second ? *known->second : locked);
    if (auto payload = rows.read_optional_string()) {
        bodies_.values[id] = JobBody{std::move(*payload)};
    }
    return id;
}

// Fetches payloads of jobs that were known before.
void LockedRows::ask_bodies() {
    if (bodies_.wishes.empty()) {
        return;
    }
    ask("select id, payload from semel.job where id = any($1)", by_id(bodies_.wishes),
        [this](Rows& answer) {
            while (answer.next_row()) {
                const JobId id = answer.read_id();
                auto payload = answer.read_optional_string();
                bodies_.values[id] =
                    payload ? std::optional(JobBody{std::move(*payload)}) : std::nullopt;
            }
            for (const JobId& id : std::exchange(bodies_.wishes, {})) {
                bodies_.values.try_emplace(id, std::nullopt);
            }
        });
}

void LockedRows::ask_parts_of_jobs() {
    if (results_.wishes.empty()) {
        return;
    }
    ask(fmt::format("select job, {} from semel.job_result where job = any($1)", kResultColumns),
        by_id(results_.wishes), [this](Rows& answer) {
            while (answer.next_row()) {
                const JobId id = answer.read_id();
                results_.values[id] = read_result(answer);
            }
            for (const JobId& id : std::exchange(results_.wishes, {})) {
                results_.values.try_emplace(id, std::nullopt);
            }
        });
}

void LockedRows::ask_ready_tenants() {
    const auto wishes = std::exchange(next_tenant_.wishes, {});
    if (wishes.empty()) {
        return;
    }
    const int limit = std::exchange(tenants_at_once_, tenants_at_once_ * 2);
    for (const std::string& tenant : wishes) {
        // One index probe for each tenant, however many jobs it has.
        ask("with recursive t as ("
            "(select tenant from semel.ready where tenant > $1 order by tenant limit 1) "
            "union all select (select r.tenant from semel.ready r where r.tenant > t.tenant "
            "order by r.tenant limit 1) from t where t.tenant is not null) "
            "select tenant from t where tenant is not null limit $2",
            Params().text(tenant).integer(limit), [this, tenant, limit](Rows& answer) {
                std::string last = tenant;
                while (answer.next_row()) {
                    std::string next = answer.read_string();
                    next_tenant_.values[last] = next;
                    last = std::move(next);
                }
                if (answer.size() < limit) {
                    next_tenant_.values[last] = std::nullopt;
                }
            });
    }
}

// Both rows are locked, the row of the queue last. A transaction that claimed the job since this
// query began has deleted that row, and did not change the job's row. Only a transaction that has
// locked the job locks that row, so this lock does not wait.
void LockedRows::ask_ready() {
    const std::string sql = fmt::format(
        "select r.ctid, r.urgency, r.scheduled_at, r.id, {}, j.payload "
        "from semel.ready r join semel.job j on j.id = r.id "
        "where r.tenant = $1 and r.type = $2 and "
        "(r.urgency, r.scheduled_at, r.id) > ($3, $4, $5) "
        "order by r.urgency, r.scheduled_at, r.id limit $6 {}",
        kRowColumns, locking(" of j, r"));
    for (auto& [key, wanted] : ready_) {
        ReadyQueue& queue = wanted;
        if (queue.wish == 0) {
            continue;
        }
        const int limit = std::exchange(queue.wish, 0);
        Params params;
        params.text(key.first).text(key.second);
        if (queue.entries.empty()) {
            params.integer(std::numeric_limits<int>::min()).integer(0).id({});
        } else {
            const ReadyEntry& last = queue.entries.back();
            params.integer(last.urgency).time(last.scheduled_at).id(last.id);
        }
        ask(sql, params.integer(limit), [this, &queue, limit](Rows& answer) {
            while (answer.next_row()) {
                const Tid tid = answer.read_tid();
                queue.entries.push_back(read_ready(answer));
                ready_tids_.insert_or_assign(queue.entries.back().id, tid);
                Job job = read_row(answer);
                auto payload = answer.read_optional_string();
                know_ready(std::move(job),
                           payload ? std::optional(JobBody{std::move(*payload)}) : std::nullopt);
            }
            queue.is_whole = answer.size() < limit;
        });
    }
}

void LockedRows::ask_queue(Limited& queue, const std::string& sql) {
    for (const int limit : std::exchange(queue.wishes, {})) {
        ask(sql, Params().integer(limit), [&queue, limit](Rows& answer) {
            std::vector<TimedJob> jobs;
            while (answer.next_row()) {
                const Time at = answer.read_time();
                jobs.push_back({at, answer.read_id()});
            }
            queue.values[limit] = std::move(jobs);
        });
    }
}

void LockedRows::ask_waiting() {
    for (const auto& wish : std::exchange(waiting_.wishes, {})) {
        const auto& [key, limit] = wish;
        ask("select id from semel.waiting where tenant = $1 and lock_group = $2 "
            "order by scheduled_at, id limit $3",
            Params().text(key.tenant).text(key.name).integer(limit), [this, wish](Rows& answer) {
                std::vector<JobId> ids;
                while (answer.next_row()) {
                    ids.push_back(answer.read_id());
                }
                waiting_.values[wish] = std::move(ids);
            });
    }
}

void LockedRows::ask_upkeep() {
    for (const int limit : std::exchange(expired_claims_.wishes, {})) {
        ask("select id from semel.claim where expires_at <= $1 order by expires_at, id limit $2",
            Params().time(expired_by_).integer(limit), [this, limit](Rows& answer) {
                auto& claims = expired_claims_.values[limit];
                while (answer.next_row()) claims.push_back(answer.read_hash());
            });
    }
    ask_ids(finished_bulk_runs_, finished_by_,
            "select id from semel.bulk_run where finished_at <= $1 order by finished_at, id "
            "limit $2");
    ask_ids(expired_responses_, responses_by_,
            "select id from semel.response where expires_at <= $1 order by expires_at limit $2");
    for (const int limit : std::exchange(decisions_before_.wishes, {})) {
        // One entry for all days: their tables are dropped, instead of single rows.
        ask("select from semel.meta where decisions_from < $1", Params().integer(decided_before_),
            [this, limit](Rows& answer) {
                auto& lines = decisions_before_.values[limit];
                if (answer.next_row()) lines.push_back({.tenant = "", .day = decided_before_ - 1});
            });
    }
}

}  // namespace semel::postgres
