#include "store/postgres/codec.hpp"

#include <fmt/format.h>

#include "store/packing/row_columns.hpp"
#include "store/packing/row_pack.hpp"

namespace semel::postgres {
namespace {

std::string views_with(std::string_view output) {
    return fmt::format(
        "select e.blocked, e.blocker, f.type, {}, {} "
        "from semel.edge e left join lateral (select j.id, j.type, j.status from semel.job j "
        "where j.id = e.blocker limit 1) f on true {} "
        "where e.blocked = any($1) order by e.blocked, e.position",
        status_sql("coalesce(s.id, f.id)", "coalesce(s.status, f.status)"), output, kLastStep);
}

// Returns the job without the packed fields of its row.
Job columns_of(Job&& row) {
    Job job;
    job.id = row.id;
    job.tenant = std::move(row.tenant);
    job.type = std::move(row.type);
    job.priority = row.priority;
    job.scheduled_at = row.scheduled_at;
    job.created_at = row.created_at;
    job.lock_group = std::move(row.lock_group);
    job.chain = row.chain;
    return job;
}

}  // namespace

Claim read_claim(Rows& rows) {
    Claim claim;
    claim.id = rows.read_hash();
    claim.expires_at = rows.read_optional_time();
    if (!unpack_claim(rows.view(), claim)) {
        rows.report_damage();
    }
    const bool is_settling = rows.read_boolean();
    if (claim.effect) {
        claim.effect->settling = is_settling;
    }
    auto receipt = rows.read_optional_string();
    if (claim.receipt && receipt) {
        claim.receipt->body = std::move(*receipt);
    }
    return claim;
}

Job read_row(Rows& rows) {
    Job job;
    job.id = rows.read_id();
    job.tenant = rows.read_string();
    job.type = rows.read_string();
    job.status = static_cast<Status>(rows.read_int());
    job.place = static_cast<Place>(rows.read_int());
    job.priority = -rows.read_int();
    job.scheduled_at = rows.read_time();
    job.created_at = rows.read_time();
    job.completed_at = rows.read_optional_time();
    job.lock_group = rows.read_optional_string().value_or("");
    job.chain = rows.read_id();
    if (!unpack_job(rows.view(), job)) {
        rows.report_damage();
    }
    job.lease.reset();  // of a job that was transferred or migrated while it ran
    return job;
}

void read_running(Rows& rows, Job& job) {
    const auto settling = rows.read_optional_boolean();
    const std::string_view data = rows.view();
    if (!settling) {
        return;
    }
    job = columns_of(std::move(job));
    job.status = Status::running;
    job.place = Place::running;
    job.settling = *settling;
    if (!unpack_job(data, job)) {
        rows.report_damage();
    }
}

std::string select_jobs() {
    return fmt::format("select {}, {} from semel.job j {}", kRowColumns, kRunningColumns,
                       kRunningOfJob);
}

Job read_job(Rows& rows) {
    Job job = read_row(rows);
    read_running(rows, job);
    return job;
}

std::string select_views(std::string_view more_columns) {
    return fmt::format("select {}, {}, j.payload{} from semel.job j {}", kRowColumns,
                       kRunningColumns, more_columns, kRunningOfJob);
}

ActionView read_view(Rows& rows) {
    ActionView view;
    view.job = read_job(rows);
    view.body.payload = rows.read_optional_string().value_or("");
    return view;
}

// Not `exists`, which the planner would reorder: see `kLastStep`.
std::string status_sql(std::string_view id, std::string_view status_of_row) {
    return fmt::format(
        "case when (select true from semel.run x where x.id = {}) then {} else {} end", id,
        static_cast<int>(Status::running), status_of_row);
}

// Few of many open jobs run. So the query reads semel.run first, or once.
std::string has_status_sql(std::string_view job, Status status) {
    if (status == Status::running) {
        return fmt::format("{}.id = any(array(select x.id from semel.run x))", job);
    }
    const std::string by_row = fmt::format("{}.status = {}", job, static_cast<int>(status));
    return status == Status::pending
               ? fmt::format("{} and {}.id not in (select x.id from semel.run x)", by_row, job)
               : by_row;
}

Attempt completing_attempt(const Job& job, std::string worker) {
    Attempt attempt;
    attempt.job = job.id;
    attempt.number = job.attempts;
    attempt.token = job.token;
    attempt.worker = std::move(worker);
    attempt.started_at = job.started_at.value_or(Time());
    attempt.ended_at = job.completed_at.value_or(Time());
    return attempt;
}

Edge read_edge(Rows& rows) {
    Edge edge;
    edge.key.blocked = rows.read_id();
    edge.key.position = rows.read_int();
    edge.blocker = rows.read_id();
    edge.done = rows.read_boolean();
    return edge;
}

const std::string& blocker_views_sql() {
    static const std::string kSql =
        views_with("(select r.output from semel.job_result r where r.job = coalesce(s.id, f.id))");
    return kSql;
}

const std::string& shown_blockers_sql() {
    static const std::string kSql = views_with("null");
    return kSql;
}

BlockerView read_blocker_view(Rows& rows) {
    BlockerView view;
    view.id = rows.read_id();
    view.type = rows.read_optional_string().value_or("");
    if (const auto status = rows.read_optional_integer()) {
        view.status = static_cast<Status>(*status);
    }
    view.output = rows.read_optional_string();
    return view;
}

const std::string& source_columns() {
    static const std::string kColumns = fmt::format("{}, settling", kSourceColumns);
    return kColumns;
}

Source read_source_row(Rows& rows) {
    Source source = read_source(rows);
    source.settling = rows.read_boolean();
    return source;
}

OutboxEntry read_outbox_row(Rows& rows) {
    OutboxEntry entry;
    entry.id = rows.read_integer();
    entry.verb = static_cast<OutboxVerb>(rows.read_int());
    entry.tenant = rows.read_string();
    entry.subject = rows.read_id();
    entry.token = Token{rows.read_integer()};
    entry.content = rows.read_optional_string();
    entry.fence = rows.read_optional_string().value_or("");
    entry.effect_id = rows.read_optional_string().value_or("");
    return entry;
}

}  // namespace semel::postgres
