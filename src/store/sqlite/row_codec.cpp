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

Edge read_edge(Cursor& cursor) {
    Edge edge;
    edge.key.blocked = cursor.read_id();
    edge.key.position = cursor.read_int();
    edge.blocker = cursor.read_id();
    edge.done = cursor.read_int() != 0;
    return edge;
}

void bind_edge(Cursor& cursor, const Edge& edge) {
    cursor.id(edge.key.blocked)
        .integer(edge.key.position)
        .id(edge.blocker)
        .integer(edge.done ? 1 : 0);
}

void bind_result(Cursor& cursor, const JobResult& result) {
    cursor.optional_bytes(result.output)
        .optional_bytes(result.error_message)
        .optional_bytes(result.error_code);
}

void bind_attempt(Cursor& cursor, const Attempt& attempt) {
    cursor.integer(to_int(attempt.token))
        .integer(attempt.number)
        .text(attempt.worker)
        .time(attempt.started_at)
        .time(attempt.ended_at)
        .integer(static_cast<int>(attempt.end))
        .text(attempt.error);
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

}  // namespace semel::sqlite
