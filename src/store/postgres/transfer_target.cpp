#include "store/postgres/transfer_target.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/random.hpp"
#include "base/uuid.hpp"
#include "store/packing/row_pack.hpp"
#include "store/postgres/first_connection.hpp"
#include "store/postgres/migrations.hpp"
#include "store/postgres/row_pages.hpp"
#include "store/postgres/save.hpp"

namespace semel::postgres {
namespace {

// The limit of one statement, because it can count or walk a large table.
constexpr std::chrono::minutes kPatience{5};
constexpr int kRowsPerRead = 100;  // payloads and outputs can have 1 MiB each
// A node raises the time mark once a second (chores.cpp).
constexpr Millis kNodeSeenWithin = std::chrono::seconds(10);

// Marks the transaction as the transfer's (0004_moving.sql). The other settings are those of
// writer.cpp, for tables that were empty at their last analysis.
constexpr const char* kOurs =
    "select set_config('semel.moving', 'on', true), set_config('enable_seqscan', 'off', true), "
    "set_config('jit', 'off', true), set_config('lock_timeout', '10s', true)";
constexpr const char* kTargetServerTime = "(extract(epoch from clock_timestamp()) * 1000)::bigint";

// The tables whose rows only a node or a user can have written.
constexpr std::array kTables = {"claim",     "job",        "job_result", "attempt",
                                "edge",      "lock_group", "schedule",   "bulk_run",
                                "api_token", "decision",   "outbox",     "source"};
// The tables into which every commit of a node, or of a user's own transaction, inserts.
constexpr std::array kFenced = {"commit_mark", "outbox"};

Error refused(std::string why) {
    return {ErrorCode::refused, std::move(why)};
}

class PostgresTransferTarget final : public TransferTarget {
public:
    PostgresTransferTarget(std::unique_ptr<Connection> connection, std::string shown)
        : connection_(std::move(connection)), shown_(std::move(shown)), marks_(random_u64) {}

    Result<TransferState> inspect(const TransferOrigin& origin) override {
        SEMEL_TRY(versions, schema_versions(*connection_));
        if (versions.from == 0) {
            return TransferState{};
        }
        if (versions.is_current()) {
            SEMEL_TRY(state, read_state(origin));
            if (state) {
                return *state;
            }
        }
        SEMEL_CHECK(check_unused());
        return TransferState{};
    }

    Result<TransferState> begin(const TransferOrigin& origin) override {
        // Creates and marks the schema in one transaction, so that no node uses it between the two.
        SEMEL_CHECK(migrate(*connection_, [&]() -> Result<void> {
            SEMEL_CHECK(begin_or_go_on(origin));
            return {};
        }));
        return in_transaction<TransferState>([&] { return begin_or_go_on(origin); });
    }

    Result<void> put(const RowPage& page, const TransferState& from,
                     const TransferState& to) override {
        return in_transaction<void>([&]() -> Result<void> {
            SEMEL_CHECK(advance(from, to));
            return write(page);
        });
    }

    Result<void> finish(const TransferOrigin& origin) override {
        return in_transaction<void>([&] { return open_for_all(origin); });
    }

    Result<RowPage> page(RowKind kind, const std::string& after) override {
        return in_transaction<RowPage>(
            [&] { return read_page(*connection_, kind, after, kRowsPerRead); });
    }

private:
    // Runs a step in a transaction. An error rolls it back.
    template <typename T, typename Step>
    Result<T> in_transaction(const Step& step) {
        SEMEL_CHECK(connection_->execute("begin"));
        SEMEL_CHECK(connection_->ask(kOurs));
        Result<T> done = step();
        if (done) {
            SEMEL_CHECK(connection_->execute("commit"));
        } else if (connection_->in_transaction()) {
            (void)connection_->execute("rollback");  // if it fails, the connection ends
        }
        return done;
    }

    // Returns nullopt if no transfer has begun.
    Result<std::optional<TransferState>> read_state(const TransferOrigin& origin) {
        SEMEL_TRY(rows, connection_->ask("select path, mark, kind, after, rows, started_at, "
                                         "finished_at from semel.moved_from"));
        if (!rows.next_row()) {
            return std::optional<TransferState>();
        }
        const std::string path = rows.read_string();
        const std::string mark = rows.read_string();
        TransferState state;
        state.kind = static_cast<std::size_t>(rows.read_integer());
        state.after = rows.read_string();
        state.rows = rows.read_integer();
        state.started_at = rows.read_time();
        state.finished_at = rows.read_optional_time();
        if (mark == origin.mark) {
            return std::optional(state);
        }
        if (state.finished_at) {
            return refused(
                fmt::format("{} holds what was moved there from {} at {}: choose an "
                            "empty database",
                            shown_, path, format_rfc3339(*state.finished_at)));
        }
        return refused(
            path == origin.path
                ? fmt::format("{} was changed after this move began: drop the schema semel of {} "
                              "and begin again",
                              path, shown_)
                : fmt::format("{} is half filled from {}: finish that first, or drop its schema "
                              "semel",
                              shown_, path));
    }

