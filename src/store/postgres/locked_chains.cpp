// The part of LockedRows that reads rows of chains, with one statement per kind of row.
#include <fmt/format.h>

#include "core/limits.hpp"
#include "store/postgres/codec.hpp"
#include "store/postgres/locked_rows.hpp"

namespace semel::postgres {
namespace {

using StepKey = std::pair<JobId, int>;  // a chain; an index, or a limit

Params by_job(const std::set<JobId>& ids) {
    return Params().array(array_of(std::vector<JobId>(ids.begin(), ids.end())));
}

Params by_step(const std::set<StepKey>& keys) {
    Array chain(Type::uuid);
    Array number(Type::int8);
    for (const auto& [id, second] : keys) {
        chain.id(id);
        number.integer(second);
    }
    return Params().array(chain).array(number);
}

JobId read_job_id(Rows& rows) {
    return rows.read_id();
}

StepKey read_step_key(Rows& rows) {
    const JobId chain = rows.read_id();
    return {chain, rows.read_int()};
}

}  // namespace

void LockedRows::ask_chains() {
    ask_edges();
    ask_steps();
    ask_taken_ids();
    ask_failing_dependants();
    ask_blockers();
    ask_waits();
}

template <typename Key, typename Row>
void LockedRows::ask_each(Known<Key, std::vector<Row>>& lists, const std::string& sql,
                          const Params& params, Key (*read_key)(Rows&), Row (*read_row)(Rows&)) {
    if (lists.wishes.empty()) {
        return;
    }
    ask(sql, params, [&lists, read_key, read_row](Rows& answer) {
        for (const Key& key : std::exchange(lists.wishes, {})) lists.values[key];
        while (answer.next_row()) {
            const Key key = read_key(answer);
            lists.values[key].push_back(read_row(answer));
        }
    });
}

void LockedRows::ask_edges() {
    ask_each<JobId, Edge>(edges_of_job_,
                          fmt::format("select blocked, {} from semel.edge where blocked = any($1) "
                                      "order by blocked, position",
                                      kEdgeColumns),
                          by_job(edges_of_job_.wishes), read_job_id, read_edge);
    ask_each<JobId, Edge>(edges_to_chain_,
                          fmt::format("select blocker, {} from semel.edge where blocker = any($1) "
                                      "order by blocker, blocked, position",
                                      kEdgeColumns),
                          by_job(edges_to_chain_.wishes), read_job_id, read_edge);
}

void LockedRows::ask_steps() {
    if (!step_.wishes.empty()) {
        ask("select chain, chain_index, id from semel.job where chain_index > 0 "
            "and (chain, chain_index) in (select * from unnest($1, $2))",
            by_step(step_.wishes), [this](Rows& answer) {
                for (const StepKey& key : std::exchange(step_.wishes, {})) step_.values[key];
                while (answer.next_row()) {
                    const StepKey key = read_step_key(answer);
                    step_.values[key] = answer.read_id();
                }
            });
    }
    ask_each<StepKey, JobId>(
        steps_,
        "select w.chain, w.most, s.id from unnest($1, $2) w (chain, most) "
        "cross join lateral (select j.id, j.chain_index from semel.job j where j.chain = w.chain "
        "and j.chain_index > 0 order by j.chain_index limit w.most) s "
        "order by w.chain, w.most, s.chain_index",
        by_step(steps_.wishes), read_step_key, read_job_id);
}

void LockedRows::ask_taken_ids() {
    if (taken_.wishes.empty()) {
        return;
    }
    // A chain is pruned from its front, so later steps still have the chain's id.
    ask("select id from semel.job where id = any($1) "
        "union all select blocker from semel.edge where blocker = any($1) "
        "union all select chain from semel.job where chain = any($1) and chain_index > 0",
        by_job(taken_.wishes), [this](Rows& answer) {
            for (const JobId& id : std::exchange(taken_.wishes, {})) taken_.values[id] = false;
            while (answer.next_row()) taken_.values[answer.read_id()] = true;
        });
}

void LockedRows::ask_failing_dependants() {
    for (const int limit : std::exchange(failing_dependants_.wishes, {})) {
        ask("select id from semel.job where kept = 9 order by id limit $1", Params().integer(limit),
            [this, limit](Rows& answer) {
                auto& ids = failing_dependants_.values[limit];
                while (answer.next_row()) ids.push_back(answer.read_id());
            });
    }
}

void LockedRows::ask_blockers() {
    ask_each<JobId, BlockerView>(blocker_views_, blocker_views_sql(), by_job(blocker_views_.wishes),
                                 read_job_id, read_blocker_view);
}

// Fetches the waits of the blockers too, recursively. The ladder asks for them next, and each level
// would cost a round trip.
void LockedRows::ask_waits() {
    if (waits_of_.wishes.empty()) {
        return;
    }
    // The recursion begins with rows that are no edges: each wanted chain as a blocker.
    static const std::string sql = fmt::format(
        "with recursive w as (select c.id, -1 as position, c.id as blocker from unnest($1) c (id) "
        "union select f.id, e.position, e.blocker from w cross join lateral "
        "(select j.id, j.status from semel.job j where j.id = w.blocker limit 1) f {} "
        "cross join lateral (select x.position, x.blocker from semel.edge x "
        "where x.blocked = coalesce(s.id, f.id) and not x.done limit {}) e "
        "where coalesce(s.status, f.status) = {}) "
        "select id, blocker from (select * from w where position >= 0 limit $2) found "
        "order by id, position",
        kLastStep, kBlockersMax, static_cast<int>(Status::blocked));
    // One more than the limit shows the ladder that further waits exist.
    const auto limit = static_cast<std::int64_t>(kWaitsMax) + 1;
    ask(sql, by_job(waits_of_.wishes).integer(limit), [this](Rows& answer) {
        for (const JobId& id : std::exchange(waits_of_.wishes, {})) waits_of_.values[id];
        while (answer.next_row()) {
            const JobId chain = answer.read_id();
            const JobId blocker = answer.read_id();
            waits_of_.values[chain].push_back(blocker);
            waits_of_.values[blocker];
        }
    });
}

}  // namespace semel::postgres
