#include "store/sqlite/sqlite_save.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/crash_point.hpp"
#include "store/packing/id_time.hpp"
#include "store/packing/row_pack.hpp"
#include "store/sqlite/chain_moments.hpp"
#include "store/sqlite/row_codec.hpp"

namespace semel::sqlite {
namespace {

// The limit of prepared updates, one per set of columns. Above it, all columns are written.
constexpr std::size_t kUpdateStatementsMax = 128;

std::string insert_sql(std::string_view table, std::size_t columns) {
    std::string sql = fmt::format("insert into {} values (?", table);
    for (std::size_t i = 1; i < columns; ++i) {
        sql += ", ?";
    }
    return sql + ")";
}

std::string erase_sql(std::string_view table, std::string_view key) {
    return fmt::format("delete from {} where {} = ?", table, key);
}

// Returns the payload if it is small enough for the job's own row.
std::optional<std::string_view> small_payload(const JobBody* body) {
    const bool is_small = body != nullptr && body->payload.size() <= kPayloadBytesInline;
    return is_small ? std::optional<std::string_view>(body->payload) : std::nullopt;
}

// Returns the newest time in generated ids, at least `now`. With many ids per millisecond the ids
// run ahead of the clock. The stored time mark covers them, so that no later process generates them
// again. An id that a caller chose does not count.
Time newest_id(const Changes& changes, Time now) {
    Time newest = now;
    const auto find_last = [&](const auto& rows) {
        for (const auto& change : rows) {
            const Time made = change.before ? now : JobKey(change.after->id).time();
            if (made <= now + kIdsAhead) newest = std::max(newest, made);
        }
    };
    find_last(changes.jobs);
    find_last(changes.schedules);
    find_last(changes.bulk_runs);
    find_last(changes.api_tokens);
    return newest;
}

}  // namespace

SqliteSave::SqliteSave(Connection& connection, NameTable& names, JobNumbers& numbers,
                       ClaimTable& claims, std::int64_t decisions)
    : connection_(connection),
      names_(names),
      numbers_(numbers),
      claims_(claims),
      insert_job_(connection, insert_job_sql()),
      stands_at_(connection, fmt::format("select 1 from job where {}", kThisJob)),
      replace_payload_(connection, fmt::format("update job set payload = ? where {}", kThisJob)),
      erase_job_(connection, fmt::format("delete from job where {}", kThisJob)),
      put_large_payload_(connection, "replace into large_payload values (?, ?)"),
      erase_large_payload_(connection, erase_sql("large_payload", "number")),
      put_result_(connection, "replace into job_result values (?, ?, ?, ?)"),
      erase_result_(connection, erase_sql("job_result", "number")),
      erase_attempts_(connection, erase_sql("attempt", "job")),
      insert_attempt_(connection, insert_sql("attempt", 8)),
      insert_decision_(connection, insert_sql("decision", 4)),
      erase_decision_(connection,
                      "delete from decision where day = ? and tenant = ? and sequence = ?"),
      chains_(connection, names, numbers),
      responses_(connection),
      insert_source_(connection, insert_sql("source", 8)),
      update_source_(
          connection,
          "update source set highest = ?4, holder = ?5, holder_token = ?6, "
          "held_until = ?7, expires_at = ?8 where tenant = ?1 and type = ?2 and id = ?3"),
      erase_source_(connection, "delete from source where tenant = ? and type = ? and id = ?"),
      insert_group_(connection, insert_sql("lock_group", 3)),
      update_group_(connection, "update lock_group set head = ? where tenant = ? and name = ?"),
      erase_group_(connection, "delete from lock_group where tenant = ? and name = ?"),
      insert_schedule_(connection, insert_sql("schedule", 4)),
      update_schedule_(connection,
                       "update schedule set data = ? where tenant = ? and name = ? and id = ?"),
      erase_schedule_(connection, "delete from schedule where tenant = ? and name = ? and id = ?"),
      insert_bulk_run_(connection, insert_sql("bulk_run", 4)),
      update_bulk_run_(connection, "update bulk_run set finished_at = ?, data = ? where id = ?"),
      erase_bulk_run_(connection, erase_sql("bulk_run", "id")),
      insert_api_token_(connection, insert_sql("api_token", 7)),
      erase_api_token_(connection, erase_sql("api_token", "id")),
      add_count_(connection,
                 "insert into job_count values (?, ?, ?) "
                 "on conflict do update set count = count + excluded.count"),
      raise_mark_(connection,
                  "update meta set time_mark = max(time_mark, ?), commits = commits + 1, "
                  "decisions = ?"),
      decisions_(decisions) {}

void SqliteSave::save(const Changes& changes, Time now) {
    counts_.clear();
    for (const auto& change : changes.claims) claims_.save(change);
    claims_.seal_full_segments();
    for (const auto& [id, content] : changes.contents) claims_.save_content(id, content);
    for (const ResponseChange& change : changes.responses) responses_.save(change);
    for (const auto& change : changes.sources) save_source(change);
    SEMEL_CRASH_POINT_IF(!changes.claims.empty(), save_claims);
    save_jobs(changes);
    for (const auto& [id, result] : changes.results) save_result(id, result);
    for (const Attempt& attempt : changes.attempts) append(attempt);
    erase_jobs(changes);  // after the rows that belong to them
    SEMEL_CRASH_POINT_IF(!changes.jobs.empty(), save_jobs);
    SEMEL_CRASH_POINT_IF(starts_blocked_chain(changes), save_start);
    SEMEL_CRASH_POINT_IF(continues_chain(changes), save_continuation);
    for (const auto& change : changes.edges) chains_.save(change);
    SEMEL_CRASH_POINT_IF(releases_blocked(changes), save_release);
    SEMEL_CRASH_POINT_IF(has_failed_dependants(changes), save_told);
    for (const auto& change : changes.groups) save_group(change);
    for (const auto& change : changes.schedules) save_schedule(change);
    SEMEL_CRASH_POINT_IF(!changes.schedules.empty(), save_schedule);
    for (const auto& change : changes.bulk_runs) save_bulk_run(change);
    SEMEL_CRASH_POINT_IF(!changes.bulk_runs.empty(), save_bulk_run);
    for (const auto& change : changes.api_tokens) save_api_token(change);
    for (const DecisionEntry& entry : changes.decisions) append(entry, now);
    for (const DecisionRef& ref : changes.forgotten) erase(ref);
    SEMEL_CRASH_POINT_IF(!changes.decisions.empty(), save_decisions);
    save_counts();
    save_mark(newest_id(changes, now));
}

void SqliteSave::save_mark(Time now) {
    Cursor(raise_mark_).time(now).integer(decisions_).change_one();
}

// ---- jobs -------------------------------------------------------------------------------------

void SqliteSave::save_jobs(const Changes& changes) {
    std::unordered_map<JobId, const JobBody*> bodies;
    bodies.reserve(changes.bodies.size());
    for (const auto& [id, body] : changes.bodies) {
        bodies[id] = &body;
    }
    for (const auto& change : changes.jobs) {
        if (!change.after) {
            continue;
        }
        const auto body = bodies.find(change.after->id);
        save_job(change, body == bodies.end() ? nullptr : body->second);
        chains_.save(change);
        if (body != bodies.end()) {
            bodies.erase(body);
        }
    }
    for (const auto& [id, body] : bodies) {
        replace_body(id, *body);  // of a job that is otherwise unchanged
    }
    for (const auto& change : changes.jobs) {
        chains_.save_bucket(change);
    }
}

void SqliteSave::save_job(const Change<Job>& change, const JobBody* body) {
    if (change.before) {
        update_job(*change.before, *change.after, body);
    } else {
        insert_job(*change.after, body);
    }
}

void SqliteSave::erase_jobs(const Changes& changes) {
    for (const auto& change : changes.jobs) {
        if (!change.after) {
            chains_.save(change);
            count(*change.before, -1);
            erase_job(change.before->id);
        }
    }
}

void SqliteSave::insert_job(const Job& job, const JobBody* body) {
    check_rules(job);
    count(job, +1);
    const JobColumns columns(job, small_payload(body), names_);
    put_large_payload(insert_row(job.id, columns), body);
}

std::int64_t SqliteSave::insert_row(const JobId& id, const JobColumns& columns) {
    const std::int64_t own = JobKey(id).high;
    const std::int64_t known = numbers_.of(id);
    if (known == own && insert_at(own, id, columns)) {
        return own;
    }
    if (stands_at(known, id)) {
        // The id is in use. The batch is decided again, and then finds the row.
        connection_.keep_failure(
            Error(ErrorCode::busy, fmt::format("the id {} is taken", id.to_string())));
        return own;
    }
    std::int64_t number = numbers_.next_twin();
    while (!insert_at(number, id, columns) && !connection_.has_failed()) {
        number = numbers_.next_twin();
    }
    numbers_.remember(id, number);
    return number;
}

bool SqliteSave::insert_at(std::int64_t number, const JobId& id, const JobColumns& columns) {
    Cursor cursor(insert_job_);
    cursor.integer(number).key(id);
    columns.bind(cursor, JobMask().set());
    cursor.change_any();
    return !connection_.has_failed() && connection_.changed_rows() == 1;
}

bool SqliteSave::stands_at(std::int64_t number, const JobId& id) {
    Cursor cursor(stands_at_);
    return cursor.integer(number).key(id).next_row();
}

void SqliteSave::update_job(const Job& before, const Job& after, const JobBody* body) {
    check_rules(after);
    if (before.status != after.status || before.type != after.type) {
        count(before, -1);
        count(after, +1);
    }
    JobMask mask = differing_columns(before, after);
    mask[kPayloadColumn] = body != nullptr;
    const std::int64_t number = numbers_.of(after.id);
    put_large_payload(number, body);
    const JobColumns columns(after, small_payload(body), names_);
    Cursor cursor(update_statement(mask));
    columns.bind(cursor, mask);
    cursor.integer(number).key(after.id).change_one();
}

void SqliteSave::replace_body(const JobId& id, const JobBody& body) {
    const std::int64_t number = numbers_.of(id);
    put_large_payload(number, &body);
    const auto payload = small_payload(&body);
    Cursor cursor(replace_payload_);
    payload ? cursor.bytes(*payload) : cursor.null();
    cursor.integer(number).key(id).change_one();
}

void SqliteSave::check_rules(const Job& job) {
    if (const auto rule = broken_rule(job)) {
        connection_.keep_failure(Error(
            ErrorCode::invalid, fmt::format("job {} is not saved: {}", job.id.to_string(), *rule)));
    }
}

void SqliteSave::put_large_payload(std::int64_t number, const JobBody* body) {
    if (body != nullptr && !small_payload(body)) {
        Cursor(put_large_payload_).integer(number).bytes(body->payload).change_one();
    }
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
    const std::int64_t number = numbers_.of(id);
    Cursor(erase_job_).integer(number).key(id).change_one();
    Cursor(erase_large_payload_).integer(number).change_any();
    Cursor(erase_result_).integer(number).change_any();
    Cursor(erase_attempts_).integer(number).change_any();
    numbers_.forget(id);
}

void SqliteSave::save_result(const JobId& id, const std::optional<JobResult>& result) {
    if (!result) {
        Cursor(erase_result_).integer(numbers_.of(id)).change_any();
        return;
    }
    Cursor cursor(put_result_);
    cursor.integer(numbers_.of(id));
    bind_result(cursor, *result);
    cursor.change_one();
}

void SqliteSave::append(const Attempt& attempt) {
    Cursor cursor(insert_attempt_);
    cursor.integer(numbers_.of(attempt.job));
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

void SqliteSave::save_source(const Change<Source>& change) {
    if (!change.after) {
        const SourceKey& key = change.before->key;
        Cursor(erase_source_).text(key.tenant).text(key.type).text(key.id).change_one();
        return;
    }
    Cursor cursor(change.before ? update_source_ : insert_source_);
    bind_source(cursor, *change.after);
    cursor.change_one();
}

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

void SqliteSave::save_schedule(const Change<Schedule>& change) {
    // Deleted and created again in one batch: two schedules with one name.
    const bool is_another = change.before && change.after && change.before->id != change.after->id;
    if (change.before && (!change.after || is_another)) {
        const ScheduleKey& key = change.before->key;
        Cursor(erase_schedule_).text(key.tenant).text(key.name).id(change.before->id).change_one();
    }
    if (!change.after) {
        return;
    }
    const Schedule& schedule = *change.after;
    const std::string data = pack_schedule(schedule);
    if (change.before && !is_another) {
        Cursor(update_schedule_)
            .bytes(data)
            .text(schedule.key.tenant)
            .text(schedule.key.name)
            .id(schedule.id)
            .change_one();
    } else {
        Cursor(insert_schedule_)
            .text(schedule.key.tenant)
            .text(schedule.key.name)
            .id(schedule.id)
            .bytes(data)
            .change_one();
    }
}

void SqliteSave::save_bulk_run(const Change<BulkRun>& change) {
    if (!change.after) {
        Cursor(erase_bulk_run_).id(change.before->id).change_one();
        return;
    }
    const BulkRun& bulk_run = *change.after;
    const std::string data = pack_bulk_run(bulk_run);
    if (change.before) {
        Cursor(update_bulk_run_)
            .optional_time(bulk_run.finished_at)
            .bytes(data)
            .id(bulk_run.id)
            .change_one();
    } else {
        Cursor(insert_bulk_run_)
            .id(bulk_run.id)
            .text(bulk_run.tenant)
            .optional_time(bulk_run.finished_at)
            .bytes(data)
            .change_one();
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

void SqliteSave::append(const DecisionEntry& entry, Time now) {
    const std::string data = pack_decision(entry);
    Cursor(insert_decision_)
        .integer(day_of(now))
        .integer(names_.number(entry.tenant))
        .integer(++decisions_)
        .bytes(data)
        .change_one();
}

void SqliteSave::erase(const DecisionRef& ref) {
    Cursor(erase_decision_)
        .integer(ref.day)
        .integer(names_.number(ref.tenant))
        .integer(ref.sequence)
        .change_one();
}

}  // namespace semel::sqlite