    Result<void> check_unused() {
        for (const char* table : kTables) {
            SEMEL_TRY(there, count("select count(*) from pg_tables where schemaname = 'semel' and "
                                   "tablename = '{}'",
                                   table));
            if (there == 0) continue;
            SEMEL_TRY(used, count("select count(*) from (select from semel.{} limit 1) s", table));
            if (used > 0) {
                return refused(
                    fmt::format("{} has data of its own (in semel.{}): choose an empty "
                                "database, or drop its schema semel",
                                shown_, table));
            }
        }
        SEMEL_TRY(nodes, count("select count(*) from semel.meta where abs({} - time_mark) < " +
                                   std::to_string(kNodeSeenWithin.count()),
                               kTargetServerTime));
        if (nodes > 0) {
            return Error(ErrorCode::busy,
                         fmt::format("a node uses {}, or did so a moment ago: stop it, and try "
                                     "again after {} seconds",
                                     shown_, kNodeSeenWithin / std::chrono::seconds(1)));
        }
        return {};
    }

    Result<std::int64_t> count(const std::string& sql, const char* what) {
        SEMEL_TRY(rows, connection_->ask(fmt::format(fmt::runtime(sql), what)));
        rows.next_row();
        return rows.read_integer();
    }

    Result<TransferState> begin_or_go_on(const TransferOrigin& origin) {
        SEMEL_TRY(made,
                  connection_->ask(fmt::format("insert into semel.moved_from values (1, $1, $2, 0, "
                                               "'', 0, {}) on conflict (id) do nothing",
                                               kTargetServerTime),
                                   Params().text(origin.path).text(origin.mark)));
        if (made.affected() == 1) {
            // From here on no node commits. Earlier commits are found below.
            for (const char* table : kFenced) {
                SEMEL_CHECK(connection_->execute(
                    fmt::format("create trigger moving before insert on semel.{} for each "
                                "statement execute function semel.refuse_while_moving()",
                                table)));
            }
            SEMEL_CHECK(check_unused());
            // Before the first row, because fencing tokens and ids grow with time.
            SEMEL_CHECK(raise_time(origin));
        }
        SEMEL_TRY(state, read_state(origin));
        SEMEL_ASSERT(state.has_value());
        return *state;
    }

    Result<void> raise_time(const TransferOrigin& origin) {
        SEMEL_CHECK(connection_->ask("update semel.meta set time_mark = greatest(time_mark, $1)",
                                     Params().time(origin.time_mark + Millis(1))));
        return {};
    }

    // Locks the row until the commit, so that only one of two runs continues.
    Result<void> advance(const TransferState& from, const TransferState& to) {
        SEMEL_TRY(
            advanced,
            connection_->ask("update semel.moved_from set kind = $1, after = $2, rows = $3 "
                             "where finished_at is null and kind = $4 and after = $5 and rows = $6",
                             Params()
                                 .integer(static_cast<std::int64_t>(to.kind))
                                 .bytes(to.after)
                                 .integer(to.rows)
                                 .integer(static_cast<std::int64_t>(from.kind))
                                 .bytes(from.after)
                                 .integer(from.rows)));
        if (advanced.affected() != 1) {
            return Error(ErrorCode::busy,
                         fmt::format("another `semel migrate` fills {} at the same time", shown_));
        }
        return {};
    }

    Result<void> write(const RowPage& page) {
        if (!page.rows.empty()) {
            const Time now = from_ms(0);  // a transfer makes no new rows
            Save save(*connection_);
            SEMEL_CHECK(save.queue(page.rows, marks_.next(now), now));
            SEMEL_CHECK(connection_->flush());
        }
        return write_decisions(page.decisions);
    }

    Result<void> write_decisions(const std::vector<StoredDecision>& decisions) {
        Array day(Type::int8);
        Array tenant(Type::text);
        Array sequence(Type::int8);
        Array data(Type::bytea);
        for (const StoredDecision& logged : decisions) {
            day.integer(logged.ref.day);
            tenant.bytes(logged.ref.tenant);
            sequence.integer(logged.ref.sequence);
            data.bytes(pack_decision(logged.entry));
        }
        if (decisions.empty()) {
            return {};
        }
        SEMEL_CHECK(
            connection_->ask("insert into semel.decision (day, tenant, sequence, data) "
                             "select * from unnest($1, $2, $3, $4)",
                             Params().array(day).array(tenant).array(sequence).array(data)));
        return {};
    }

    Result<void> open_for_all(const TransferOrigin& origin) {
        SEMEL_TRY(finished,
                  connection_->ask(fmt::format("update semel.moved_from set finished_at = {} "
                                               "where finished_at is null and mark = $1",
                                               kTargetServerTime),
                                   Params().text(origin.mark)));
        if (finished.affected() != 1) {
            return Error(ErrorCode::busy,
                         fmt::format("another `semel migrate` has finished {}", shown_));
        }
        if (origin.last_decision > 0) {
            SEMEL_CHECK(connection_->ask("select setval('semel.decision_number', $1)",
                                         Params().integer(origin.last_decision)));
        }
        for (const char* table : kFenced) {
            SEMEL_CHECK(
                connection_->execute(fmt::format("drop trigger moving on semel.{}", table)));
        }
        return raise_time(origin);
    }

    const std::unique_ptr<Connection> connection_;
    const std::string shown_;
    UuidGenerator marks_;
};

}  // namespace

Result<std::unique_ptr<TransferTarget>> open_transfer_target(const std::string& url) {
    SEMEL_TRY(first, connect_first(url, kPatience));
    return std::unique_ptr<TransferTarget>(
        std::make_unique<PostgresTransferTarget>(std::move(first.connection), first.url.shown));
}

}  // namespace semel::postgres
