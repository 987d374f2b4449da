// The part of a save that writes the queues and the runs of jobs.
#include <fmt/format.h>

#include "store/packing/job_columns.hpp"
#include "store/packing/row_pack.hpp"
#include "store/postgres/save.hpp"
#include "store/postgres/save_rows.hpp"

namespace semel::postgres {
namespace {

// The row of a job in its queue.
struct QueueRow {
    Place place = Place::done;
    std::string tenant;
    std::string lane;  // type, or lock group
    std::int64_t at = 0;
    int urgency = 0;
    JobId id;

    bool operator==(const QueueRow&) const = default;
};

std::optional<QueueRow> place_of(const std::optional<Job>& job) {
    if (!job) {
        return std::nullopt;
    }
    QueueRow row{
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
        case Place::retained:
        case Place::failing_dependants:
        case Place::paused: return std::nullopt;
    }
    return std::nullopt;
}

// The columns of rows in `semel.run`.
struct RunningColumns {
    Array id{Type::uuid};
    Array token{Type::int8};
    Array settling{Type::boolean};
    Array data{Type::bytea};

    void add(const Job& job) {
        id.id(job.id);
        token.integer(to_int(job.token));
        settling.boolean(job.settling);
        data.bytes(pack_job(job));
    }
    [[nodiscard]] Params params() const {
        return Params().array(id).array(token).array(settling).array(data);
    }
};

}  // namespace

struct Save::QueueColumns {
    Array tenant{Type::text};
    Array lane{Type::text};
    Array urgency{Type::int8};
    Array at{Type::int8};
    Array id{Type::uuid};

    void add(const QueueRow& row) {
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

// The rows are locked, so they are still at the positions that were read.
void Save::queue_taken(const Array& tids) {
    if (tids.size() > 0) {
        touch("delete from semel.ready where ctid = any($1)", Params().array(tids), count_of(tids));
    }
}

void Save::queue_places(const Changes& changes) {
    std::map<Place, QueueColumns> left;
    std::map<Place, QueueColumns> entered;
    Array taken(Type::tid);
    for (const auto& change : changes.jobs) {
        const auto before = place_of(change.before);
        const auto after = place_of(change.after);
        if (before == after) continue;
        const auto tid = ready_tids_.find(change.before ? change.before->id : change.after->id);
        if (before && before->place == Place::ready && tid != ready_tids_.end()) {
            taken.tid(tid->second);
        } else if (before) {
            left[before->place].add(*before);
        }
        if (after) entered[after->place].add(*after);
    }
    queue_taken(taken);
    for (const auto& [place, rows] : left) queue_left(place, rows);
    for (const auto& [place, rows] : entered) queue_entered(place, rows);
}

// Comes after the jobs' own rows, which are then locked, also those of guessed jobs. This statement
// checks the guesses: every change of a running job changes its packed run, except that users'
// transactions only set `settling`.
void Save::queue_running(const Changes& changes) {
    RunningColumns entered;
    RunningColumns changed;
    Array left(Type::uuid);
    Array was(Type::bytea);  // null: the row was read and is locked
    for (const auto& [before, after] : changes.jobs) {
        if (is_running(before) && is_running(after)) {
            changed.add(*after);
        } else if (is_running(after)) {
            entered.add(*after);
        } else if (is_running(before)) {
            left.id(before->id);
            guesses_.contains(before->id) ? was.bytes(pack_job(*before)) : was.null();
        }
    }
    if (left.size() > 0) {
        touch(
            "delete from semel.run r using unnest($1, $2) u (id, was) where r.id = u.id "
            "and (u.was is null or (r.data = u.was and not r.settling))",
            Params().array(left).array(was), count_of(left));
    }
    if (changed.id.size() > 0) {
        touch(
            "update semel.run r set token = u.token, settling = u.settling, data = u.data "
            "from unnest($1, $2, $3, $4) u (id, token, settling, data) where r.id = u.id",
            changed.params(), count_of(changed.id));
    }
    if (entered.id.size() > 0) {
        ask("insert into semel.run (id, token, settling, data) "
            "select * from unnest($1, $2, $3, $4)",
            entered.params());
    }
}

// A join instead of `in`: no row is named twice, and the server need not remove duplicates.
void Save::queue_left(Place place, const QueueColumns& rows) {
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

void Save::queue_entered(Place place, const QueueColumns& rows) {
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

}  // namespace semel::postgres
