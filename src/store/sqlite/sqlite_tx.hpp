// SqliteTx: runs callers' statements on the writer's connection, inside its transaction. WriteGuard
// decides which of them are allowed.
//
// Errors: a failed or refused statement throws SqlError. If the disk or memory failed, the
// connection keeps the error too.
// Threads: the writer thread. Lifetime: one Committer::write().
#pragma once

#include <semel/tx.hpp>

#include "store/sqlite/write_guard.hpp"

struct sqlite3_stmt;

namespace semel::sqlite {

class SqliteTx final : public Tx {
public:
    SqliteTx(Connection& connection, WriteGuard& guard) : connection_(connection), guard_(guard) {}

protected:
    Ran run(std::string_view sql, const std::vector<SqlValue>& values) override;

private:
    // Throws if the time limit has passed or the transaction has ended.
    void check_open(std::string_view sql) const;
    [[nodiscard]] Ran step_through(sqlite3_stmt* statement, std::string_view sql);
    [[noreturn]] void fail(int code, std::string_view sql);

    Connection& connection_;
    WriteGuard& guard_;
};

// The error after the time limit.
inline constexpr const char* kStatementsTookTooLong =
    "your own statements took more than 100 ms of work, or a second in all: they are undone. Do "
    "what takes long outside of them";

}  // namespace semel::sqlite
