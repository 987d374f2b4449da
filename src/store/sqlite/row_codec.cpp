#include "store/sqlite/row_codec.hpp"

namespace semel::sqlite {
namespace {

// Numbers that are stored must never change their meaning.
static_assert(static_cast<int>(ClaimState::owned) == 0);
static_assert(static_cast<int>(ClaimState::sealed) == 1);
static_assert(static_cast<int>(AttemptEnd::completed) == 0);
static_assert(static_cast<int>(AttemptEnd::failed) == 1);
static_assert(static_cast<int>(AttemptEnd::timeout) == 2);
static_assert(static_cast<int>(AttemptEnd::lost) == 3);
static_assert(static_cast<int>(AttemptEnd::released) == 4);
static_assert(static_cast<int>(AttemptEnd::cancelled) == 5);
static_assert(static_cast<int>(Decision::new_) == 0);
static_assert(static_cast<int>(Decision::duplicate) == 1);
static_assert(static_cast<int>(Decision::in_flight) == 2);
static_assert(static_cast<int>(Decision::conflict) == 3);
static_assert(static_cast<int>(Decision::stale) == 4);
static_assert(static_cast<int>(Decision::takeover) == 5);

}  // namespace

void bind_claim(Cursor& cursor, const Claim& claim) {
    cursor.text(claim.tenant)
        .text(claim.space)
        .text(claim.full_key)
        .integer(static_cast<int>(claim.state))
        .integer(to_int(claim.token))
        .time(claim.created_at)
        .time(claim.window_from)
        .optional_time(claim.expires_at)
        .optional_id(claim.owner);
    claim.purged_as ? cursor.integer(static_cast<int>(*claim.purged_as)) : cursor.null();
    cursor.optional_hash(claim.fingerprint);
    claim.receipt ? cursor.integer(claim.receipt->status) : cursor.null();
}

Claim read_claim(Cursor& cursor) {
    Claim claim;
    claim.id = cursor.read_hash();
    claim.tenant = cursor.read_string();
    claim.space = cursor.read_string();
    claim.full_key = cursor.read_string();
    claim.state = static_cast<ClaimState>(cursor.read_int());
    claim.token = Token{cursor.read_integer()};
    claim.created_at = cursor.read_time();
    claim.window_from = cursor.read_time();
    claim.expires_at = cursor.read_optional_time();
    claim.owner = cursor.read_optional_id();
    if (const auto status = cursor.read_optional_integer()) {
        claim.purged_as = static_cast<Status>(*status);
    }
    claim.fingerprint = cursor.read_optional_hash();
    if (const auto status = cursor.read_optional_integer()) {
        claim.receipt = Receipt{static_cast<int>(*status), {}};
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
    cursor.id(attempt.job)
        .integer(to_int(attempt.token))
        .integer(attempt.number)
        .text(attempt.worker)
        .time(attempt.started_at)
        .time(attempt.ended_at)
        .integer(static_cast<int>(attempt.end))
        .text(attempt.error);
}

Attempt read_attempt(Cursor& cursor) {
    Attempt attempt;
    attempt.job = cursor.read_id();
    attempt.token = Token{cursor.read_integer()};
    attempt.number = cursor.read_int();
    attempt.worker = cursor.read_string();
    attempt.started_at = cursor.read_time();
    attempt.ended_at = cursor.read_time();
    attempt.end = static_cast<AttemptEnd>(cursor.read_int());
    attempt.error = cursor.read_string();
    return attempt;
}

void bind_decision(Cursor& cursor, const DecisionEntry& entry) {
    cursor.time(entry.at)
        .text(entry.tenant)
        .text(entry.surface)
        .text(entry.type)
        .optional_hash(entry.claim)
        .text(entry.key)
        .integer(static_cast<int>(entry.decision))
        .text(entry.rule)
        .id(entry.effect_id)
        .integer(to_int(entry.token))
        .integer(entry.replaced ? 1 : 0)
        .integer(entry.count)
        .text(entry.source_type)
        .text(entry.source_id);
}

DecisionEntry read_decision(Cursor& cursor) {
    DecisionEntry entry;
    entry.at = cursor.read_time();
    entry.tenant = cursor.read_string();
    entry.surface = cursor.read_string();
    entry.type = cursor.read_string();
    entry.claim = cursor.read_optional_hash();
    entry.key = cursor.read_string();
    entry.decision = static_cast<Decision>(cursor.read_int());
    entry.rule = cursor.read_string();
    entry.effect_id = cursor.read_id();
    entry.token = Token{cursor.read_integer()};
    entry.replaced = cursor.read_int() != 0;
    entry.count = cursor.read_integer();
    entry.source_type = cursor.read_string();
    entry.source_id = cursor.read_string();
    return entry;
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
