// The part of a save that writes jobs: their rows, where they stand in line, and what they left.
#include <unordered_map>

#include <fmt/format.h>

#include "store/id_time.hpp"
#include "store/job_columns.hpp"
#include "store/postgres/save.hpp"
#include "store/postgres/save_rows.hpp"
#include "store/row_pack.hpp"

namespace semel::postgres {
namespace {

// Ended, and yet not to be pruned.
bool is_kept(Place place) {
    return place == Place::passed || place == Place::telling;
}

bool is_last_of_chain(const Job& job) {
    return job.in_chain && !job.next;
}

// The columns of a job, but for the tenant, the schedule and `chosen`, which never change.
struct JobColumns {
    Array id{Type::uuid};
    Array status{Type::int8};
    Array place{Type::int8};
    Array shelf{Type::int8};
    Array completed_at{Type::int8};
    Array token{Type::int8};
    Array chain_shelf{Type::int8};  // null: not the last of a chain
    Array kept{Type::int8};         // null: it is not
    Array settling{Type::boolean};
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
    Array payload{Type::bytea};  // null: as it is

    void add(const Job& job, const JobBody* body) {
        id.id(job.id);
        status.integer(static_cast<int>(job.status));
        place.integer(static_cast<int>(job.place));
        shelf.integer(shelf_of(job.status));
        completed_at.optional_time(job.completed_at);
        token.integer(to_int(job.token));
        is_last_of_chain(job) ? chain_shelf.integer(shelf_of(job.status)) : chain_shelf.null();
        is_kept(job.place) ? kept.integer(static_cast<int>(job.place)) : kept.null();
        settling.boolean(job.settling);
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
    }

    [[nodiscard]] Params params() const {
        Params params;
        params.array(id).array(status).array(place).array(shelf).array(completed_at);
        params.array(token).array(chain_shelf).array(kept).array(settling).array(data);
        params.array(type).array(urgency).array(scheduled_at).array(created_at).array(chain);
        params.array(lock_group).array(slot).array(chain_index).array(in_chain).array(payload);
        return params;
    }

    static std::optional<Time> slot_of(const Job& job) {
        return job.occurrence ? job.occurrence->slot : std::nullopt;
    }
};

constexpr std::string_view kJobParameters =
    "id, status, place, shelf, completed_at, token, chain_shelf, kept, settling, data, "
    "type, urgency, scheduled_at, created_at, chain, lock_group, slot, chain_index, in_chain, "
    "payload";

// What a job's row was packed to where that is a guess, and null where the row is locked. Whoever
// changes a job changes that; but users' transactions only say that it is settling.
void add_was(Array& was, const Job& before, const Guesses& guesses) {
    guesses.contains(before.id) ? was.bytes(pack_job(before)) : was.null();
}
constexpr std::string_view kIsAsGuessed = "(u.was is null or (j.data = u.was and not j.settling))";

// Many jobs that come to be in the same state, which is said once: a column less is a column less
// to be taken apart for each of them.
struct JobState {
    Status status;
    Place place;
    bool ends_chain;
    bool settling;

    auto operator<=>(const JobState&) const = default;

    static JobState of(const Job& job) {
        return {job.status, job.place, is_last_of_chain(job), job.settling};
    }
};

// What an attempt changes of its job, from the take to the end, and what a duplicate does.
struct StateColumns {
    Array id{Type::uuid};
    Array completed_at{Type::int8};
    Array token{Type::int8};
    Array data{Type::bytea};
    Array payload{Type::bytea};  // null: as it is
    Array was{Type::bytea};

    void add(const Job& before, const Job& job, const JobBody* body, const Guesses& guesses) {
        id.id(job.id);
        completed_at.optional_time(job.completed_at);
        token.integer(to_int(job.token));
        data.bytes(pack_job(job));
        body != nullptr ? payload.bytes(body->payload) : payload.null();
        add_was(was, before, guesses);
    }

