#include "store/postgres/row_pages.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "store/packing/packed.hpp"
#include "store/packing/response_pack.hpp"
#include "store/packing/row_columns.hpp"
#include "store/postgres/codec.hpp"

namespace semel::postgres {
namespace {

constexpr char kKeyVersion = 1;

std::string pack_names(const std::string& tenant, const std::string& name) {
    Packer packer(kKeyVersion);
    packer.bytes(tenant);
    packer.bytes(name);
    return packer.take();
}

std::string pack_edge(const EdgeKey& key) {
    Packer packer(kKeyVersion);
    packer.id(key.blocked);
    packer.number(key.position);
    return packer.take();
}

std::string pack_source(const SourceKey& key) {
    Packer packer(kKeyVersion);
    packer.bytes(key.tenant);
    packer.bytes(key.type);
    packer.bytes(key.id);
    return packer.take();
}

std::string pack_line(const std::string& tenant, std::int64_t sequence) {
    Packer packer(kKeyVersion);
    packer.bytes(tenant);
    packer.number(sequence);
    return packer.take();
}

Params key_params(RowKind kind, const std::string& after) {
    Params params;
    Unpacker unpacker(after, kKeyVersion);
    switch (kind) {
        case RowKind::claims: params.bytes(after); break;
        case RowKind::jobs:
        case RowKind::bulk_runs:
        case RowKind::responses:
        case RowKind::api_tokens: params.id(id_of_key(after)); break;
        case RowKind::groups:
        case RowKind::schedules: {
            const std::string tenant = unpacker.string();
            params.text(tenant).text(unpacker.bytes());
            break;
        }
        case RowKind::decisions: {
            const std::string tenant = unpacker.string();
            params.text(tenant).integer(unpacker.number());
            break;
        }
        case RowKind::sources: {
            const std::string tenant = unpacker.string();
            const std::string type = unpacker.string();
            params.text(tenant).text(type).text(unpacker.bytes());
            break;
        }
        case RowKind::edges: {
            const JobId blocked = unpacker.id();
            params.id(blocked).integer(after.empty() ? -1 : unpacker.number());
            break;
        }
    }
    return params;
}

std::string sql_of(RowKind kind) {
    switch (kind) {
        case RowKind::claims:
            return fmt::format(
                "select {}, content from semel.claim where id > $1 order by id limit $2",
                kClaimColumns);
        case RowKind::jobs:
            return select_views(", j.completed_by") + " where j.id > $1 order by j.id limit $2";
        case RowKind::groups:
            return "select tenant, name, head from semel.lock_group "
                   "where (tenant, name) > ($1, $2) order by tenant, name limit $3";
        case RowKind::schedules:
            return fmt::format(
                "select {} from semel.schedule where (tenant, name) > ($1, $2) "
                "order by tenant, name limit $3",
                kScheduleColumns);
        case RowKind::bulk_runs:
            return fmt::format("select {} from semel.bulk_run where id > $1 order by id limit $2",
                               kBulkRunColumns);
        case RowKind::api_tokens:
            return fmt::format("select {} from semel.api_token where id > $1 order by id limit $2",
                               kApiTokenColumns);
        case RowKind::decisions:
            return fmt::format(
                "select tenant, day, {} from semel.decision where (tenant, sequence) > ($1, $2) "
                "order by tenant, sequence limit $3",
                kDecisionColumns);
        case RowKind::responses:
            return "select id, expires_at, body from semel.response where id > $1 order by id "
                   "limit $2";
        case RowKind::sources:
            return fmt::format(
                "select {} from semel.source where (tenant, type, id) > ($1, $2, $3) "
                "order by tenant, type, id limit $4",
                source_columns());
        case RowKind::edges:
            return fmt::format(
                "select {} from semel.edge where (blocked, position) > ($1, $2) "
                "order by blocked, position limit $3",
                kEdgeColumns);
    }
    return "";
}

void add_claim(Rows& rows, RowPage& page) {
    Claim claim = read_claim(rows);
    if (auto content = rows.read_optional_string()) {
        page.rows.contents.emplace_back(claim.id, Content{std::move(*content)});
    }
    page.last = key_of(claim.id);
    page.rows.claims.push_back({std::nullopt, std::move(claim)});
}

void add_job(Rows& rows, RowPage& page) {
    Job job = read_job(rows);
    if (auto payload = rows.read_optional_string()) {
        page.rows.bodies.emplace_back(job.id, JobBody{std::move(*payload)});
    }
    if (auto worker = rows.read_optional_string()) {
        page.rows.attempts.push_back(completing_attempt(job, std::move(*worker)));
    }
    page.last = key_of(job.id);
    page.rows.jobs.push_back({std::nullopt, std::move(job)});
}

void add_group(Rows& rows, RowPage& page) {
    LockGroup group;
    group.key.tenant = rows.read_string();
    group.key.name = rows.read_string();
    group.head = rows.read_id();
    page.last = pack_names(group.key.tenant, group.key.name);
    page.rows.groups.push_back({std::nullopt, std::move(group)});
}

void add_decision(Rows& rows, RowPage& page) {
    const std::string tenant = rows.read_string();
    const std::int64_t day = rows.read_integer();
    LoggedDecision logged = read_decision(rows, tenant);
    page.last = pack_line(tenant, logged.sequence);
    page.decisions.push_back({{tenant, day, logged.sequence}, std::move(logged.entry)});
}

void add_response(Rows& rows, RowPage& page) {
    ResponseChange response;
    response.id = rows.read_id();
    response.expires_at = rows.read_time();
    auto body = unpack_response(rows.view());
    if (!body) return rows.report_damage();
    response.body = std::make_shared<const std::string>(*std::move(body));
    page.last = key_of(response.id);
    page.rows.responses.push_back(std::move(response));
}

void add_row(RowKind kind, Rows& rows, RowPage& page) {
    switch (kind) {
        case RowKind::claims: return add_claim(rows, page);
        case RowKind::jobs: return add_job(rows, page);
        case RowKind::groups: return add_group(rows, page);
        case RowKind::schedules: {
            Schedule schedule = read_schedule(rows);
            page.last = pack_names(schedule.key.tenant, schedule.key.name);
            page.rows.schedules.push_back({std::nullopt, std::move(schedule)});
            return;
        }
        case RowKind::bulk_runs: {
            BulkRun bulk_run = read_bulk_run(rows);
            page.last = key_of(bulk_run.id);
            page.rows.bulk_runs.push_back({std::nullopt, std::move(bulk_run)});
            return;
        }
        case RowKind::api_tokens: {
            ApiToken token = read_api_token(rows);
            page.last = key_of(token.id);
            page.rows.api_tokens.push_back({std::nullopt, std::move(token)});
            return;
        }
        case RowKind::decisions: return add_decision(rows, page);
        case RowKind::responses: return add_response(rows, page);
        case RowKind::sources: {
            Source source = read_source_row(rows);
            page.last = pack_source(source.key);
            page.rows.sources.push_back({std::nullopt, std::move(source)});
            return;
        }
        case RowKind::edges: {
            const Edge edge = read_edge(rows);
            page.last = pack_edge(edge.key);
            page.rows.edges.push_back({std::nullopt, edge});
            return;
        }
    }
}

Result<void> check(const Rows& rows) {
    if (rows.is_damaged()) {
        return Error(ErrorCode::corrupt, "a row of the schema semel is not what was ever written");
    }
    return {};
}

// Adds the results and attempts of a page's jobs.
Result<void> add_what_jobs_left(Connection& connection, RowPage& page) {
    Array ids(Type::uuid);
    for (const auto& change : page.rows.jobs) ids.id(change.after->id);
    connection.queue(
        fmt::format("select job, {} from semel.job_result where job = any($1)", kResultColumns),
        Params().array(ids));
    connection.queue(
        fmt::format("select job, {} from semel.attempt where job = any($1)", kAttemptColumns),
        Params().array(ids));
    SEMEL_TRY(answers, connection.flush());
    Rows& results = answers.at(0);
    while (results.next_row()) {
        const JobId job = results.read_id();
        page.rows.results.emplace_back(job, read_result(results));
    }
    SEMEL_CHECK(check(results));
    Rows& attempts = answers.at(1);
    while (attempts.next_row()) {
        const JobId job = attempts.read_id();
        page.rows.attempts.push_back(read_attempt(attempts, job));
    }
    return check(attempts);
}

}  // namespace

Result<RowPage> read_page(Connection& connection, RowKind kind, const std::string& after,
                          int limit) {
    RowPage page;
    Params params = key_params(kind, after);
    SEMEL_TRY(rows, connection.ask(sql_of(kind), params.integer(limit)));
    while (rows.next_row()) {
        add_row(kind, rows, page);
        ++page.count;
    }
    SEMEL_CHECK(check(rows));
    if (!page.rows.jobs.empty()) {
        SEMEL_CHECK(add_what_jobs_left(connection, page));
    }
    return page;
}

}  // namespace semel::postgres
