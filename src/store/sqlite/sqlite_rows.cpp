#include "store/sqlite/sqlite_rows.hpp"

#include <fmt/format.h>

#include "base/assert.hpp"
#include "store/packing/row_columns.hpp"
#include "store/sqlite/job_codec.hpp"
#include "store/sqlite/row_codec.hpp"

namespace semel::sqlite {
namespace {

std::vector<JobId> read_keys(Cursor& cursor) {
    std::vector<JobId> ids;
    while (cursor.next_row()) {
        ids.push_back(cursor.read_key());
    }
    return ids;
}

std::vector<Edge> read_edges(Cursor& cursor) {
    std::vector<Edge> edges;
    while (cursor.next_row()) {
        edges.push_back(read_edge(cursor));
    }
    return edges;
}

std::vector<TimedJob> read_line(Statement& statement, int limit) {
    std::vector<TimedJob> queue;
    Cursor cursor(statement);
    cursor.integer(limit);
    while (cursor.next_row()) {
        const Time at = cursor.read_time();
        queue.push_back({at, cursor.read_key()});
    }
    return queue;
}

}  // namespace

// Each query of a queue names its index, so an unusable index is an error instead of a slow query.
SqliteRows::SqliteRows(Connection& connection, NameTable& names, JobNumbers& numbers,
                       ClaimTable* claims)
    : names_(names),
      numbers_(numbers),
      claims_(claims),
      job_(connection, fmt::format("select {}, payload from job where {}", kJobColumns, kThisJob)),
      payload_(connection, fmt::format("select payload from job where {}", kThisJob)),
      large_payload_(connection, "select payload from large_payload where number = ?"),
      result_(connection,
              fmt::format("select {} from job_result where number = ?", kResultColumns)),
      group_(connection, "select head from lock_group where tenant = ? and name = ?"),
      schedule_(connection, fmt::format("select {} from schedule where tenant = ? and name = ?",
                                        kScheduleColumns)),
      bulk_run_(connection, fmt::format("select {} from bulk_run where id = ?", kBulkRunColumns)),
      api_token_(connection,
                 fmt::format("select {} from api_token where id = ?", kApiTokenColumns)),
      source_(connection,
              fmt::format("select {} from source where tenant = ? and type = ? and id = ?",
                          kSourceColumns)),
      expired_sources_(connection,
                       "select tenant, type, id from source indexed by source_expiring "
                       "where expires_at <= ? order by expires_at, tenant, type, id limit ?"),
      edges_of_job_(
          connection,
          fmt::format("select {} from edge where blocked = ? order by position", kEdgeColumns)),
      edges_to_chain_(connection, fmt::format("select {} from edge indexed by edge_blocker "
                                              "where blocker = ? order by blocked, position",
                                              kEdgeColumns)),
      step_(connection, "select high, low from step where chain = ? and chain_index = ?"),
      steps_(connection, "select high, low from step where chain = ? order by chain_index limit ?"),
      failing_dependants_(connection, "select high, low from telling order by high, low limit ?"),
      taken_(connection,
             // A chain is pruned from its front, so later steps still have the chain's id.
             fmt::format("select 1 from job where {} union all select 1 from edge where "
                         "blocker = ? union all select 1 from step where chain = ?",
                         kThisJob)),
      ready_tenant_(connection,
                    "select tenant from job indexed by job_ready where place = 1 and tenant > ? "
                    "order by tenant limit 1"),
      ready_(connection,
             "select urgency, scheduled_at, high, low from job indexed by job_ready "
             "where place = 1 and tenant = ? and type = ? "
             "order by urgency, scheduled_at, high, low limit ?"),
      ready_after_(connection,
                   "select urgency, scheduled_at, high, low from job indexed by job_ready "
                   "where place = 1 and tenant = ? and type = ? and "
                   "(urgency, scheduled_at, high, low) > (?, ?, ?, ?) "
                   "order by urgency, scheduled_at, high, low limit ?"),
      later_(connection,
             "select scheduled_at, high, low from job indexed by job_later where place = 0 "
             "order by scheduled_at, high, low limit ?"),
      running_(connection,
               "select deadline, high, low from job indexed by job_running where place = 2 "
               "order by deadline, number limit ?"),
      finished_(
          connection,
          "select completed_at, high, low from job indexed by job_finished "
          "where place = 6 and completed_at is not null order by completed_at, number limit ?"),
      waiting_(connection, fmt::format("select high, low, {} from job indexed by job_waiting "
                                       "where place = 3 and tenant = ? and lock_group = ? "
                                       "order by scheduled_at, high, low limit ?",
                                       kJobColumns)),
      finished_bulk_runs_(connection,
                          "select id from bulk_run indexed by bulk_run_finished "
                          "where finished_at <= ? order by finished_at, id limit ?"),
      expired_responses_(connection,
                         "select id from response indexed by response_expiring "
                         "where expires_at <= ? order by expires_at limit ?"),
      decisions_before_(connection,
                        "select day, tenant, sequence from decision where day < ? "
                        "order by day, tenant, sequence limit ?") {}

std::optional<Claim> SqliteRows::claim(const ClaimId& id) {
    SEMEL_ASSERT(claims_ != nullptr);
    return claims_->find(id);
}

std::optional<FoundJob> SqliteRows::job(const JobId& id, bool with_body) {
    Cursor cursor(job_);
    if (!find(cursor, id).next_row()) {
        return std::nullopt;
    }
    FoundJob found{read_job(cursor, id, names_), std::nullopt};
    if (with_body) {
        found.body = read_body(cursor, id);
    }
    return found;
}

std::optional<JobBody> SqliteRows::body(const JobId& id) {
    Cursor cursor(payload_);
    return find(cursor, id).next_row() ? read_body(cursor, id) : std::nullopt;
}

// Reads the payload from the next column, or from the table of large payloads.
std::optional<JobBody> SqliteRows::read_body(Cursor& cursor, const JobId& id) {
    if (auto payload = cursor.read_optional_string()) {
        return JobBody{std::move(*payload)};
    }
    Cursor large(large_payload_);
    large.integer(numbers_.of(id));
    return large.next_row() ? std::optional(JobBody{large.read_string()}) : std::nullopt;
}

std::optional<JobResult> SqliteRows::result(const JobId& id) {
    Cursor cursor(result_);
    cursor.integer(numbers_.of(id));
    return cursor.next_row() ? std::optional(read_result(cursor)) : std::nullopt;
}

std::optional<LockGroup> SqliteRows::group(const GroupKey& key) {
    Cursor cursor(group_);
    if (!cursor.text(key.tenant).text(key.name).next_row()) {
        return std::nullopt;
    }
    return LockGroup{key, cursor.read_id()};
}

std::optional<Schedule> SqliteRows::schedule(const ScheduleKey& key) {
    Cursor cursor(schedule_);
    return cursor.text(key.tenant).text(key.name).next_row() ? std::optional(read_schedule(cursor))
                                                             : std::nullopt;
}

std::optional<BulkRun> SqliteRows::bulk_run(const Uuid& id) {
    Cursor cursor(bulk_run_);
    return cursor.id(id).next_row() ? std::optional(read_bulk_run(cursor)) : std::nullopt;
}

std::optional<ApiToken> SqliteRows::api_token(const Uuid& id) {
    Cursor cursor(api_token_);
    return cursor.id(id).next_row() ? std::optional(read_api_token(cursor)) : std::nullopt;
}

// ---- fences -----------------------------------------------------------------------------------

std::optional<Content> SqliteRows::content(const ClaimId& claim) {
    SEMEL_ASSERT(claims_ != nullptr);
    return claims_->content(claim);
}

std::optional<Source> SqliteRows::source(const SourceKey& key) {
    Cursor cursor(source_);
    cursor.text(key.tenant).text(key.type).text(key.id);
    return cursor.next_row() ? std::optional(read_source(cursor)) : std::nullopt;
}

std::vector<SourceKey> SqliteRows::expired_sources(Time now, int limit) {
    Cursor cursor(expired_sources_);
    cursor.time(now).integer(limit);
    std::vector<SourceKey> keys;
    while (cursor.next_row()) {
        SourceKey key;
        key.tenant = cursor.read_string();
        key.type = cursor.read_string();
        key.id = cursor.read_string();
        keys.push_back(std::move(key));
    }
    return keys;
}

// ---- chains -----------------------------------------------------------------------------------

std::vector<Edge> SqliteRows::edges_of_job(const JobId& blocked) {
    Cursor cursor(edges_of_job_);
    return read_edges(cursor.id(blocked));
}

std::vector<Edge> SqliteRows::edges_to_chain(const JobId& blocker) {
    Cursor cursor(edges_to_chain_);
    return read_edges(cursor.id(blocker));
}

std::optional<JobId> SqliteRows::step(const StepRef& step) {
    Cursor cursor(step_);
    cursor.id(step.chain).integer(step.index);
    return cursor.next_row() ? std::optional(cursor.read_key()) : std::nullopt;
}

std::vector<JobId> SqliteRows::steps(const JobId& chain, int limit) {
    Cursor cursor(steps_);
    return read_keys(cursor.id(chain).integer(limit));
}

std::vector<JobId> SqliteRows::failing_dependants(int limit) {
    Cursor cursor(failing_dependants_);
    return read_keys(cursor.integer(limit));
}

std::optional<Job> SqliteRows::last_of(const Job& first) {
    if (!first.last) {
        return first;
    }
    auto last = job(*first.last, false);
    return last ? std::optional(std::move(last->job)) : std::nullopt;
}

template <typename Add>
void SqliteRows::each_blocker(const JobId& id, Add&& add) {
    for (const Edge& edge : edges_of_job(id)) {
        BlockerView view{.id = edge.blocker};
        const auto first = job(edge.blocker, false);
        const auto last = first ? last_of(first->job) : std::nullopt;
        if (last) {
            view.type = first->job.type;
            view.status = last->status;
        }
        add(std::move(view), last ? &*last : nullptr);
    }
}

std::vector<BlockerView> SqliteRows::blocker_views(const JobId& id) {
    std::vector<BlockerView> views;
    each_blocker(id, [&](BlockerView view, const Job* last) {
        if (last != nullptr) {
            view.output = result(last->id).value_or(JobResult{}).output;
        }
        views.push_back(std::move(view));
    });
    return views;
}

std::vector<BlockerView> SqliteRows::shown_blockers(const JobId& id) {
    std::vector<BlockerView> views;
    each_blocker(id, [&](BlockerView view, const Job*) { views.push_back(std::move(view)); });
    return views;
}

std::vector<JobId> SqliteRows::waits_of(const JobId& chain) {
    std::vector<JobId> blockers;
    const auto first = job(chain, false);
    const auto last = first ? last_of(first->job) : std::nullopt;
    if (last && last->status == Status::blocked) {
        for (const Edge& edge : edges_of_job(last->id)) {
            if (!edge.done) blockers.push_back(edge.blocker);
        }
    }
    return blockers;
}

bool SqliteRows::is_taken(const JobId& id) {
    Cursor cursor(taken_);
    return find(cursor, id).id(id).id(id).next_row();
}

// ---- queues -----------------------------------------------------------------------------------

// The order of tenants is that of their numbers, which is the order of their first rows.
std::optional<std::string> SqliteRows::ready_tenant_after(
    const std::optional<std::string>& tenant) {
    const auto number = tenant ? names_.find(*tenant) : std::nullopt;
    Cursor cursor(ready_tenant_);
    cursor.integer(number.value_or(0));
    return cursor.next_row() ? std::optional(names_.name(cursor.read_integer())) : std::nullopt;
}

std::vector<ReadyEntry> SqliteRows::ready(const std::string& tenant, const std::string& type,
                                          const std::optional<ReadyEntry>& after, int limit) {
    std::vector<ReadyEntry> entries;
    const auto tenant_number = names_.find(tenant);
    const auto type_number = names_.find(type);
    if (!tenant_number || !type_number) {
        return entries;
    }
    Cursor cursor(after ? ready_after_ : ready_);
    cursor.integer(*tenant_number).integer(*type_number);
    if (after) {
        cursor.integer(after->urgency).time(after->scheduled_at).key(after->id);
    }
    cursor.integer(limit);
    while (cursor.next_row()) {
        ReadyEntry entry;
        entry.urgency = cursor.read_int();
        entry.scheduled_at = cursor.read_time();
        entry.id = cursor.read_key();
        entries.push_back(entry);
    }
    return entries;
}

std::vector<TimedJob> SqliteRows::later(int limit) {
    return read_line(later_, limit);
}

std::vector<TimedJob> SqliteRows::running(int limit) {
    return read_line(running_, limit);
}

std::vector<TimedJob> SqliteRows::finished(int limit) {
    return read_line(finished_, limit);
}

std::vector<Job> SqliteRows::waiting(const GroupKey& key, int limit) {
    std::vector<Job> jobs;
    const auto tenant = names_.find(key.tenant);
    if (!tenant) {
        return jobs;
    }
    Cursor cursor(waiting_);
    cursor.integer(*tenant).text(key.name).integer(limit);
    while (cursor.next_row()) {
        const JobId id = cursor.read_key();
        jobs.push_back(read_job(cursor, id, names_));
    }
    return jobs;
}

std::vector<ClaimId> SqliteRows::expired_claims(Time now, int limit) {
    SEMEL_ASSERT(claims_ != nullptr);
    return claims_->expired(now, limit);
}

std::vector<Uuid> SqliteRows::finished_bulk_runs(Time latest, int limit) {
    Cursor cursor(finished_bulk_runs_);
    cursor.time(latest).integer(limit);
    std::vector<Uuid> bulk_runs;
    while (cursor.next_row()) {
        bulk_runs.push_back(cursor.read_id());
    }
    return bulk_runs;
}

std::vector<Uuid> SqliteRows::expired_responses(Time now, int limit) {
    Cursor cursor(expired_responses_);
    cursor.time(now).integer(limit);
    std::vector<Uuid> responses;
    while (cursor.next_row()) {
        responses.push_back(cursor.read_id());
    }
    return responses;
}

std::vector<DecisionRef> SqliteRows::decisions_before(std::int64_t day, int limit) {
    Cursor cursor(decisions_before_);
    cursor.integer(day).integer(limit);
    std::vector<DecisionRef> refs;
    while (cursor.next_row()) {
        DecisionRef ref;
        ref.day = cursor.read_integer();
        ref.tenant = names_.name(cursor.read_integer());
        ref.sequence = cursor.read_integer();
        refs.push_back(std::move(ref));
    }
    return refs;
}

}  // namespace semel::sqlite
