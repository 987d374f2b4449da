// SqliteTx: callers' own statements on the writer's connection, inside its transaction.
#pragma once

#include <semel/tx.hpp>

#include "store/sqlite/write_guard.hpp"

struct sqlite3_stmt;

namespace semel::sqlite {

// A failure of the disk or of memory is kept by the connection, as that of any statement.
class SqliteTx final : public Tx {
public:
    SqliteTx(Connection& connection, WriteGuard& guard) : connection_(connection), guard_(guard) {}

protected:
    Ran run(std::string_view sql, const std::vector<SqlValue>& values) override;

private:
    // Throws if the statement may not begin.
    void check_open(std::string_view sql) const;
    [[nodiscard]] Ran step_through(sqlite3_stmt* statement, std::string_view sql);
    [[noreturn]] void fail(int code, std::string_view sql);

    Connection& connection_;
    WriteGuard& guard_;
};

// What it is said to have failed with when its time was up.
inline constexpr const char* kStatementsTookTooLong =
    "your own statements took more than 100 ms of work, or a second in all: they are undone. Do "
    "what takes long outside of them";

}  // namespace semel::sqlite
