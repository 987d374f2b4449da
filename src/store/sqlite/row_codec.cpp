#include "store/sqlite/row_codec.hpp"

#include "store/sqlite/packed.hpp"

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

//   claim := version presence tenant space full_key state token createdAt windowFrom
//            owner? purgedAs? fingerprint? receiptStatus?
constexpr char kClaimVersion = 1;

//   decision := version presence at surface type key decision rule effectId token count
//               source_type source_id claim?
//   presence := claim, and whether it was replaced
constexpr char kDecisionVersion = 1;

}  // namespace

std::string pack_claim(const Claim& claim) {
    Presence presence;
    presence.add(claim.owner.has_value());
    presence.add(claim.purged_as.has_value());
    presence.add(claim.fingerprint.has_value());
    presence.add(claim.receipt.has_value());
    Packer packer(kClaimVersion);
    packer.number(presence.bits());
    packer.bytes(claim.tenant);
    packer.bytes(claim.space);
    packer.bytes(claim.full_key);
    packer.number(static_cast<int>(claim.state));
    packer.number(to_int(claim.token));
    packer.time(claim.created_at);
    packer.time(claim.window_from);
    if (claim.owner) packer.id(*claim.owner);
    if (claim.purged_as) packer.number(static_cast<int>(*claim.purged_as));
    if (claim.fingerprint) packer.hash(*claim.fingerprint);
    if (claim.receipt) packer.number(claim.receipt->status);
    return packer.take();
}

Claim read_claim(Cursor& cursor, const ClaimId& id) {
    Claim claim;
    claim.id = id;
    claim.expires_at = cursor.read_optional_time();
    Unpacker unpacker(cursor.view(), kClaimVersion);
    Presence presence(unpacker.number());
    claim.tenant = unpacker.string();
    claim.space = unpacker.string();
    claim.full_key = unpacker.string();
    claim.state = static_cast<ClaimState>(unpacker.integer());
    claim.token = Token{unpacker.number()};
    claim.created_at = unpacker.time();
    claim.window_from = unpacker.time();
    if (presence.next()) claim.owner = unpacker.id();
    if (presence.next()) claim.purged_as = static_cast<Status>(unpacker.integer());
    if (presence.next()) claim.fingerprint = unpacker.hash();
    if (presence.next()) claim.receipt = Receipt{unpacker.integer(), {}};
    if (unpacker.is_damaged()) {
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

std::string pack_decision(const DecisionEntry& entry) {
    Presence presence;
    presence.add(entry.claim.has_value());
    presence.add(entry.replaced);
    Packer packer(kDecisionVersion);
    packer.number(presence.bits());
    packer.time(entry.at);
    packer.bytes(entry.surface);
    packer.bytes(entry.type);
    packer.bytes(entry.key);
    packer.number(static_cast<int>(entry.decision));
    packer.bytes(entry.rule);
    packer.id(entry.effect_id);
    packer.number(to_int(entry.token));
    packer.number(entry.count);
    packer.bytes(entry.source_type);
    packer.bytes(entry.source_id);
    if (entry.claim) packer.hash(*entry.claim);
    return packer.take();
}

LoggedDecision read_decision(Cursor& cursor, const std::string& tenant) {
    LoggedDecision logged;
    logged.sequence = cursor.read_integer();
    DecisionEntry& entry = logged.entry;
    entry.tenant = tenant;
    Unpacker unpacker(cursor.view(), kDecisionVersion);
    Presence presence(unpacker.number());
    entry.at = unpacker.time();
    entry.surface = unpacker.string();
    entry.type = unpacker.string();
    entry.key = unpacker.string();
    entry.decision = static_cast<Decision>(unpacker.integer());
    entry.rule = unpacker.string();
    entry.effect_id = unpacker.id();
    entry.token = Token{unpacker.number()};
    entry.count = unpacker.number();
    entry.source_type = unpacker.string();
    entry.source_id = unpacker.string();
    if (presence.next()) entry.claim = unpacker.hash();
    entry.replaced = presence.next();
    if (unpacker.is_damaged()) {
        cursor.report_damage();
    }
    return logged;
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
