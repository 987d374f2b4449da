#include "store/postgres/codec.hpp"

#include "store/row_pack.hpp"

namespace semel::postgres {

Claim read_claim(Rows& rows) {
    Claim claim;
    claim.id = rows.read_hash();
    claim.expires_at = rows.read_optional_time();
    if (!unpack_claim(rows.view(), claim)) {
        rows.report_damage();
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

JobResult read_result(Rows& rows) {
    JobResult result;
    result.output = rows.read_optional_string();
    result.error_message = rows.read_optional_string();
    result.error_code = rows.read_optional_string();
    return result;
}

Attempt read_attempt(Rows& rows) {
    Attempt attempt;
    attempt.job = rows.read_id();
    attempt.token = Token{rows.read_integer()};
    attempt.number = rows.read_int();
    attempt.worker = rows.read_string();
    attempt.started_at = rows.read_time();
    attempt.ended_at = rows.read_time();
    attempt.end = static_cast<AttemptEnd>(rows.read_int());
    attempt.error = rows.read_string();
    return attempt;
}

LoggedDecision read_decision(Rows& rows) {
    LoggedDecision logged;
    logged.sequence = rows.read_integer();
    logged.entry.tenant = rows.read_string();
    if (!unpack_decision(rows.view(), logged.entry)) {
        rows.report_damage();
    }
    return logged;
}

Schedule read_schedule(Rows& rows) {
    Schedule schedule;
    schedule.key.tenant = rows.read_string();
    schedule.key.name = rows.read_string();
    schedule.id = rows.read_id();
    if (!unpack_schedule(rows.view(), schedule)) {
        rows.report_damage();
    }
    return schedule;
}

OutboxEntry read_outbox_row(Rows& rows) {
    OutboxEntry entry;
    entry.id = rows.read_integer();
    entry.verb = static_cast<OutboxVerb>(rows.read_int());
    entry.tenant = rows.read_string();
    entry.subject = rows.read_id();
    entry.token = Token{rows.read_integer()};
    entry.content = rows.read_optional_string();
    return entry;
}

BulkRun read_bulk_run(Rows& rows) {
    BulkRun run;
    run.id = rows.read_id();
    run.tenant = rows.read_string();
    run.finished_at = rows.read_optional_time();
    if (!unpack_bulk_run(rows.view(), run)) {
        rows.report_damage();
    }
    return run;
}

ApiToken read_api_token(Rows& rows) {
    ApiToken token;
    token.id = rows.read_id();
    token.tenant = rows.read_string();
    token.name = rows.read_string();
    token.scopes = static_cast<unsigned>(rows.read_integer());
    token.secret_hash = rows.read_hash();
    token.created_at = rows.read_time();
    token.expires_at = rows.read_optional_time();
    return token;
}

}  // namespace semel::postgres
