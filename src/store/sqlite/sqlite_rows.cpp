#include "store/sqlite/sqlite_rows.hpp"

#include <fmt/format.h>

#include "store/sqlite/job_codec.hpp"
#include "store/sqlite/row_codec.hpp"

namespace semel::sqlite {
namespace {

std::vector<TimedJob> read_line(Statement& statement, int limit) {
    std::vector<TimedJob> line;
    Cursor cursor(statement);
    cursor.integer(limit);
    while (cursor.next_row()) {
        const Time at = cursor.read_time();
        line.push_back({at, cursor.read_id()});
    }
    return line;
}

}  // namespace

// Each query of a line names its index: one that could not be used is an error, not a slow answer.
SqliteRows::SqliteRows(Connection& connection)
    : claim_(connection, fmt::format("select {} from claim where id = ?", kClaimColumns)),
      receipt_(connection, "select body from receipt where claim = ?"),
      job_(connection, fmt::format("select {} from job where id = ?", kJobColumns)),
      body_(connection, "select payload from job_body where id = ?"),
      result_(connection, fmt::format("select {} from job_result where id = ?", kResultColumns)),
      group_(connection, "select head from lock_group where tenant = ? and name = ?"),
      api_token_(connection,
                 fmt::format("select {} from api_token where id = ?", kApiTokenColumns)),
      first_ready_tenant_(
          connection,
          "select tenant from job indexed by job_ready where place = 1 order by tenant limit 1"),
      next_ready_tenant_(connection,
                         "select tenant from job indexed by job_ready where place = 1 and "
                         "tenant > ? order by tenant limit 1"),
      ready_(connection,
             "select urgency, scheduled_at, id from job indexed by job_ready where place = 1 and "
             "tenant = ? and type = ? order by urgency, scheduled_at, id limit ?"),
      ready_after_(connection,
                   "select urgency, scheduled_at, id from job indexed by job_ready where place = 1 "
                   "and tenant = ? and type = ? and (urgency, scheduled_at, id) > (?, ?, ?) "
                   "order by urgency, scheduled_at, id limit ?"),
      later_(connection,
             "select scheduled_at, id from job indexed by job_later where place = 0 "
             "order by scheduled_at, id limit ?"),
      running_(connection,
               "select min(lease_until, coalesce(timeout_at, lease_until)), id from job "
               "indexed by job_running where place = 2 "
               "order by min(lease_until, coalesce(timeout_at, lease_until)), id limit ?"),
      finished_(connection,
                "select completed_at, id from job indexed by job_finished "
                "where completed_at is not null order by completed_at, id limit ?"),
      waiting_(connection, fmt::format("select {} from job indexed by job_waiting where place = 3 "
                                       "and tenant = ? and lock_group = ? "
                                       "order by scheduled_at, id limit ?",
                                       kJobColumns)),
      expired_claims_(connection,
                      "select id from claim indexed by claim_expiring where expires_at <= ? "
                      "order by expires_at, id limit ?") {}

std::optional<Claim> SqliteRows::claim(const ClaimId& id) {
    Cursor cursor(claim_);
    if (!cursor.hash(id).next_row()) {
        return std::nullopt;
    }
    Claim claim = read_claim(cursor);
    if (claim.receipt) {
        Cursor receipt(receipt_);
        if (receipt.hash(id).next_row()) {
            claim.receipt->body = receipt.read_string();
        }
    }
    return claim;
}

std::optional<Job> SqliteRows::job(const JobId& id) {
    Cursor cursor(job_);
    return cursor.id(id).next_row() ? std::optional(read_job(cursor)) : std::nullopt;
}

std::optional<JobBody> SqliteRows::body(const JobId& id) {
    Cursor cursor(body_);
    return cursor.id(id).next_row() ? std::optional(JobBody{cursor.read_string()}) : std::nullopt;
}

std::optional<JobResult> SqliteRows::result(const JobId& id) {
    Cursor cursor(result_);
    return cursor.id(id).next_row() ? std::optional(read_result(cursor)) : std::nullopt;
}

std::optional<LockGroup> SqliteRows::group(const GroupKey& key) {
    Cursor cursor(group_);
    if (!cursor.text(key.tenant).text(key.name).next_row()) {
        return std::nullopt;
    }
    return LockGroup{key, cursor.read_id()};
}

std::optional<ApiToken> SqliteRows::api_token(const Uuid& id) {
    Cursor cursor(api_token_);
    return cursor.id(id).next_row() ? std::optional(read_api_token(cursor)) : std::nullopt;
}

std::optional<std::string> SqliteRows::ready_tenant_after(
    const std::optional<std::string>& tenant) {
    Cursor cursor(tenant ? next_ready_tenant_ : first_ready_tenant_);
    if (tenant) {
        cursor.text(*tenant);
    }
    return cursor.next_row() ? std::optional(cursor.read_string()) : std::nullopt;
}

std::vector<ReadyEntry> SqliteRows::ready(const std::string& tenant, const std::string& type,
                                          const std::optional<ReadyEntry>& after, int limit) {
    Cursor cursor(after ? ready_after_ : ready_);
    cursor.text(tenant).text(type);
    if (after) {
        cursor.integer(after->urgency).time(after->scheduled_at).id(after->id);
    }
    cursor.integer(limit);
    std::vector<ReadyEntry> entries;
    while (cursor.next_row()) {
        ReadyEntry entry;
        entry.urgency = cursor.read_int();
        entry.scheduled_at = cursor.read_time();
        entry.id = cursor.read_id();
        entries.push_back(entry);
    }
    return entries;
}

std::vector<TimedJob> SqliteRows::later(int limit) {
    return read_line(later_, limit);
}

std::vector<TimedJob> SqliteRows::running(int limit) {
    return read_line(running_, limit);
}

std::vector<TimedJob> SqliteRows::finished(int limit) {
    return read_line(finished_, limit);
}

std::vector<Job> SqliteRows::waiting(const GroupKey& key, int limit) {
    Cursor cursor(waiting_);
    cursor.text(key.tenant).text(key.name).integer(limit);
    std::vector<Job> jobs;
    while (cursor.next_row()) {
        jobs.push_back(read_job(cursor));
    }
    return jobs;
}

std::vector<ClaimId> SqliteRows::expired_claims(Time now, int limit) {
    Cursor cursor(expired_claims_);
    cursor.time(now).integer(limit);
    std::vector<ClaimId> claims;
    while (cursor.next_row()) {
        claims.push_back(cursor.read_hash());
    }
    return claims;
}

}  // namespace semel::sqlite
