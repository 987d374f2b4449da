#include "store/postgres/rehearsal.hpp"

#include <array>

#include <fmt/format.h>

#include "base/random.hpp"
#include "store/postgres/agreed_times.hpp"
#include "store/postgres/locked_rows.hpp"
#include "store/postgres/read_queries.hpp"
#include "store/postgres/rehearsed_rows.hpp"
#include "store/postgres/save.hpp"

namespace semel::postgres {
namespace {

constexpr int kRehearsalTriesMax = 3;
// The settings of writer.cpp and read_session.cpp. Waits for a short lock, like that of a
// migration.
constexpr const char* kRehearsalSettings =
    "select set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true), "
    "set_config('lock_timeout', '5s', true)";

// Statements outside of commits, or on rows that all nodes share. Here they match no row.
constexpr std::array kBeside = {
    "update semel.meta set time_mark = 0, clock_ahead = 0, clock_since = 0, decisions_from = 0, "
    "made_at = semel.name_of_place() where false",
    "select id from semel.drain where false for update",
    "select id, verb, tenant, subject, token, content, fence, effect_id from semel.outbox "
    "where false",
    "delete from semel.outbox where false",
    "delete from semel.ready where false and (tenant, type, urgency, scheduled_at, id) is null",
    "insert into semel.commit_mark (id, at, known, of_batch) "
    "select gen_random_uuid(), 0, 0, false where false "
    "on conflict (id) do update set at = excluded.at",
    "delete from semel.commit_mark where false",
    "delete from semel.job_count where false",
    "delete from semel.decision_rest where false",
    "select finished_at, path, mark from semel.moved_from where false",
    "insert into semel.worker (node, tenant, type, until) "
    "select gen_random_uuid(), '', '', 0 where false "
    "on conflict (node, tenant, type) do update set until = excluded.until",
    "select node, tenant, type, until from semel.worker where false",
    "delete from semel.worker where false"};

Error damaged(const std::string& what) {
    return {ErrorCode::corrupt,
            fmt::format("the schema semel is not as its migrations made it: {}. Restore it from a "
                        "backup, or move to a database of its own",
                        what)};
}

// Checks the rows that only a migration creates.
Result<void> check_single_rows(Connection& connection) {
    for (const char* table : {"meta", "drain"}) {
        SEMEL_TRY(rows, connection.ask(fmt::format("select count(*) from semel.{}", table)));
        rows.next_row();
        if (rows.read_integer() != 1) {
            return damaged(fmt::format("semel.{} must have one row", table));
        }
    }
    return {};
}

Result<void> try_beside(Connection& connection) {
    for (const char* statement : kBeside) connection.queue(statement);
    SEMEL_CHECK(connection.flush());
    return {};
}

Result<void> try_save(Connection& connection, const Changes& changes, const Uuid& mark, Time now,
                      ReadyTids ready_tids = {}) {
    Save save(connection, std::move(ready_tids));
    SEMEL_CHECK(save.queue(changes, mark, now));
    SEMEL_CHECK(connection.flush());
    return {};
}

// Asks for rows like the ladder, except for the outbox, whose one row all nodes share.
void wish(LockedRows& rows, const RehearsedRows& mine) {
    (void)rows.claim(mine.claim.id);
    (void)rows.claim(mine.fence.id);
    (void)rows.content(mine.fence.id);
    (void)rows.source(mine.source.key);
    (void)rows.expired_sources(from_ms(0), 1);
    (void)rows.job(mine.waiting.id, true);
    (void)rows.job(mine.running.id, false);
    (void)rows.result(mine.waiting.id);
    (void)rows.group(mine.group.key);
    (void)rows.schedule(mine.schedule.key);
    (void)rows.bulk_run(mine.bulk_run.id);
    (void)rows.api_token(mine.api_token.id);
    (void)rows.edges_of_job(mine.blocked.id);
    (void)rows.edges_to_chain(mine.ready.id);
    (void)rows.step({mine.first.id, 1});
    (void)rows.steps(mine.first.id, 2);
    (void)rows.failing_dependants(1);
    (void)rows.blocker_views(mine.blocked.id);
    (void)rows.waits_of(mine.first.id);
    (void)rows.is_taken(mine.first.id);
    (void)rows.ready_tenant_after(mine.tenant);
    (void)rows.ready(mine.tenant, mine.ready.type, std::nullopt, 1);
    (void)rows.later(1);
    (void)rows.running(1);
    (void)rows.finished(1);
    (void)rows.waiting(mine.group.key, 1);
    (void)rows.expired_claims(from_ms(0), 1);
    (void)rows.finished_bulk_runs(from_ms(0), 1);
    (void)rows.decisions_before(0, 1);
    (void)rows.expired_responses(from_ms(0), 1);
    (void)rows.outbox_results_before(from_ms(0), 1);
}

// Loads all rows. Returns the position of the row in the ready queue.
Result<ReadyTids> try_load(Connection& connection, const RehearsedRows& mine) {
    LockedRows rows(connection, IfLocked::skip);
    for (wish(rows, mine); rows.has_wishes(); wish(rows, mine)) {
        rows.queue();
        SEMEL_TRY(answers, connection.flush());
        SEMEL_CHECK(rows.take(answers, 0));
    }
    return rows.take_ready_tids();
}

ActionFilter filter_of(const RehearsedRows& mine) {
    ActionFilter filter;
    filter.type = mine.waiting.type;
    filter.lock_group = mine.group.key.name;
    filter.schedule_name = mine.schedule.key.name;
    filter.chain = mine.waiting.chain;
    filter.from = from_ms(0);
    filter.to = mine.waiting.created_at;
    filter.status = Status::pending;
    return filter;
}

ChainFilter chain_filter_of(const RehearsedRows& mine) {
    ChainFilter filter;
    filter.type = mine.first.type;
    filter.from = from_ms(0);
    filter.to = mine.first.created_at;
    filter.status = Status::blocked;
    return filter;
}

Result<void> try_reads(Connection& connection, const RehearsedRows& mine) {
    ReadQueries reads(connection);
    const ActionFilter filter = filter_of(mine);
    (void)reads.get_claim(mine.tenant, mine.fence.id);
    (void)reads.get_response(mine.outbox_result);
    (void)reads.get_holds({{mine.tenant, mine.fence.id}});
    (void)reads.get_action(mine.tenant, mine.waiting.id);
    (void)reads.get_action(mine.tenant, mine.ready.id);
    (void)reads.list_actions(mine.tenant, {}, std::nullopt, 1);
    (void)reads.list_actions(mine.tenant, filter, mine.waiting.id, 1);
    (void)reads.walk_actions(mine.tenant, filter, mine.ready.id, mine.waiting.id, 1);
    (void)reads.count_actions(mine.tenant, filter);
    (void)reads.get_chain(mine.tenant, mine.first.id);
    (void)reads.get_chain_statuses({{mine.tenant, mine.first.id}});
    (void)reads.list_chains(mine.tenant, chain_filter_of(mine), mine.blocked.id, 1);
    (void)reads.list_steps(mine.tenant, mine.first.id, 0, 2);
    (void)reads.list_decisions(mine.tenant, std::nullopt, 1);
    (void)reads.get_schedule(mine.schedule.key);
    (void)reads.list_schedules(mine.tenant, std::nullopt, 1);
    (void)reads.get_bulk_run(mine.tenant, mine.bulk_run.id);
    (void)reads.list_open_bulk_runs();
    UncertainQuery query{.tenant = mine.tenant, .limit = 1, .now = from_ms(0)};
    (void)reads.list_uncertain_claims(query);
    query.space = mine.doubtful.space;
    (void)reads.list_uncertain_claims(query);
    (void)reads.count_uncertain_claims();
    (void)reads.list_api_tokens();
    (void)reads.count_jobs();
    return reads.outcome();
}

// Leaves the transaction open. The caller rolls it back.
Result<void> rehearse_all(Connection& connection, Time now, const std::function<Uuid()>& new_id) {
    connection.queue("begin");
    connection.queue(kRehearsalSettings);
    SEMEL_CHECK(connection.flush());
    SEMEL_CHECK(check_whole(connection));
    SEMEL_CHECK(check_single_rows(connection));
    SEMEL_CHECK(try_beside(connection));
    const RehearsedRows mine = make_rehearsed_rows(new_id, now);
    SEMEL_CHECK(try_save(connection, inserting(mine), new_id(), now));
    SEMEL_TRY(ready_tids, try_load(connection, mine));
    SEMEL_CHECK(try_save(connection, renewing(mine), new_id(), now));
    SEMEL_CHECK(try_save(connection, changing(mine, now), new_id(), now, std::move(ready_tids)));
    SEMEL_CHECK(try_reads(connection, mine));
    return try_save(connection, deleting(mine, now), new_id(), now);
}

// Returns the server's error with its remedy.
Error explained(const Error& error, const std::string& state) {
    if (state == kNoRight) {
        return {ErrorCode::refused,
                fmt::format("a right is missing: {}. The role must own the schema semel and all in "
                            "it, or have been granted everything there",
                            error.message())};
    }
    // This class of SQLSTATE means a missing or different table, column or function.
    const bool is_damaged = state.starts_with("42") || state.starts_with("SM");
    return is_damaged ? damaged(error.message()) : error;
}

}  // namespace

Result<void> check_whole(Connection& connection) {
    SEMEL_TRY(source, unfinished_source(connection));
    if (!source) {
        return {};
    }
    return Error(ErrorCode::refused,
                 fmt::format("it is being filled from {0}: finish that with `semel migrate --from "
                             "{0} --to …`, or drop its schema semel",
                             *source));
}

Result<std::optional<std::string>> unfinished_source(Connection& connection) {
    SEMEL_TRY(rows, connection.ask("select path from semel.moved_from where finished_at is null"));
    return rows.next_row() ? std::optional(rows.read_string()) : std::nullopt;
}

Result<void> rehearse(Connection& connection) {
    // Reads the server's clock directly, because the row of the shared time can be missing.
    SEMEL_TRY(now, read_server_time(connection));
    UuidGenerator ids(random_u64);
    for (int tries = 1;; ++tries) {
        const auto done = rehearse_all(connection, now, [&ids, now] { return ids.next(now); });
        const std::string state = done ? "" : connection.last_state();
        if (connection.in_transaction()) {
            SEMEL_CHECK(connection.execute("rollback"));
        }
        if (done) {
            return {};
        }
        if (done.error().code() == ErrorCode::busy && tries < kRehearsalTriesMax) {
            continue;
        }
        return done.error().code() == ErrorCode::corrupt ? done.error()
                                                         : explained(done.error(), state);
    }
}

}  // namespace semel::postgres
