#include "store/sqlite/sqlite_reads.hpp"

namespace semel::sqlite {
namespace {

constexpr std::size_t kReaders = 2;             // one long list leaves room for short look-ups
constexpr std::size_t kReadsWaitingMax = 1000;  // per reader; more is answered `overloaded`

}  // namespace

SqliteReads::Reader::Reader(ReadSession opened)
    : session(std::move(opened)), thread(kReadsWaitingMax) {}

Result<std::unique_ptr<SqliteReads>> SqliteReads::open(const ConnectionOptions& options) {
    std::unique_ptr<SqliteReads> reads(new SqliteReads());
    for (std::size_t i = 0; i < kReaders; ++i) {
        SEMEL_TRY(session, ReadSession::open(options));
        reads->readers_.push_back(std::make_unique<Reader>(std::move(session)));
    }
    return reads;
}

template <typename T, typename Read>
void SqliteReads::ask(const Done<T>& done, const Read& read) {
    Reader& reader = *readers_[turn_.fetch_add(1, std::memory_order_relaxed) % readers_.size()];
    const bool posted =
        reader.thread.post([&session = reader.session, done, read] { done(session.run<T>(read)); });
    if (!posted) {
        done(Error(ErrorCode::overloaded, "too many reads are waiting; try again"));
    }
}

void SqliteReads::get_action(std::string tenant, JobId id,
                             Done<std::optional<ActionDetails>> done) {
    ask<std::optional<ActionDetails>>(done,
                                      [tenant = std::move(tenant), id](ReadStatements& statements) {
                                          return statements.get_action(tenant, id);
                                      });
}

void SqliteReads::list_actions(std::string tenant, ActionFilter filter, std::optional<JobId> before,
                               int limit, Done<std::vector<ActionView>> done) {
    ask<std::vector<ActionView>>(done, [tenant = std::move(tenant), filter = std::move(filter),
                                        before, limit](ReadStatements& statements) {
        return statements.list_actions(tenant, filter, before, limit);
    });
}

void SqliteReads::list_decisions(std::string tenant, std::optional<std::int64_t> before, int limit,
                                 Done<std::vector<LoggedDecision>> done) {
    ask<std::vector<LoggedDecision>>(
        done, [tenant = std::move(tenant), before, limit](ReadStatements& statements) {
            return statements.list_decisions(tenant, before, limit);
        });
}

void SqliteReads::walk_actions(std::string tenant, ActionFilter filter, std::optional<JobId> after,
                               JobId before, int limit, Done<std::vector<JobId>> done) {
    ask<std::vector<JobId>>(done, [tenant = std::move(tenant), filter = std::move(filter), after,
                                   before, limit](ReadStatements& statements) {
        return statements.walk_actions(tenant, filter, after, before, limit);
    });
}

void SqliteReads::count_actions(std::string tenant, ActionFilter filter, Done<std::int64_t> done) {
    ask<std::int64_t>(
        done, [tenant = std::move(tenant), filter = std::move(filter)](ReadStatements& statements) {
            return statements.count_actions(tenant, filter);
        });
}

void SqliteReads::get_bulk_run(std::string tenant, Uuid id, Done<std::optional<BulkRun>> done) {
    ask<std::optional<BulkRun>>(done, [tenant = std::move(tenant), id](ReadStatements& statements) {
        return statements.get_bulk_run(tenant, id);
    });
}

void SqliteReads::list_open_bulk_runs(Done<std::vector<BulkRun>> done) {
    ask<std::vector<BulkRun>>(
        done, [](ReadStatements& statements) { return statements.list_open_bulk_runs(); });
}

void SqliteReads::list_api_tokens(Done<std::vector<ApiToken>> done) {
    ask<std::vector<ApiToken>>(
        done, [](ReadStatements& statements) { return statements.list_api_tokens(); });
}

void SqliteReads::count_jobs(Done<std::vector<JobCount>> done) {
    ask<std::vector<JobCount>>(done,
                               [](ReadStatements& statements) { return statements.count_jobs(); });
}

}  // namespace semel::sqlite