    [[nodiscard]] Params params(const JobState& state) const {
        Params params;
        params.array(id).array(completed_at).array(token).array(data).array(payload).array(was);
        params.integer(static_cast<int>(state.status)).integer(static_cast<int>(state.place));
        params.integer(shelf_of(state.status));
        state.ends_chain ? params.integer(shelf_of(state.status)) : params.null(Type::int8);
        is_kept(state.place) ? params.integer(static_cast<int>(state.place))
                             : params.null(Type::int8);
        return params.boolean(state.settling);
    }
};

// Whether no column of a job changes but those of its state.
bool is_state_alone(const Job& before, const Job& after) {
    return before.type == after.type && before.priority == after.priority &&
           before.scheduled_at == after.scheduled_at && before.created_at == after.created_at &&
           before.chain == after.chain && before.lock_group == after.lock_group &&
           JobColumns::slot_of(before) == JobColumns::slot_of(after) &&
           before.chain_index == after.chain_index && before.in_chain == after.in_chain;
}

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
        case Place::passed:
        case Place::telling:
        case Place::paused: return std::nullopt;
    }
    return std::nullopt;
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

struct Save::LineColumns {
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
    [[nodiscard]] Params all() const {
        return Params().array(tenant).array(lane).array(urgency).array(at).array(id);
    }
};

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
    std::map<JobState, StateColumns> states;
    JobColumns columns;
    Array was(Type::bytea);
    Array gone(Type::uuid);
    for (const auto& [before, after] : changes.jobs) {
        if (!after) {
            gone.id(before->id);
        } else if (before) {
            const JobBody* body = body_of(bodies, after->id);
            if (is_state_alone(*before, *after)) {
                states[JobState::of(*after)].add(*before, *after, body, guesses_);
            } else {
                columns.add(*after, body);
                add_was(was, *before, guesses_);
            }
        }
    }
    for (const auto& [state, jobs] : states) {
        touch(fmt::format("update semel.job j set completed_at = u.completed_at, token = u.token, "
                          "data = u.data, payload = coalesce(u.payload, j.payload), status = $7, "
                          "place = $8, shelf = $9, chain_shelf = $10, kept = $11, settling = $12 "
                          "from unnest($1, $2, $3, $4, $5, $6) "
                          "u (id, completed_at, token, data, payload, was) "
                          "where j.id = u.id and {}",
                          kIsAsGuessed),
              jobs.params(state), count_of(jobs.id));
    }
    if (columns.id.size() > 0) {
        touch(
            fmt::format("update semel.job j set status = u.status, place = u.place, "
                        "shelf = u.shelf, completed_at = u.completed_at, token = u.token, "
                        "chain_shelf = u.chain_shelf, kept = u.kept, settling = u.settling, "
                        "data = u.data, type = u.type, urgency = u.urgency, "
                        "scheduled_at = u.scheduled_at, created_at = u.created_at, "
                        "chain = u.chain, lock_group = u.lock_group, slot = u.slot, "
                        "chain_index = u.chain_index, in_chain = u.in_chain, "
                        "payload = coalesce(u.payload, j.payload) "
                        "from unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, "
                        "$15, $16, $17, $18, $19, $20, $21) u ({}, was) "
                        "where j.id = u.id and {}",
                        kJobParameters, kIsAsGuessed),
            columns.params().array(was), count_of(columns.id));
    }
    delete_by_id("job", "id", gone);
    delete_any_by_id("job_result", "job", gone);
    delete_any_by_id("attempt", "job", gone);
}

