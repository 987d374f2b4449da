// Connection: one connection to PostgreSQL, used by one thread. Statements are queued and sent
// together; one round trip answers them all.
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

// libpq's.
struct pg_conn;

namespace semel::postgres {

// SQLSTATEs: "insufficient privilege", and what a statement of a save says that touched another
// number of rows than it had to (migrations/0011_counted_rows.sql).
inline constexpr std::string_view kNoRight = "42501";
inline constexpr std::string_view kWrongCount = "SM002";

class Connection;

struct ConnectionOptions {
    std::string url;
    // How long one round trip may take. Beyond it the connection is given up.
    std::chrono::milliseconds patience = std::chrono::seconds(10);
    // Named statements are planned once. Off for poolers that hand out another session each time.
    bool prepared = true;
    // Called with each connection that was opened.
    std::function<void(Connection&)> opened = {};
};

class Connection {
public:
    [[nodiscard]] static Result<std::unique_ptr<Connection>> open(const ConnectionOptions& options);

    // Runs SQL of any number of statements, for its effect.
    [[nodiscard]] Result<void> execute(const std::string& sql);

    // Queues a statement. Its answer comes from `flush`.
    void queue(const std::string& sql, const Params& params = {});
    // Sends what is queued and waits for it: an answer for each statement, in order. After the
    // first error nothing behind it was run; that error is returned, and an open transaction can
    // only be rolled back.
    [[nodiscard]] Result<std::vector<Rows>> flush();

    // The same for a single statement.
    [[nodiscard]] Result<Rows> ask(const std::string& sql, const Params& params = {});

    // Waits until another session has notified us, `fd` can be read, or the time is over. The
    // channels on which it was.
    [[nodiscard]] Result<std::set<std::string>> wait_for_notice(std::chrono::milliseconds most,
                                                                int fd);

    // False: the server or the way to it is gone; open another one.
    [[nodiscard]] bool is_alive() const;
    // The last error was the server's word that it has rolled back, and that the session is over.
    [[nodiscard]] bool was_dismissed() const;
    [[nodiscard]] bool in_transaction() const;
    // The SQLSTATE of the last error that the server told; empty: it told none.
    [[nodiscard]] const std::string& last_state() const { return last_state_; }

private:
    struct Finish {
        void operator()(pg_conn* connection) const;
    };

    Connection(pg_conn* connection, const ConnectionOptions& options);

    [[nodiscard]] Result<void> enter_pipeline();
    [[nodiscard]] Result<void> send(const std::string& sql, const Params& params);
    [[nodiscard]] Result<const std::string*> prepare(const std::string& sql, const Params& params);
    // Reads until the answer to the pipeline's end.
    [[nodiscard]] Result<std::vector<Rows>> receive();
    [[nodiscard]] Result<void> wait_for_input(std::chrono::steady_clock::time_point until);
    [[nodiscard]] Error failure() const;
    Error lost(Error error);
    // Takes what other sessions have notified us of, or libpq would keep it for ever.
    void collect_notices();

    std::unique_ptr<pg_conn, Finish> connection_;
    const ConnectionOptions options_;
    std::unordered_map<std::string, std::string> prepared_;  // SQL to the statement's name
    std::vector<std::string> fresh_;                         // SQL that this pipeline prepares
    std::uint64_t names_used_ = 0;                           // a name is used once
    std::vector<bool> is_prepare_;      // of each queued message: whether its answer is skipped
    std::optional<Error> queue_error_;  // the first while queueing; told by `flush`
    std::string last_state_;
    std::set<std::string> told_;  // channels on which another session has, since it was asked
    bool broken_ = false;
};

}  // namespace semel::postgres
