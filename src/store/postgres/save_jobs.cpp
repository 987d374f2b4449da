// The part of a save that writes jobs: their rows, payloads, results and attempts.
#include <unordered_map>

#include <fmt/format.h>

#include "store/packing/id_time.hpp"
#include "store/packing/job_columns.hpp"
#include "store/packing/row_pack.hpp"
#include "store/postgres/codec.hpp"
#include "store/postgres/save.hpp"
#include "store/postgres/save_rows.hpp"

namespace semel::postgres {
namespace {

// Returns true if the job has ended and must not be pruned.
bool is_retained(Place place) {
    return place == Place::retained || place == Place::failing_dependants;
}

bool is_last_of_chain(const Job& job) {
    return job.in_chain && !job.next;
}

Status status_of_row(const Job& job) {
    return is_running(job) ? Status::pending : job.status;
}

Place place_of_row(const Job& job) {
    return is_running(job) ? Place::ready : job.place;
}

// The columns of a job, except the tenant, the schedule and `chosen`, which never change.
struct JobColumns {
    Array id{Type::uuid};
    Array status{Type::int8};
    Array place{Type::int8};
    Array bucket{Type::int8};
    Array completed_at{Type::int8};
    Array token{Type::int8};
    Array chain_bucket{Type::int8};  // null: not the last of a chain
    Array retained{Type::int8};      // null: it is not
    Array data{Type::bytea};
    Array type{Type::text};
    Array urgency{Type::int8};
    Array scheduled_at{Type::int8};
    Array created_at{Type::int8};
    Array chain{Type::uuid};
    Array lock_group{Type::text};
    Array slot{Type::int8};
    Array chain_index{Type::int8};
    Array in_chain{Type::boolean};
    Array payload{Type::bytea};       // null: unchanged
    Array completed_by{Type::bytea};  // null: unchanged

    void add(const Job& job, const JobBody* body, const Attempt* completing) {
        id.id(job.id);
        status.integer(static_cast<int>(status_of_row(job)));
        place.integer(static_cast<int>(place_of_row(job)));
        bucket.integer(bucket_of(job.status));
        completed_at.optional_time(job.completed_at);
        token.integer(to_int(job.token));
        is_last_of_chain(job) ? chain_bucket.integer(bucket_of(job.status)) : chain_bucket.null();
        is_retained(job.place) ? retained.integer(static_cast<int>(job.place)) : retained.null();
        data.bytes(pack_job(job));
        type.bytes(job.type);
        urgency.integer(-job.priority);
        scheduled_at.time(job.scheduled_at);
        created_at.time(job.created_at);
        chain.id(job.chain);
        job.lock_group.empty() ? lock_group.null() : lock_group.bytes(job.lock_group);
        slot.optional_time(slot_of(job));
        chain_index.integer(job.chain_index);
        in_chain.boolean(job.in_chain);
        body != nullptr ? payload.bytes(body->payload) : payload.null();
        completing != nullptr ? completed_by.bytes(completing->worker) : completed_by.null();
    }

    [[nodiscard]] Params params() const {
        Params params;
        params.array(id).array(status).array(place).array(bucket).array(completed_at);
        params.array(token).array(chain_bucket).array(retained).array(data);
        params.array(type).array(urgency).array(scheduled_at).array(created_at).array(chain);
        params.array(lock_group).array(slot).array(chain_index).array(in_chain).array(payload);
        params.array(completed_by);
        return params;
    }

    static std::optional<Time> slot_of(const Job& job) {
        return job.occurrence ? job.occurrence->slot : std::nullopt;
    }
};

constexpr std::string_view kJobParameters =
    "id, status, place, shelf, completed_at, token, chain_shelf, kept, data, "
    "type, urgency, scheduled_at, created_at, chain, lock_group, slot, chain_index, in_chain, "
    "payload, completed_by";

// Returns true for a usual new action. The columns that are not written have the same values for
// all of them.
bool is_plain(const Job& job) {
    return job.status == Status::pending && job.token == Token::none && !job.in_chain &&
           job.chain == job.id && job.chain_index == 0 && job.lock_group.empty() &&
           !job.occurrence && !has_chosen_id(job);
}

struct PlainColumns {
    Array id{Type::uuid};
    Array place{Type::int8};
    Array tenant{Type::text};
    Array type{Type::text};
    Array urgency{Type::int8};
    Array scheduled_at{Type::int8};
    Array created_at{Type::int8};
    Array data{Type::bytea};
    Array payload{Type::bytea};

