#include "store/postgres/save.hpp"

#include <fmt/format.h>

#include "store/packing/row_pack.hpp"
#include "store/postgres/migrations.hpp"
#include "store/postgres/save_rows.hpp"
#include "store/postgres/uncertain_entries.hpp"

namespace semel::postgres {
namespace {

struct EdgeKeys {
    Array blocked{Type::uuid};
    Array position{Type::int8};

    void add(const EdgeKey& key) {
        blocked.id(key.blocked);
        position.integer(key.position);
    }
    [[nodiscard]] std::int64_t size() const { return count_of(blocked); }
    [[nodiscard]] Params params() const { return Params().array(blocked).array(position); }
};

// Returns the job that owns the key, with which a duplicate is answered.
std::optional<JobId> owner_of(const Claim& claim) {
    return claim.owners.empty() ? std::nullopt : std::optional(claim.newest().job);
}

std::string delete_of(const std::string& table, const std::string& key) {
    return fmt::format("delete from semel.{} where {} = any($1)", table, key);
}

}  // namespace

Result<void> Save::queue(const Changes& changes, const Uuid& mark, Time now) {
    SEMEL_CHECK(check_jobs(changes));
    // First, so that find_commit() waits from then on for the end of this batch.
    ask("insert into semel.commit_mark values ($1, $2, $3)",
        Params().id(mark).time(now).integer(kNewestMigration));
    queue_claims(changes);
    queue_fences(changes);
    queue_uncertain_entries(connection_, changes.claims);
    queue_contents(changes);
    queue_sources(changes);
    queue_responses(changes);
    queue_jobs(changes);
    queue_bodies(changes);
    queue_results(changes);
    queue_edges(changes);
    queue_schedules(changes);
    queue_groups(changes);
    queue_bulk_runs(changes);
    queue_api_tokens(changes);
    queue_claim_inserts(changes);
    queue_fence_inserts(changes);
    queue_source_inserts(changes);
    queue_job_inserts(changes);
    queue_edge_inserts(changes);
    queue_places(changes);
    queue_running(changes);
    queue_attempts(changes);
    queue_counts(changes);
    queue_decisions(changes, now);
    queue_outbox(changes, now);
    return {};
}

void Save::ask(const std::string& sql, const Params& params) {
    connection_.queue(sql, params);
}

void Save::touch(const std::string& sql, Params params, std::int64_t rows) {
    params.integer(rows);
    ask(fmt::format("with touched as ({0} returning 1) select case when count(*) <> ${1} "
                    "then semel.refuse_count(count(*), ${1}, '{2}') end from touched",
                    sql, params.count(), kWrongCount),
        params);
}

void Save::delete_by_id(const std::string& table, const std::string& key, const Array& keys) {
    if (keys.size() > 0) {
        touch(delete_of(table, key), Params().array(keys), count_of(keys));
    }
}

void Save::delete_any_by_id(const std::string& table, const std::string& key, const Array& keys) {
    if (keys.size() > 0) {
        ask(delete_of(table, key), Params().array(keys));
    }
}

// ---- claims -----------------------------------------------------------------------------------

void Save::queue_claims(const Changes& changes) {
    Array gone(Type::bytea);
    Array id(Type::bytea);
    Array expires_at(Type::int8);
    Array data(Type::bytea);
    Array owner(Type::uuid);
    Array receipt(Type::bytea);
    Array sealed(Type::boolean);  // true: the receipt has changed
    for (const auto& change : changes.claims) {
        if (!change.after) gone.hash(change.before->id);
        if (!change.before || !change.after || is_fence(change)) continue;
        const Claim& claim = *change.after;
        id.hash(claim.id);
        expires_at.optional_time(claim.expires_at);
        data.bytes(pack_claim(claim));
        owner.optional_id(owner_of(claim));
        const bool differs = change.before->receipt != claim.receipt;
        sealed.boolean(differs);
        claim.receipt&& differs ? receipt.bytes(claim.receipt->body) : receipt.null();
    }
    delete_by_id("claim", "id", gone);
    if (id.size() > 0) {
        touch(
            "update semel.claim c set expires_at = u.expires_at, data = u.data, owner = u.owner, "
            "receipt = case when u.sealed then u.receipt else c.receipt end "
            "from unnest($1, $2, $3, $4, $5, $6) u (id, expires_at, data, owner, receipt, sealed) "
            "where c.id = u.id",
            Params()
                .array(id)
                .array(expires_at)
                .array(data)
                .array(owner)
                .array(receipt)
                .array(sealed),
            count_of(id));
    }
}

void Save::queue_claim_inserts(const Changes& changes) {
    Array id(Type::bytea);
    Array expires_at(Type::int8);
    Array data(Type::bytea);
    Array owner(Type::uuid);
    Array receipt(Type::bytea);
    for (const Claim* claim : insertions(changes.claims, [](const Claim& row) { return row.id; })) {
        if (claim->effect) continue;
        id.hash(claim->id);
        expires_at.optional_time(claim->expires_at);
        data.bytes(pack_claim(*claim));
        owner.optional_id(owner_of(*claim));
        claim->receipt ? receipt.bytes(claim->receipt->body) : receipt.null();
    }
    if (id.size() > 0) {
        ask("insert into semel.claim (id, expires_at, data, owner, receipt) "
            "select * from unnest($1, $2, $3, $4, $5)",
            Params().array(id).array(expires_at).array(data).array(owner).array(receipt));
    }
}

// ---- edges ------------------------------------------------------------------------------------

void Save::queue_edges(const Changes& changes) {
    EdgeKeys gone;
    EdgeKeys kept;
    Array done(Type::boolean);
    for (const auto& change : changes.edges) {
        if (!change.after) gone.add(change.before->key);
        if (!change.before || !change.after) continue;
        kept.add(change.after->key);
        done.boolean(change.after->done);
    }
    if (gone.size() > 0) {
        touch("delete from semel.edge where (blocked, position) in (select * from unnest($1, $2))",
              gone.params(), gone.size());
    }
    if (kept.size() > 0) {
        touch(
            "update semel.edge e set done = u.done from unnest($1, $2, $3) u (blocked, position, "
            "done) where e.blocked = u.blocked and e.position = u.position",
            kept.params().array(done), kept.size());
    }
}

void Save::queue_edge_inserts(const Changes& changes) {
    EdgeKeys keys;
    Array blocker(Type::uuid);
    Array done(Type::boolean);
    for (const Edge* edge : insertions(changes.edges, [](const Edge& row) { return row.key; })) {
        keys.add(edge->key);
        blocker.id(edge->blocker);
        done.boolean(edge->done);
    }
    if (keys.size() > 0) {
        ask("insert into semel.edge select * from unnest($1, $2, $3, $4)",
            keys.params().array(blocker).array(done));
    }
}

// ---- the rest ---------------------------------------------------------------------------------

void Save::queue_groups(const Changes& changes) {
    for (const auto& change : changes.groups) {
        const GroupKey& key = change.after ? change.after->key : change.before->key;
        Params params;
        params.text(key.tenant).text(key.name);
        if (!change.after) {
            touch("delete from semel.lock_group where tenant = $1 and name = $2", params, 1);
        } else if (change.before) {
            touch("update semel.lock_group set head = $3 where tenant = $1 and name = $2",
                  params.id(change.after->head), 1);
        }
    }
    for (const LockGroup* group :
         insertions(changes.groups, [](const LockGroup& row) { return row.key; })) {
        ask("insert into semel.lock_group values ($1, $2, $3)",
            Params().text(group->key.tenant).text(group->key.name).id(group->head));
    }
}

void Save::queue_schedules(const Changes& changes) {
    std::vector<const Schedule*> made =
        insertions(changes.schedules, [](const Schedule& row) { return row.key; });
    for (const auto& change : changes.schedules) {
        if (!change.before) continue;
        // Deleted and created again in one batch: two schedules with one name.
        const bool is_another = change.after && change.before->id != change.after->id;
        if (!change.after || is_another) {
            touch("delete from semel.schedule where id = $1", Params().id(change.before->id), 1);
        } else {
            touch("update semel.schedule set data = $2 where id = $1",
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
                .bytes(pack_schedule(*schedule)));
    }
}

void Save::queue_bulk_runs(const Changes& changes) {
    for (const auto& change : changes.bulk_runs) {
        if (!change.after) {
            touch("delete from semel.bulk_run where id = $1", Params().id(change.before->id), 1);
            continue;
        }
        const BulkRun& run = *change.after;
        Params params;
        params.id(run.id);
        run.finished_at ? params.time(*run.finished_at) : params.null(Type::int8);
        params.bytes(pack_bulk_run(run));
        if (change.before) {
            touch("update semel.bulk_run set finished_at = $2, data = $3 where id = $1", params, 1);
        } else {
            ask("insert into semel.bulk_run (id, finished_at, data, tenant) "
                "values ($1, $2, $3, $4)",
                params.text(run.tenant));
        }
    }
}

void Save::queue_api_tokens(const Changes& changes) {
    for (const auto& change : changes.api_tokens) {
        if (change.before) {
            touch("delete from semel.api_token where id = $1", Params().id(change.before->id), 1);
        }
        if (!change.after) continue;
        const ApiToken& token = *change.after;
        Params params;
        params.id(token.id).text(token.tenant).text(token.name).integer(token.scopes);
        params.hash(token.secret_hash).time(token.created_at);
        token.expires_at ? params.time(*token.expires_at) : params.null(Type::int8);
        ask("insert into semel.api_token values ($1, $2, $3, $4, $5, $6, $7)", params);
    }
}

void Save::queue_outbox(const Changes& changes, Time now) {
    Array drained(Type::int8);
    for (const std::int64_t entry : changes.drained) drained.integer(entry);
    delete_by_id("outbox", "id", drained);
    Array id(Type::uuid);
    Array result(Type::text);
    for (const OutboxResult& result_row : changes.outbox_results) {
        id.id(result_row.id);
        result.bytes(result_row.json);
    }
    if (id.size() > 0) {
        ask("insert into semel.outbox_answer (id, at, result) "
            "select i, $1::bigint, r from unnest($2, $3) u (i, r)",
            Params().time(now).array(id).array(result));
    }
    // Two nodes can delete the same rows.
    delete_any_by_id("outbox_answer", "id", array_of(changes.forgotten_outbox_results));
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
            Params().integer(day_of(now)).array(tenant).array(data));
    }
    // Each deletes all entries up to its day. Two nodes can delete the same entries.
    for (const DecisionRef& last : changes.forgotten) {
        ask("update semel.meta set decisions_from = $1 where decisions_from < $1",
            Params().integer(last.day + 1));
    }
}

}  // namespace semel::postgres
