#include "store/sqlite/sqlite_save.hpp"

#include <fmt/format.h>

#include "store/sqlite/row_codec.hpp"

namespace semel::sqlite {
namespace {

// Kinds of change are few; if they ever are not, columns are written in full.
constexpr std::size_t kUpdateStatementsMax = 128;

std::string insert_sql(std::string_view table, int columns) {
    std::string sql = fmt::format("insert into {} values (?", table);
    for (int i = 1; i < columns; ++i) {
        sql += ", ?";
    }
    return sql + ")";
}

std::string erase_sql(std::string_view table, std::string_view key) {
    return fmt::format("delete from {} where {} = ?", table, key);
}

}  // namespace

SqliteSave::SqliteSave(Connection& connection)
    : connection_(connection),
      insert_claim_(connection, insert_sql("claim", 13)),
      update_claim_(connection,
                    "update claim set tenant = ?, space = ?, full_key = ?, state = ?, token = ?, "
                    "created_at = ?, window_from = ?, expires_at = ?, owner = ?, purged_as = ?, "
                    "fingerprint = ?, receipt_status = ? where id = ?"),
      erase_claim_(connection, erase_sql("claim", "id")),
      put_receipt_(connection, "replace into receipt values (?, ?)"),
      erase_receipt_(connection, erase_sql("receipt", "claim")),
      insert_job_(connection, insert_sql("job", kJobColumnCount)),
      erase_job_(connection, erase_sql("job", "id")),
      put_body_(connection, "replace into job_body values (?, ?)"),
      erase_body_(connection, erase_sql("job_body", "id")),
      put_result_(connection, "replace into job_result values (?, ?, ?, ?)"),
      erase_result_(connection, erase_sql("job_result", "id")),
      erase_attempts_(connection, erase_sql("attempt", "job")),
      insert_attempt_(connection, insert_sql("attempt", 8)),
      insert_decision_(connection, fmt::format("insert into decision ({}) values (?, ?, ?, ?, ?, "
                                               "?, ?, ?, ?, ?, ?, ?, ?, ?)",
                                               kDecisionColumns)),
      insert_group_(connection, insert_sql("lock_group", 3)),
      update_group_(connection, "update lock_group set head = ? where tenant = ? and name = ?"),
      erase_group_(connection, "delete from lock_group where tenant = ? and name = ?"),
      insert_api_token_(connection, insert_sql("api_token", 7)),
      erase_api_token_(connection, erase_sql("api_token", "id")),
      add_count_(connection,
                 "insert into job_count values (?, ?, ?) "
                 "on conflict do update set count = count + excluded.count"),
      raise_mark_(connection,
                  "update meta set time_mark = max(time_mark, ?), commits = commits + 1") {}

void SqliteSave::save(const Changes& changes, Time now) {
    counts_.clear();
    for (const auto& change : changes.claims) save_claim(change);
    for (const auto& [id, body] : changes.bodies) {
        Cursor(put_body_).id(id).bytes(body.payload).change_one();
    }
    for (const auto& [id, result] : changes.results) save_result(id, result);
    for (const Attempt& attempt : changes.attempts) append(attempt);
    for (const auto& change : changes.jobs) save_job(change);  // a deletion takes the rest along
    for (const auto& change : changes.groups) save_group(change);
    for (const auto& change : changes.api_tokens) save_api_token(change);
    for (const DecisionEntry& entry : changes.decisions) append(entry);
    save_counts();
    save_mark(now);
}

void SqliteSave::save_mark(Time now) {
    Cursor(raise_mark_).time(now).change_one();
}

// ---- claims -----------------------------------------------------------------------------------

void SqliteSave::save_claim(const Change<Claim>& change) {
    if (!change.after) {
        Cursor(erase_claim_).hash(change.before->id).change_one();
    } else if (!change.before) {
        Cursor cursor(insert_claim_);
        cursor.hash(change.after->id);
        bind_claim(cursor, *change.after);
        cursor.change_one();
    } else {
        Cursor cursor(update_claim_);
        bind_claim(cursor, *change.after);
        cursor.hash(change.after->id).change_one();
    }
    save_receipt(change);
}

void SqliteSave::save_receipt(const Change<Claim>& change) {
    const Receipt* before =
        change.before && change.before->receipt ? &*change.before->receipt : nullptr;
    const Receipt* after =
        change.after && change.after->receipt ? &*change.after->receipt : nullptr;
    if (after != nullptr && (before == nullptr || before->body != after->body)) {
        Cursor(put_receipt_).hash(change.after->id).bytes(after->body).change_one();
    } else if (after == nullptr && before != nullptr) {
        Cursor(erase_receipt_).hash(change.before->id).change_one();
    }
}

// ---- jobs -------------------------------------------------------------------------------------

void SqliteSave::save_job(const Change<Job>& change) {
    if (!change.after) {
        count(*change.before, -1);
        erase_job(change.before->id);
        return;
    }
    if (change.before) {
        update_job(*change.before, *change.after);
        return;
    }
    count(*change.after, +1);
    JobScratch scratch;
    Cursor cursor(insert_job_);
    bind_columns(cursor, *change.after, JobMask().set(), scratch);
    cursor.change_one();
}

void SqliteSave::update_job(const Job& before, const Job& after) {
    const JobMask mask = differing_columns(before, after);
    if (mask.none()) {
        return;
    }
    if (before.status != after.status || before.type != after.type) {
        count(before, -1);
        count(after, +1);
    }
    JobScratch scratch;
    Cursor cursor(update_statement(mask));
    bind_columns(cursor, after, mask, scratch);
    cursor.id(before.id).change_one();
}

Statement& SqliteSave::update_statement(const JobMask& mask) {
    if (update_job_.size() >= kUpdateStatementsMax && !update_job_.contains(mask)) {
        update_job_.clear();
    }
    auto& statement = update_job_[mask];
    if (!statement || !statement->is_prepared()) {
        statement = std::make_unique<Statement>(connection_, update_sql(mask));
    }
    return *statement;
}

void SqliteSave::erase_job(const JobId& id) {
    Cursor(erase_job_).id(id).change_one();
    Cursor(erase_body_).id(id).change_any();
    Cursor(erase_result_).id(id).change_any();
    Cursor(erase_attempts_).id(id).change_any();
}

void SqliteSave::save_result(const JobId& id, const std::optional<JobResult>& result) {
    if (!result) {
        Cursor(erase_result_).id(id).change_any();
        return;
    }
    Cursor cursor(put_result_);
    cursor.id(id);
    bind_result(cursor, *result);
    cursor.change_one();
}

void SqliteSave::append(const Attempt& attempt) {
    Cursor cursor(insert_attempt_);
    bind_attempt(cursor, attempt);
    cursor.change_one();
}

void SqliteSave::count(const Job& job, int by) {
    counts_[{job.type, job.status}] += by;
}

void SqliteSave::save_counts() {
    for (const auto& [key, by] : counts_) {
        if (by != 0) {
            Cursor(add_count_)
                .text(key.first)
                .integer(static_cast<int>(key.second))
                .integer(by)
                .change_one();
        }
    }
}

// ---- the rest ---------------------------------------------------------------------------------

void SqliteSave::save_group(const Change<LockGroup>& change) {
    const GroupKey& key = change.after ? change.after->key : change.before->key;
    if (!change.after) {
        Cursor(erase_group_).text(key.tenant).text(key.name).change_one();
    } else if (change.before) {
        Cursor(update_group_).id(change.after->head).text(key.tenant).text(key.name).change_one();
    } else {
        Cursor(insert_group_).text(key.tenant).text(key.name).id(change.after->head).change_one();
    }
}

void SqliteSave::save_api_token(const Change<ApiToken>& change) {
    if (change.before) {
        Cursor(erase_api_token_).id(change.before->id).change_one();
    }
    if (change.after) {
        Cursor cursor(insert_api_token_);
        bind_api_token(cursor, *change.after);
        cursor.change_one();
    }
}

void SqliteSave::append(const DecisionEntry& entry) {
    Cursor cursor(insert_decision_);
    bind_decision(cursor, entry);
    cursor.change_one();
}

}  // namespace semel::sqlite
