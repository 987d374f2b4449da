// Connection: one connection to PostgreSQL. Statements are queued and sent together, and one round
// trip answers all of them.
//
// Errors: ErrorCode by SQLSTATE:
// - `busy`: a lock, a deadlock or a lost insert
// - `unavailable`: the server or the network
// - `refused`: rights or schema
// - `invalid`: the values
// - `io_error`: any other
//
// After the connection was lost is_alive() returns false: open another one.
//
// Threads: one at a time. flush() and ask() block for `patience` at most, open() and execute()
// without this limit.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"
#include "store/postgres/params.hpp"
#include "store/postgres/rows.hpp"

// A type of libpq.
struct pg_conn;

namespace semel::postgres {

// SQLSTATEs: "insufficient privilege", and Semel's own for a statement of Save that affected
// another number of rows than expected (migrations/0011_counted_rows.sql).
inline constexpr std::string_view kNoRight = "42501";
inline constexpr std::string_view kWrongCount = "SM002";

class Connection;

struct ConnectionOptions {
    std::string url;
    // The time limit of one round trip. After it the connection counts as lost.
    std::chrono::milliseconds patience = std::chrono::seconds(10);
    // True: uses named statements, which are planned once. Turn it off for poolers that change the
    // server session between transactions.
    bool prepared = true;
    // Called with each new connection.
    std::function<void(Connection&)> opened = {};
};

class Connection {
public:
    [[nodiscard]] static Result<std::unique_ptr<Connection>> open(const ConnectionOptions& options);

    // Runs a text of several statements and discards their rows.
    [[nodiscard]] Result<void> execute(const std::string& sql);

    // Queues a statement. flush() returns its answer.
    void queue(const std::string& sql, const Params& params = {});
    // Sends the queued statements and returns one answer per statement, in order. After the first
    // error the server skips the rest, and flush() returns that error. An open transaction must
    // then be rolled back.
    [[nodiscard]] Result<std::vector<Rows>> flush();

    // Queues one statement, flushes, and returns its answer.
    [[nodiscard]] Result<Rows> ask(const std::string& sql, const Params& params = {});

    // Waits for a NOTIFY of another session, until `fd` is readable or `most` has passed. Returns
    // the channels with a NOTIFY since the last call.
    [[nodiscard]] Result<std::set<std::string>> wait_for_notice(std::chrono::milliseconds most,
                                                                int fd);

    // Returns false after the connection was lost.
    [[nodiscard]] bool is_alive() const;
    // Returns true if the last error means that the server has rolled back and ended the session.
    [[nodiscard]] bool was_dismissed() const;
    [[nodiscard]] bool in_transaction() const;
    // The SQLSTATE of the server's last error, or empty.
    [[nodiscard]] const std::string& last_state() const { return last_state_; }

private:
    struct Finish {
        void operator()(pg_conn* connection) const;
    };

    Connection(pg_conn* connection, const ConnectionOptions& options);

    [[nodiscard]] Result<void> enter_pipeline();
    [[nodiscard]] Result<void> send(const std::string& sql, const Params& params);
    [[nodiscard]] Result<const std::string*> prepare(const std::string& sql, const Params& params);
    // Reads answers up to the end of the pipeline.
    [[nodiscard]] Result<std::vector<Rows>> receive();
    [[nodiscard]] Result<void> wait_for_input(std::chrono::steady_clock::time_point until);
    [[nodiscard]] Error failure() const;
    Error lost(Error error);
    // Fetches notifications of other sessions, which libpq would otherwise keep without limit.
    void collect_notices();

    std::unique_ptr<pg_conn, Finish> connection_;
    const ConnectionOptions options_;
    std::unordered_map<std::string, std::string> prepared_;  // SQL to the statement's name
    std::vector<std::string> fresh_;                         // SQL that this pipeline prepares
    std::uint64_t names_used_ = 0;                           // a name is used once
    std::vector<bool> is_prepare_;      // for each queued message: whether its answer is skipped
    std::optional<Error> queue_error_;  // the first while queueing; returned by flush()
    std::string last_state_;
    std::set<std::string> told_;  // channels that received a NOTIFY since the last wait
    bool broken_ = false;
};

}  // namespace semel::postgres
