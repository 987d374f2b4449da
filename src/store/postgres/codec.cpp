#include "store/postgres/codec.hpp"

#include <fmt/format.h>

#include "store/row_columns.hpp"
#include "store/row_pack.hpp"

namespace semel::postgres {
namespace {

std::string views_with(std::string_view output) {
    return fmt::format(
        "select e.blocked, e.blocker, f.type, coalesce(s.status, f.status), {} "
        "from semel.edge e left join lateral (select j.id, j.type, j.status from semel.job j "
        "where j.id = e.blocker limit 1) f on true {} "
        "where e.blocked = any($1) order by e.blocked, e.position",
        output, kLastStep);
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

Job read_job(Rows& rows) {
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
    job.settling = rows.read_boolean();
    if (!unpack_job(rows.view(), job)) {
        rows.report_damage();
    }
    return job;
}

ActionView read_view(Rows& rows) {
    ActionView view;
    view.job = read_job(rows);
    view.body.payload = rows.read_optional_string().value_or("");
    return view;
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
    static const std::string sql =
        views_with("(select r.output from semel.job_result r where r.job = coalesce(s.id, f.id))");
    return sql;
}

const std::string& shown_blockers_sql() {
    static const std::string sql = views_with("null");
    return sql;
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
    static const std::string columns = fmt::format("{}, settling", kSourceColumns);
    return columns;
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