    void add(const Job& job, const JobBody* body) {
        id.id(job.id);
        place.integer(static_cast<int>(job.place));
        tenant.bytes(job.tenant);
        type.bytes(job.type);
        urgency.integer(-job.priority);
        scheduled_at.time(job.scheduled_at);
        created_at.time(job.created_at);
        data.bytes(pack_job(job));
        body != nullptr ? payload.bytes(body->payload) : payload.null();
    }
    [[nodiscard]] Params params() const {
        Params params;
        params.array(id).array(place).array(tenant).array(type).array(urgency);
        return params.array(scheduled_at).array(created_at).array(data).array(payload);
    }
};

// The state that many jobs of a batch get. One statement per state has it once as a parameter,
// because each array column costs the server time per row.
struct JobState {
    Status status;
    Place place;
    bool ends_chain;
    std::optional<Time> completed_at;
    bool has_payload;  // the payload has changed
    bool has_completing;

    auto operator<=>(const JobState&) const = default;
};

// The columns that the end of an attempt, or a duplicate, changes.
struct StateColumns {
    Array id{Type::uuid};
    Array token{Type::int8};
    Array data{Type::bytea};
    Array payload{Type::bytea};
    Array completed_by{Type::bytea};

    void add(const Job& job, const JobBody* body, const Attempt* completing) {
        id.id(job.id);
        token.integer(to_int(job.token));
        data.bytes(pack_job(job));
        if (body != nullptr) payload.bytes(body->payload);
        if (completing != nullptr) completed_by.bytes(completing->worker);
    }

    // The arrays come last. Their columns are `columns_of(state)`.
    [[nodiscard]] Params params(const JobState& state) const {
        Params params;
        params.integer(static_cast<int>(state.status)).integer(static_cast<int>(state.place));
        params.integer(bucket_of(state.status));
        state.ends_chain ? params.integer(bucket_of(state.status)) : params.null(Type::int8);
        is_retained(state.place) ? params.integer(static_cast<int>(state.place))
                                 : params.null(Type::int8);
        state.completed_at ? params.time(*state.completed_at) : params.null(Type::int8);
        params.array(id).array(token).array(data);
        if (state.has_payload) params.array(payload);
        if (state.has_completing) params.array(completed_by);
        return params;
    }

    static std::vector<std::string_view> columns_of(const JobState& state) {
        std::vector<std::string_view> columns{"token", "data"};
        if (state.has_payload) columns.emplace_back("payload");
        if (state.has_completing) columns.emplace_back("completed_by");
        return columns;
    }

