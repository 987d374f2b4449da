// Columns that every store has in common, and their readers. The column `data` is packed by
// row_pack.hpp.
//
// A Reader steps through the columns of one row: sqlite::Cursor, postgres::Rows. Each `read_`
// function reads the columns named before it, in order.
//
// Errors: damage of `data` is reported to the reader. Threads: that of the reader.
#pragma once

#include <string>
#include <string_view>

#include "core/batch/rows.hpp"
#include "core/schedules/schedule.hpp"
#include "store/packing/row_pack.hpp"
#include "store/store.hpp"

namespace semel {

// Each `read_` reads the columns named before it, in order.
inline constexpr std::string_view kResultColumns = "output, error_message, error_code";

template <typename Reader>
[[nodiscard]] JobResult read_result(Reader& reader) {
    JobResult result;
    result.output = reader.read_optional_string();
    result.error_message = reader.read_optional_string();
    result.error_code = reader.read_optional_string();
    return result;
}

inline constexpr std::string_view kAttemptColumns =
    "token, number, worker, started_at, ended_at, ending, error";

template <typename Reader>
[[nodiscard]] Attempt read_attempt(Reader& reader, const JobId& job) {
    Attempt attempt;
    attempt.job = job;
    attempt.token = Token{reader.read_integer()};
    attempt.number = reader.read_int();
    attempt.worker = reader.read_string();
    attempt.started_at = reader.read_time();
    attempt.ended_at = reader.read_time();
    attempt.end = static_cast<AttemptEnd>(reader.read_int());
    attempt.error = reader.read_string();
    return attempt;
}

inline constexpr std::string_view kDecisionColumns = "sequence, data";

template <typename Reader>
[[nodiscard]] LoggedDecision read_decision(Reader& reader, const std::string& tenant) {
    LoggedDecision logged;
    logged.sequence = reader.read_integer();
    logged.entry.tenant = tenant;
    if (!unpack_decision(reader.view(), logged.entry)) {
        reader.report_damage();
    }
    return logged;
}

inline constexpr std::string_view kScheduleColumns = "tenant, name, id, data";

template <typename Reader>
[[nodiscard]] Schedule read_schedule(Reader& reader) {
    Schedule schedule;
    schedule.key.tenant = reader.read_string();
    schedule.key.name = reader.read_string();
    schedule.id = reader.read_id();
    if (!unpack_schedule(reader.view(), schedule)) {
        reader.report_damage();
    }
    return schedule;
}

inline constexpr std::string_view kBulkRunColumns = "id, tenant, finished_at, data";

template <typename Reader>
[[nodiscard]] BulkRun read_bulk_run(Reader& reader) {
    BulkRun bulk_run;
    bulk_run.id = reader.read_id();
    bulk_run.tenant = reader.read_string();
    bulk_run.finished_at = reader.read_optional_time();
    if (!unpack_bulk_run(reader.view(), bulk_run)) {
        reader.report_damage();
    }
    return bulk_run;
}

inline constexpr std::string_view kSourceColumns =
    "tenant, type, id, highest, holder, holder_token, held_until, expires_at";

template <typename Reader>
[[nodiscard]] Source read_source(Reader& reader) {
    Source source;
    source.key.tenant = reader.read_string();
    source.key.type = reader.read_string();
    source.key.id = reader.read_string();
    source.highest = reader.read_optional_integer();
    const std::optional<Hash256> holder = reader.read_optional_hash();
    const std::optional<std::int64_t> token = reader.read_optional_integer();
    const std::optional<Time> until = reader.read_optional_time();
    if (holder && token && until) {
        source.holder = SourceHolder{*holder, Token{*token}, *until};
    }
    source.expires_at = reader.read_time();
    return source;
}

inline constexpr std::string_view kApiTokenColumns =
    "id, tenant, name, scopes, secret_hash, created_at, expires_at";

template <typename Reader>
[[nodiscard]] ApiToken read_api_token(Reader& reader) {
    ApiToken token;
    token.id = reader.read_id();
    token.tenant = reader.read_string();
    token.name = reader.read_string();
    token.scopes = static_cast<unsigned>(reader.read_integer());
    token.secret_hash = reader.read_hash();
    token.created_at = reader.read_time();
    token.expires_at = reader.read_optional_time();
    return token;
}

}  // namespace semel
