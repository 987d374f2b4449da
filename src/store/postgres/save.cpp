#include "store/postgres/save.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "store/job_columns.hpp"
#include "store/row_pack.hpp"

namespace semel::postgres {
namespace {

constexpr std::int64_t kAnyNumber = -1;

// The columns of a job, but for the tenant and the schedule, which never change.
struct JobColumns {
    Array id{Type::uuid};
    Array type{Type::text};
    Array status{Type::int8};
    Array place{Type::int8};
    Array shelf{Type::int8};
    Array urgency{Type::int8};
    Array scheduled_at{Type::int8};
    Array created_at{Type::int8};
    Array completed_at{Type::int8};
    Array chain{Type::uuid};
    Array lock_group{Type::text};
    Array token{Type::int8};
    Array slot{Type::int8};
    Array data{Type::bytea};
    Array payload{Type::bytea};  // null: as it is

    void add(const Job& job, const JobBody* body) {
        id.id(job.id);
        type.bytes(job.type);
        status.integer(static_cast<int>(job.status));
        place.integer(static_cast<int>(job.place));
        shelf.integer(shelf_of(job.status));
        urgency.integer(-job.priority);
        scheduled_at.time(job.scheduled_at);
        created_at.time(job.created_at);
        completed_at.optional_time(job.completed_at);
        chain.id(job.chain);
        job.lock_group.empty() ? lock_group.null() : lock_group.bytes(job.lock_group);
        token.integer(to_int(job.token));
        slot.optional_time(job.occurrence ? job.occurrence->slot : std::nullopt);
        data.bytes(pack_job(job));
        body != nullptr ? payload.bytes(body->payload) : payload.null();
    }

    [[nodiscard]] Params params() const {
        Params params;
        params.array(id).array(type).array(status).array(place).array(shelf).array(urgency);
        params.array(scheduled_at).array(created_at).array(completed_at).array(chain);
        params.array(lock_group).array(token).array(slot).array(data).array(payload);
        return params;
    }
};

constexpr std::string_view kJobParameters =
    "id, type, status, place, shelf, urgency, scheduled_at, created_at, completed_at, chain, "
    "lock_group, token, slot, data, payload";

// Where a job stands in line, as the row that says so.
struct LineRow {
    Place place = Place::done;
    std::string tenant;
    std::string lane;  // type, or lock group
    std::int64_t at = 0;
    int urgency = 0;
    JobId id;

    bool operator==(const LineRow&) const = default;
};

std::optional<LineRow> line_of(const std::optional<Job>& job) {
    if (!job) {
        return std::nullopt;
    }
    LineRow row{
        .place = job->place, .tenant = {}, .lane = {}, .at = 0, .urgency = 0, .id = job->id};
    switch (job->place) {
        case Place::later: row.at = to_ms(job->scheduled_at); return row;
        case Place::running: row.at = to_ms(*deadline_of(*job)); return row;
        case Place::ready:
            row.tenant = job->tenant;
            row.lane = job->type;
            row.at = to_ms(job->scheduled_at);
            row.urgency = -job->priority;
            return row;
        case Place::waiting:
            row.tenant = job->tenant;
            row.lane = job->lock_group;
            row.at = to_ms(job->scheduled_at);
            return row;
        case Place::blocked:
        case Place::predecessor:
        case Place::done:
        case Place::paused: return std::nullopt;
    }
    return std::nullopt;
}

struct LineColumns {
    Array tenant{Type::text};
    Array lane{Type::text};
    Array urgency{Type::int8};
    Array at{Type::int8};
    Array id{Type::uuid};

