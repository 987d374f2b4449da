#include "store/sqlite/sqlite_reads.hpp"

namespace semel::sqlite {
namespace {

constexpr std::size_t kReaders = 2;             // one long list leaves room for short look-ups
constexpr std::size_t kReadsWaitingMax = 2000;  // more is answered `overloaded`

}  // namespace

SqliteReads::SqliteReads() : queue_(kReadsWaitingMax) {}

SqliteReads::~SqliteReads() {
    queue_.close();
    for (std::thread& thread : threads_) {
        thread.join();
    }
}

Result<std::unique_ptr<SqliteReads>> SqliteReads::open(const ConnectionOptions& options) {
    std::unique_ptr<SqliteReads> reads(new SqliteReads());
    for (std::size_t i = 0; i < kReaders; ++i) {
        SEMEL_TRY(session, ReadSession::open(options));
        reads->start_reader(std::move(session));
    }
    return reads;
}

void SqliteReads::start_reader(ReadSession session) {
    threads_.emplace_back([this, session = std::move(session)]() mutable {
        while (const auto read = queue_.take()) {
            (*read)(session);
        }
    });
}

template <typename T, typename Read>
void SqliteReads::ask(const Done<T>& done, const Read& read) {
    const bool posted =
        queue_.post([done, read](ReadSession& session) { done(session.run<T>(read)); });
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

void SqliteReads::get_schedule(ScheduleKey key, Done<std::optional<ScheduleView>> done) {
    ask<std::optional<ScheduleView>>(done, [key = std::move(key)](ReadStatements& statements) {
        return statements.get_schedule(key);
    });
}

void SqliteReads::list_schedules(std::string tenant, std::optional<Uuid> before, int limit,
                                 Done<std::vector<ScheduleView>> done) {
    ask<std::vector<ScheduleView>>(
        done, [tenant = std::move(tenant), before, limit](ReadStatements& statements) {
            return statements.list_schedules(tenant, before, limit);
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
