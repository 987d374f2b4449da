#include "store/sqlite/row_codec.hpp"

#include "store/row_pack.hpp"

namespace semel::sqlite {

Claim read_claim(Cursor& cursor, const ClaimId& id) {
    Claim claim;
    claim.id = id;
    claim.expires_at = cursor.read_optional_time();
    if (!unpack_claim(cursor.view(), claim)) {
        cursor.report_damage();
    }
    return claim;
}

void bind_result(Cursor& cursor, const JobResult& result) {
    cursor.optional_bytes(result.output)
        .optional_bytes(result.error_message)
        .optional_bytes(result.error_code);
}

JobResult read_result(Cursor& cursor) {
    JobResult result;
    result.output = cursor.read_optional_string();
    result.error_message = cursor.read_optional_string();
    result.error_code = cursor.read_optional_string();
    return result;
}

void bind_attempt(Cursor& cursor, const Attempt& attempt) {
    cursor.high(attempt.job)
        .integer(to_int(attempt.token))
        .integer(attempt.number)
        .text(attempt.worker)
        .time(attempt.started_at)
        .time(attempt.ended_at)
        .integer(static_cast<int>(attempt.end))
        .text(attempt.error);
}

Attempt read_attempt(Cursor& cursor, const JobId& job) {
    Attempt attempt;
    attempt.job = job;
    attempt.token = Token{cursor.read_integer()};
    attempt.number = cursor.read_int();
    attempt.worker = cursor.read_string();
    attempt.started_at = cursor.read_time();
    attempt.ended_at = cursor.read_time();
    attempt.end = static_cast<AttemptEnd>(cursor.read_int());
    attempt.error = cursor.read_string();
    return attempt;
}

LoggedDecision read_decision(Cursor& cursor, const std::string& tenant) {
    LoggedDecision logged;
    logged.sequence = cursor.read_integer();
    logged.entry.tenant = tenant;
    if (!unpack_decision(cursor.view(), logged.entry)) {
        cursor.report_damage();
    }
    return logged;
}

BulkRun read_bulk_run(Cursor& cursor) {
    BulkRun run;
    run.id = cursor.read_id();
    run.tenant = cursor.read_string();
    run.finished_at = cursor.read_optional_time();
    if (!unpack_bulk_run(cursor.view(), run)) {
        cursor.report_damage();
    }
    return run;
}

void bind_api_token(Cursor& cursor, const ApiToken& token) {
    cursor.id(token.id)
        .text(token.tenant)
        .text(token.name)
        .integer(token.scopes)
        .hash(token.secret_hash)
        .time(token.created_at)
        .optional_time(token.expires_at);
}

ApiToken read_api_token(Cursor& cursor) {
    ApiToken token;
    token.id = cursor.read_id();
    token.tenant = cursor.read_string();
    token.name = cursor.read_string();
    token.scopes = static_cast<unsigned>(cursor.read_integer());
    token.secret_hash = cursor.read_hash();
    token.created_at = cursor.read_time();
    token.expires_at = cursor.read_optional_time();
    return token;
}

}  // namespace semel::sqlite