    static std::string sql(const JobState& state) {
        std::string sql =
            "update semel.job j set status = $1, place = $2, shelf = $3, chain_shelf = $4, "
            "kept = $5, completed_at = $6";
        std::string numbers = "$7";
        std::string names = "id";
        int number = 7;
        for (const std::string_view column : columns_of(state)) {
            sql += fmt::format(", {0} = u.{0}", column);
            numbers += fmt::format(", ${}", ++number);
            names += fmt::format(", {}", column);
        }
        return fmt::format("{} from unnest({}) u ({}) where j.id = u.id", sql, numbers, names);
    }
};

// Returns true if only the columns of JobState change.
bool is_state_alone(const Job& before, const Job& after) {
    return before.type == after.type && before.priority == after.priority &&
           before.scheduled_at == after.scheduled_at && before.created_at == after.created_at &&
           before.chain == after.chain && before.lock_group == after.lock_group &&
           JobColumns::slot_of(before) == JobColumns::slot_of(after) &&
           before.chain_index == after.chain_index && before.in_chain == after.in_chain;
}

// Returns true if the job's own row changes, not only its run.
bool changes_row(const Change<Job>& change) {
    return change.before && change.after &&
           !(is_running(change.after) && is_state_alone(*change.before, *change.after));
}

std::unordered_map<JobId, const JobBody*> bodies_of(const Changes& changes) {
    std::unordered_map<JobId, const JobBody*> bodies;
    bodies.reserve(changes.bodies.size());
    for (const auto& [id, body] : changes.bodies) bodies[id] = &body;
    return bodies;
}

template <typename Part>
const Part* part_of(const std::unordered_map<JobId, const Part*>& parts, const JobId& id) {
    const auto found = parts.find(id);
    return found == parts.end() ? nullptr : found->second;
}

// Completing attempts, by their job. They are stored in the job's row and have no separate row.
using Completing = std::unordered_map<JobId, const Attempt*>;

Completing completing_of(const Changes& changes) {
    Completing attempts;
    for (const Attempt& attempt : changes.attempts) {
        if (attempt.end == AttemptEnd::completed) attempts[attempt.job] = &attempt;
    }
    Completing completing;
    for (const auto& change : changes.jobs) {
        if (!change.after || change.after->status != Status::completed) continue;
        const auto found = attempts.find(change.after->id);
        if (found == attempts.end()) continue;
        const Attempt& attempt = *found->second;
        if (attempt == completing_attempt(*change.after, attempt.worker)) {
            completing.insert(*found);
        }
    }
    return completing;
}

}  // namespace

Result<void> Save::check_jobs(const Changes& changes) {
    for (const auto& change : changes.jobs) {
        const auto rule = change.after ? broken_rule(*change.after) : std::nullopt;
        if (rule) {
            return Error(ErrorCode::invalid, fmt::format("job {} is not saved: {}",
                                                         change.after->id.to_string(), *rule));
        }
    }
    return {};
}

void Save::queue_jobs(const Changes& changes) {
    const auto bodies = bodies_of(changes);
    const Completing completing = completing_of(changes);
    std::map<JobState, StateColumns> states;
    JobColumns columns;
    Array gone(Type::uuid);
    for (const Change<Job>& change : changes.jobs) {
        if (!change.after) gone.id(change.before->id);
        if (!changes_row(change)) continue;
        const Job& job = *change.after;
        const JobBody* body = part_of(bodies, job.id);
        const Attempt* attempt = part_of(completing, job.id);
        if (is_state_alone(*change.before, job)) {
            const JobState state{.status = job.status,
                                 .place = job.place,
                                 .ends_chain = is_last_of_chain(job),
                                 .completed_at = job.completed_at,
                                 .has_payload = body != nullptr,
                                 .has_completing = attempt != nullptr};
            states[state].add(job, body, attempt);
        } else {
            columns.add(job, body, attempt);
        }
    }
    for (const auto& [state, jobs] : states) {
        touch(StateColumns::sql(state), jobs.params(state), count_of(jobs.id));
    }
    if (columns.id.size() > 0) {
        touch(
            fmt::format("update semel.job j set status = u.status, place = u.place, "
                        "shelf = u.shelf, completed_at = u.completed_at, token = u.token, "
                        "chain_shelf = u.chain_shelf, kept = u.kept, "
                        "data = u.data, type = u.type, urgency = u.urgency, "
                        "scheduled_at = u.scheduled_at, created_at = u.created_at, "
                        "chain = u.chain, lock_group = u.lock_group, slot = u.slot, "
                        "chain_index = u.chain_index, in_chain = u.in_chain, "
                        "payload = coalesce(u.payload, j.payload), "
                        "completed_by = coalesce(u.completed_by, j.completed_by) "
                        "from unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, "
                        "$15, $16, $17, $18, $19, $20) u ({}) where j.id = u.id",
                        kJobParameters),
            columns.params(), count_of(columns.id));
    }
    delete_by_id("job", "id", gone);
    delete_any_by_id("job_result", "job", gone);
    delete_any_by_id("attempt", "job", gone);
}

void Save::queue_job_inserts(const Changes& changes) {
    const auto bodies = bodies_of(changes);
    const Completing completing = completing_of(changes);
    PlainColumns plain;
    JobColumns columns;
    Array tenant(Type::text);
    Array schedule(Type::uuid);
    Array schedule_name(Type::text);
    Array chosen(Type::boolean);
    for (const Job* job : insertions(changes.jobs, [](const Job& row) { return row.id; })) {
        if (is_plain(*job)) {
            plain.add(*job, part_of(bodies, job->id));
            continue;
        }
        columns.add(*job, part_of(bodies, job->id), part_of(completing, job->id));
        tenant.bytes(job->tenant);
        job->occurrence ? schedule.id(job->occurrence->schedule) : schedule.null();
        job->occurrence ? schedule_name.bytes(job->occurrence->name) : schedule_name.null();
        has_chosen_id(*job) ? chosen.boolean(true) : chosen.null();
    }
    if (plain.id.size() > 0) {
        ask("insert into semel.job (id, chain, status, shelf, token, place, tenant, type, urgency, "
            "scheduled_at, created_at, data, payload) "
            "select u.id, u.id, 1, 0, 0, u.place, u.tenant, u.type, u.urgency, u.scheduled_at, "
            "u.created_at, u.data, u.payload from unnest($1, $2, $3, $4, $5, $6, $7, $8, $9) "
            "u (id, place, tenant, type, urgency, scheduled_at, created_at, data, payload)",
            plain.params());
    }
    if (columns.id.size() > 0) {
        Params params = columns.params();
        params.array(tenant).array(schedule).array(schedule_name).array(chosen);
        ask(fmt::format("insert into semel.job ({}, tenant, schedule, schedule_name, chosen) "
                        "select * from unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, "
                        "$13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24)",
                        kJobParameters),
            params);
    }
}

// Writes payloads of jobs whose rows are otherwise unchanged.
void Save::queue_bodies(const Changes& changes) {
    auto bodies = bodies_of(changes);
    for (const Change<Job>& change : changes.jobs) {
        if (!change.before || changes_row(change)) bodies.erase(change.after->id);
        if (!change.after) bodies.erase(change.before->id);
    }
    Array id(Type::uuid);
    Array payload(Type::bytea);
    for (const auto& [job, body] : bodies) {
        id.id(job);
        payload.bytes(body->payload);
    }
    if (id.size() > 0) {
        touch(
            "update semel.job j set payload = u.payload from unnest($1, $2) u (id, payload) "
            "where j.id = u.id",
            Params().array(id).array(payload), count_of(id));
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
    delete_any_by_id("job_result", "job", gone);
    if (job.size() > 0) {
        ask("insert into semel.job_result select * from unnest($1, $2, $3, $4) "
            "on conflict (job) do update set output = excluded.output, "
            "error_message = excluded.error_message, error_code = excluded.error_code",
            Params().array(job).array(output).array(message).array(code));
    }
}

void Save::queue_attempts(const Changes& changes) {
    const Completing completing = completing_of(changes);
    Array job(Type::uuid);
    Array token(Type::int8);
    Array number(Type::int8);
    Array worker(Type::bytea);
    Array started_at(Type::int8);
    Array ended_at(Type::int8);
    Array ending(Type::int8);
    Array error(Type::bytea);
    for (const Attempt& attempt : changes.attempts) {
        if (part_of(completing, attempt.job) == &attempt) continue;
        job.id(attempt.job);
        token.integer(to_int(attempt.token));
        number.integer(attempt.number);
        worker.bytes(attempt.worker);
        started_at.time(attempt.started_at);
        ended_at.time(attempt.ended_at);
        ending.integer(static_cast<int>(attempt.end));
        error.bytes(attempt.error);
    }
    if (job.size() == 0) {
        return;
    }
    Params params;
    params.array(job).array(token).array(number).array(worker);
    params.array(started_at).array(ended_at).array(ending).array(error);
    ask("insert into semel.attempt select * from unnest($1, $2, $3, $4, $5, $6, $7, $8)", params);
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
            Params().array(type).array(status).array(by));
    }
}

}  // namespace semel::postgres
