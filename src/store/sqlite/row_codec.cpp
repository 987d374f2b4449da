#include "store/sqlite/row_codec.hpp"

#include "store/packing/row_pack.hpp"

namespace semel::sqlite {

std::int64_t prefix_of(const ClaimId& id) {
    std::uint64_t prefix = 0;
    for (std::size_t i = 0; i < sizeof(prefix); ++i) {
        prefix = prefix << 8U | id.bytes[i];
    }
    return static_cast<std::int64_t>(prefix);
}

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

void bind_source(Cursor& cursor, const Source& source) {
    cursor.text(source.key.tenant)
        .text(source.key.type)
        .text(source.key.id)
        .optional_integer(source.highest);
    if (source.holder) {
        cursor.hash(source.holder->claim)
            .integer(to_int(source.holder->token))
            .time(source.holder->until);
    } else {
        cursor.null().null().null();
    }
    cursor.time(source.expires_at);
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