    void add(const LineRow& row) {
        tenant.bytes(row.tenant);
        lane.bytes(row.lane);
        urgency.integer(row.urgency);
        at.integer(row.at);
        id.id(row.id);
    }
    [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(id.size()); }
};

template <typename Row, typename Key>
std::vector<const Row*> insertions(const std::vector<Change<Row>>& changes, Key key) {
    std::vector<const Row*> rows;
    for (const auto& change : changes) {
        if (!change.before) rows.push_back(&*change.after);
    }
    std::sort(rows.begin(), rows.end(),
              [key](const Row* a, const Row* b) { return key(*a) < key(*b); });
    return rows;
}

std::int64_t count_of(const Array& array) {
    return static_cast<std::int64_t>(array.size());
}

std::unordered_map<JobId, const JobBody*> bodies_of(const Changes& changes) {
    std::unordered_map<JobId, const JobBody*> bodies;
    bodies.reserve(changes.bodies.size());
    for (const auto& [id, body] : changes.bodies) bodies[id] = &body;
    return bodies;
}

const JobBody* body_of(const std::unordered_map<JobId, const JobBody*>& bodies, const JobId& id) {
    const auto found = bodies.find(id);
    return found == bodies.end() ? nullptr : found->second;
}

}  // namespace

void Save::queue(const Changes& changes, const Uuid& mark, Time now) {
    expected_.clear();
    error_.reset();
    queue_claims(changes);
    queue_jobs(changes);
    queue_bodies(changes);
    queue_results(changes);
    queue_schedules(changes);
    queue_groups(changes);
    queue_bulk_runs(changes);
    queue_api_tokens(changes);
    queue_claim_inserts(changes);
    queue_job_inserts(changes);
    queue_lines(changes);
    queue_attempts(changes);
    queue_counts(changes);
    queue_decisions(changes, now);
    ask("insert into semel.commit_mark values ($1, $2)", Params().id(mark).time(now), 1);
}

Result<void> Save::check(const std::vector<Rows>& answers, std::size_t first) const {
    if (error_) {
        return *error_;
    }
    for (std::size_t i = 0; i < expected_.size(); ++i) {
        const std::int64_t touched = answers.at(first + i).affected();
        if (expected_[i] != kAnyNumber && touched != expected_[i]) {
            return Error(ErrorCode::invalid,
                         fmt::format("a change is not saved: {} rows touched instead of {}",
                                     touched, expected_[i]));
        }
    }
    return {};
}

void Save::ask(const std::string& sql, const Params& params, std::int64_t rows) {
    connection_.queue(sql, params);
    expected_.push_back(rows);
}

void Save::delete_by_id(const std::string& table, const std::string& key, const Array& keys,
                        std::int64_t rows) {
    if (keys.size() > 0) {
        ask(fmt::format("delete from semel.{} where {} = any($1)", table, key),
            Params().array(keys), rows);
    }
}

// ---- claims -----------------------------------------------------------------------------------

void Save::queue_claims(const Changes& changes) {
    Array gone(Type::bytea);
    Array id(Type::bytea);
    Array expires_at(Type::int8);
    Array data(Type::bytea);
    Array receipt(Type::bytea);
    Array sealed(Type::boolean);  // whether the receipt is another one
    for (const auto& change : changes.claims) {
        if (!change.after) gone.hash(change.before->id);
        if (!change.before || !change.after) continue;
        const Claim& claim = *change.after;
        id.hash(claim.id);
        expires_at.optional_time(claim.expires_at);
        data.bytes(pack_claim(claim));
        const bool differs = change.before->receipt != claim.receipt;
        sealed.boolean(differs);
        claim.receipt&& differs ? receipt.bytes(claim.receipt->body) : receipt.null();
    }
    delete_by_id("claim", "id", gone, count_of(gone));
    if (id.size() > 0) {
        ask("update semel.claim c set expires_at = u.expires_at, data = u.data, "
            "receipt = case when u.sealed then u.receipt else c.receipt end "
            "from unnest($1, $2, $3, $4, $5) u (id, expires_at, data, receipt, sealed) "
            "where c.id = u.id",
            Params().array(id).array(expires_at).array(data).array(receipt).array(sealed),
            count_of(id));
    }
}

void Save::queue_claim_inserts(const Changes& changes) {
    Array id(Type::bytea);
    Array expires_at(Type::int8);
    Array data(Type::bytea);
    Array receipt(Type::bytea);
    for (const Claim* claim : insertions(changes.claims, [](const Claim& row) { return row.id; })) {
        id.hash(claim->id);
        expires_at.optional_time(claim->expires_at);
        data.bytes(pack_claim(*claim));
        claim->receipt ? receipt.bytes(claim->receipt->body) : receipt.null();
    }
    if (id.size() > 0) {
        ask("insert into semel.claim (id, expires_at, data, receipt) "
            "select * from unnest($1, $2, $3, $4)",
            Params().array(id).array(expires_at).array(data).array(receipt), count_of(id));
    }
}

// ---- jobs -------------------------------------------------------------------------------------

void Save::queue_jobs(const Changes& changes) {
    const auto bodies = bodies_of(changes);
    JobColumns columns;
    Array gone(Type::uuid);
    for (const auto& change : changes.jobs) {
        if (change.after) {
            if (const auto rule = broken_rule(*change.after)) {
                error_ = Error(
                    ErrorCode::invalid,
                    fmt::format("job {} is not saved: {}", change.after->id.to_string(), *rule));
            }
        }
        if (!change.after) {
            gone.id(change.before->id);
        } else if (change.before) {
            columns.add(*change.after, body_of(bodies, change.after->id));
        }
    }
    if (columns.id.size() > 0) {
        ask(fmt::format("update semel.job j set type = u.type, status = u.status, place = u.place, "
                        "shelf = u.shelf, urgency = u.urgency, scheduled_at = u.scheduled_at, "
                        "created_at = u.created_at, completed_at = u.completed_at, chain = "
                        "u.chain, lock_group = u.lock_group, token = u.token, "
                        "slot = u.slot, data = u.data, payload = coalesce(u.payload, j.payload) "
                        "from unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, "
                        "$15) u ({}) "
                        "where j.id = u.id",
                        kJobParameters),
            columns.params(), count_of(columns.id));
    }
    delete_by_id("job", "id", gone, count_of(gone));
    delete_by_id("job_result", "job", gone, kAnyNumber);
    delete_by_id("attempt", "job", gone, kAnyNumber);
}

void Save::queue_job_inserts(const Changes& changes) {
    const auto bodies = bodies_of(changes);
    JobColumns columns;
    Array tenant(Type::text);
    Array schedule(Type::uuid);
    Array schedule_name(Type::text);
    for (const Job* job : insertions(changes.jobs, [](const Job& row) { return row.id; })) {
        columns.add(*job, body_of(bodies, job->id));
        tenant.bytes(job->tenant);
        job->occurrence ? schedule.id(job->occurrence->schedule) : schedule.null();
        job->occurrence ? schedule_name.bytes(job->occurrence->name) : schedule_name.null();
    }
    if (columns.id.size() > 0) {
        Params params = columns.params();
        params.array(tenant).array(schedule).array(schedule_name);
        ask(fmt::format("insert into semel.job ({}, tenant, schedule, "
                        "schedule_name) select * from unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, "
                        "$10, $11, $12, $13, $14, $15, $16, $17, $18)",
                        kJobParameters),
            params, count_of(columns.id));
    }
}

// Of jobs that are otherwise unchanged.
void Save::queue_bodies(const Changes& changes) {
    auto bodies = bodies_of(changes);
    for (const auto& change : changes.jobs) {
        bodies.erase(change.after ? change.after->id : change.before->id);
    }
    Array id(Type::uuid);
    Array payload(Type::bytea);
    for (const auto& [job, body] : bodies) {
        id.id(job);
        payload.bytes(body->payload);
    }
    if (id.size() > 0) {
        ask("update semel.job j set payload = u.payload from unnest($1, $2) u (id, payload) "
            "where j.id = u.id",
            Params().array(id).array(payload), count_of(id));
    }
}

void Save::queue_lines(const Changes& changes) {
    std::map<Place, LineColumns> left;
    std::map<Place, LineColumns> entered;
    for (const auto& change : changes.jobs) {
        const auto before = line_of(change.before);
        const auto after = line_of(change.after);
        if (before == after) continue;
        if (before) left[before->place].add(*before);
        if (after) entered[after->place].add(*after);
    }
    for (const auto& [place, rows] : left) {
        switch (place) {
            case Place::later:
                ask("delete from semel.later where (scheduled_at, id) in "
                    "(select * from unnest($1, $2))",
                    Params().array(rows.at).array(rows.id), rows.size());
                break;
            case Place::running: delete_by_id("running", "id", rows.id, rows.size()); break;
            case Place::ready:
                ask("delete from semel.ready where (tenant, type, urgency, scheduled_at, id) in "
                    "(select * from unnest($1, $2, $3, $4, $5))",
                    Params()
                        .array(rows.tenant)
                        .array(rows.lane)
                        .array(rows.urgency)
                        .array(rows.at)
                        .array(rows.id),
                    rows.size());
                break;
            default:
                ask("delete from semel.waiting where (tenant, lock_group, scheduled_at, id) in "
                    "(select * from unnest($1, $2, $3, $4))",
                    Params().array(rows.tenant).array(rows.lane).array(rows.at).array(rows.id),
                    rows.size());
        }
    }
    for (const auto& [place, rows] : entered) {
        switch (place) {
            case Place::later:
                ask("insert into semel.later select * from unnest($1, $2)",
                    Params().array(rows.at).array(rows.id), rows.size());
                break;
            case Place::running:
                ask("insert into semel.running select * from unnest($1, $2)",
                    Params().array(rows.id).array(rows.at), rows.size());
                break;
            case Place::ready:
                ask("insert into semel.ready select * from unnest($1, $2, $3, $4, $5)",
                    Params()
                        .array(rows.tenant)
                        .array(rows.lane)
                        .array(rows.urgency)
                        .array(rows.at)
                        .array(rows.id),
                    rows.size());
                break;
            default:
                ask("insert into semel.waiting select * from unnest($1, $2, $3, $4)",
                    Params().array(rows.tenant).array(rows.lane).array(rows.at).array(rows.id),
                    rows.size());
        }
    }
}

void Save::queue_results(const Changes& changes) {
    Array gone(Type::uuid);
    Array job(Type::uuid);
    Array output(Type::bytea);
    Array message(Type::bytea);
    Array code(Type::bytea);
    for (const auto& [id, result] : changes.results) {
        if (!result) {
            gone.id(id);
            continue;
        }
        job.id(id);
        output.optional_bytes(result->output);
        message.optional_bytes(result->error_message);
        code.optional_bytes(result->error_code);
    }
    delete_by_id("job_result", "job", gone, kAnyNumber);
    if (job.size() > 0) {
        ask("insert into semel.job_result select * from unnest($1, $2, $3, $4) "
            "on conflict (job) do update set output = excluded.output, "
            "error_message = excluded.error_message, error_code = excluded.error_code",
            Params().array(job).array(output).array(message).array(code), count_of(job));
    }
}

void Save::queue_attempts(const Changes& changes) {
    if (changes.attempts.empty()) {
        return;
    }
    Array job(Type::uuid);
    Array token(Type::int8);
    Array number(Type::int8);
    Array worker(Type::bytea);
    Array started_at(Type::int8);
    Array ended_at(Type::int8);
    Array ending(Type::int8);
    Array error(Type::bytea);
    for (const Attempt& attempt : changes.attempts) {
        job.id(attempt.job);
        token.integer(to_int(attempt.token));
        number.integer(attempt.number);
        worker.bytes(attempt.worker);
        started_at.time(attempt.started_at);
        ended_at.time(attempt.ended_at);
        ending.integer(static_cast<int>(attempt.end));
        error.bytes(attempt.error);
    }
    Params params;
    params.array(job).array(token).array(number).array(worker);
    params.array(started_at).array(ended_at).array(ending).array(error);
    ask("insert into semel.attempt select * from unnest($1, $2, $3, $4, $5, $6, $7, $8)", params,
        count_of(job));
}

void Save::queue_counts(const Changes& changes) {
    std::map<std::pair<std::string, Status>, std::int64_t> counts;
    for (const auto& change : changes.jobs) {
        if (change.before) --counts[{change.before->type, change.before->status}];
        if (change.after) ++counts[{change.after->type, change.after->status}];
    }
    Array type(Type::text);
    Array status(Type::int8);
    Array by(Type::int8);
    for (const auto& [key, count] : counts) {
        if (count != 0) {
            type.bytes(key.first);
            status.integer(static_cast<int>(key.second));
            by.integer(count);
        }
    }
    if (type.size() > 0) {
        ask("insert into semel.job_count select * from unnest($1, $2, $3)",
            Params().array(type).array(status).array(by), count_of(type));
    }
}

// ---- the rest ---------------------------------------------------------------------------------

void Save::queue_groups(const Changes& changes) {
    for (const auto& change : changes.groups) {
        const GroupKey& key = change.after ? change.after->key : change.before->key;
        Params params;
        params.text(key.tenant).text(key.name);
        if (!change.after) {
            ask("delete from semel.lock_group where tenant = $1 and name = $2", params, 1);
        } else if (change.before) {
            ask("update semel.lock_group set head = $3 where tenant = $1 and name = $2",
                params.id(change.after->head), 1);
        }
    }
    for (const LockGroup* group :
         insertions(changes.groups, [](const LockGroup& row) { return row.key; })) {
        ask("insert into semel.lock_group values ($1, $2, $3)",
            Params().text(group->key.tenant).text(group->key.name).id(group->head), 1);
    }
}

void Save::queue_schedules(const Changes& changes) {
    std::vector<const Schedule*> made =
        insertions(changes.schedules, [](const Schedule& row) { return row.key; });
    for (const auto& change : changes.schedules) {
        if (!change.before) continue;
        // Deleted and made anew in one batch: two of the same name.
        const bool is_another = change.after && change.before->id != change.after->id;
        if (!change.after || is_another) {
            ask("delete from semel.schedule where id = $1", Params().id(change.before->id), 1);
        } else {
            ask("update semel.schedule set data = $2 where id = $1",
                Params().id(change.before->id).bytes(pack_schedule(*change.after)), 1);
        }
        if (is_another) made.push_back(&*change.after);
    }
    for (const Schedule* schedule : made) {
        ask("insert into semel.schedule values ($1, $2, $3, $4)",
            Params()
                .text(schedule->key.tenant)
                .text(schedule->key.name)
                .id(schedule->id)
                .bytes(pack_schedule(*schedule)),
            1);
    }
}

void Save::queue_bulk_runs(const Changes& changes) {
    for (const auto& change : changes.bulk_runs) {
        if (!change.after) {
            ask("delete from semel.bulk_run where id = $1", Params().id(change.before->id), 1);
            continue;
        }
        const BulkRun& run = *change.after;
        Params params;
        params.id(run.id);
        run.finished_at ? params.time(*run.finished_at) : params.null(Type::int8);
        params.bytes(pack_bulk_run(run));
        if (change.before) {
            ask("update semel.bulk_run set finished_at = $2, data = $3 where id = $1", params, 1);
        } else {
            ask("insert into semel.bulk_run (id, finished_at, data, tenant) "
                "values ($1, $2, $3, $4)",
                params.text(run.tenant), 1);
        }
    }
}

void Save::queue_api_tokens(const Changes& changes) {
    for (const auto& change : changes.api_tokens) {
        if (change.before) {
            ask("delete from semel.api_token where id = $1", Params().id(change.before->id), 1);
        }
        if (!change.after) continue;
        const ApiToken& token = *change.after;
        Params params;
        params.id(token.id).text(token.tenant).text(token.name).integer(token.scopes);
        params.hash(token.secret_hash).time(token.created_at);
        token.expires_at ? params.time(*token.expires_at) : params.null(Type::int8);
        ask("insert into semel.api_token values ($1, $2, $3, $4, $5, $6, $7)", params, 1);
    }
}

void Save::queue_decisions(const Changes& changes, Time now) {
    Array tenant(Type::text);
    Array data(Type::bytea);
    for (const DecisionEntry& entry : changes.decisions) {
        tenant.bytes(entry.tenant);
        data.bytes(pack_decision(entry));
    }
    if (tenant.size() > 0) {
        ask("insert into semel.decision (day, tenant, data) "
            "select $1::bigint, t, d from unnest($2, $3) with ordinality u (t, d, n) order by n",
            Params().integer(day_of(now)).array(tenant).array(data), count_of(tenant));
    }
    Array old_tenant(Type::text);
    Array sequence(Type::int8);
    for (const DecisionRef& line : changes.forgotten) {
        old_tenant.bytes(line.tenant);
        sequence.integer(line.sequence);
    }
    if (sequence.size() > 0) {
        // Two nodes may forget the same lines.
        ask("delete from semel.decision where (tenant, sequence) in (select * from unnest($1, $2))",
            Params().array(old_tenant).array(sequence), kAnyNumber);
    }
}

}  // namespace semel::postgres