void Save::queue_job_inserts(const Changes& changes) {
    const auto bodies = bodies_of(changes);
    JobColumns columns;
    Array tenant(Type::text);
    Array schedule(Type::uuid);
    Array schedule_name(Type::text);
    Array chosen(Type::boolean);
    for (const Job* job : insertions(changes.jobs, [](const Job& row) { return row.id; })) {
        columns.add(*job, body_of(bodies, job->id));
        tenant.bytes(job->tenant);
        job->occurrence ? schedule.id(job->occurrence->schedule) : schedule.null();
        job->occurrence ? schedule_name.bytes(job->occurrence->name) : schedule_name.null();
        has_chosen_id(*job) ? chosen.boolean(true) : chosen.null();
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
        touch(
            "update semel.job j set payload = u.payload from unnest($1, $2) u (id, payload) "
            "where j.id = u.id",
            Params().array(id).array(payload), count_of(id));
    }
}

// Who changes a job's row in line has the job locked, as we have. But that row was read before the
// lock was ours: the job may have left its line and come back, to a row that lies elsewhere.
void Save::queue_taken(const Array& tids, const Array& ids) {
    if (tids.size() > 0) {
        touch(
            "delete from semel.ready r using unnest($1, $2) u (tid, id) "
            "where r.ctid = u.tid and r.id = u.id",
            Params().array(tids).array(ids), count_of(tids), kIsNoMore);
    }
}

void Save::queue_lines(const Changes& changes) {
    std::map<Place, LineColumns> left;
    std::map<Place, LineColumns> entered;
    Array taken_tids(Type::tid);
    Array taken_ids(Type::uuid);
    for (const auto& change : changes.jobs) {
        const auto before = line_of(change.before);
        const auto after = line_of(change.after);
        if (before == after) continue;
        const auto tid = ready_tids_.find(change.before ? change.before->id : change.after->id);
        if (before && before->place == Place::ready && tid != ready_tids_.end()) {
            taken_tids.tid(tid->second);
            taken_ids.id(before->id);
        } else if (before) {
            left[before->place].add(*before);
        }
        if (after) entered[after->place].add(*after);
    }
    queue_taken(taken_tids, taken_ids);
    for (const auto& [place, rows] : left) queue_left(place, rows);
    for (const auto& [place, rows] : entered) queue_entered(place, rows);
}

// Joined, and not `in`: no row is named twice, and the server need not look for those that are.
void Save::queue_left(Place place, const LineColumns& rows) {
    switch (place) {
        case Place::later:
            touch(
                "delete from semel.later l using unnest($1, $2) u (scheduled_at, id) "
                "where l.scheduled_at = u.scheduled_at and l.id = u.id",
                Params().array(rows.at).array(rows.id), rows.size());
            break;
        case Place::running: delete_by_id("running", "id", rows.id); break;
        case Place::ready:
            touch(
                "delete from semel.ready r using unnest($1, $2, $3, $4, $5) "
                "u (tenant, type, urgency, scheduled_at, id) "
                "where r.tenant = u.tenant and r.type = u.type and r.urgency = u.urgency "
                "and r.scheduled_at = u.scheduled_at and r.id = u.id",
                rows.all(), rows.size());
            break;
        default:
            touch(
                "delete from semel.waiting w using unnest($1, $2, $3, $4) "
                "u (tenant, lock_group, scheduled_at, id) "
                "where w.tenant = u.tenant and w.lock_group = u.lock_group "
                "and w.scheduled_at = u.scheduled_at and w.id = u.id",
                Params().array(rows.tenant).array(rows.lane).array(rows.at).array(rows.id),
                rows.size());
    }
}

void Save::queue_entered(Place place, const LineColumns& rows) {
    switch (place) {
        case Place::later:
            ask("insert into semel.later select * from unnest($1, $2)",
                Params().array(rows.at).array(rows.id));
            break;
        case Place::running:
            ask("insert into semel.running select * from unnest($1, $2)",
                Params().array(rows.id).array(rows.at));
            break;
        case Place::ready:
            ask("insert into semel.ready select * from unnest($1, $2, $3, $4, $5)", rows.all());
            break;
        default:
            ask("insert into semel.waiting select * from unnest($1, $2, $3, $4)",
                Params().array(rows.tenant).array(rows.lane).array(rows.at).array(rows.id));
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
