// Writer: one stream of transactions on a separate connection, which is opened again if it is lost.
//
// Call load(), then commit() or roll_back().
//
// Errors: see the members. After an error no transaction is open.
// Threads: one at a time. All members block.
// Lifetime: `time` outlives the writer.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "core/batch/changes.hpp"
#include "core/batch/load_spec.hpp"
#include "store/caches/remembered_jobs.hpp"
#include "store/clocks/shared_time.hpp"
#include "store/postgres/connection.hpp"
#include "store/postgres/locked_rows.hpp"
#include "store/postgres/save.hpp"

namespace semel::postgres {

class Writer {
public:
    // Sends hints to other nodes after a commit.
    struct Tell {
        std::function<void()> work;  // a job became ready
        std::function<void()> ends;  // a chain or an effect may have ended
    };

    // `new_mark` returns an id for a commit. `commits_with` is called when the server's
    // synchronous_commit for this connection changes, before such a transaction commits.
    Writer(ConnectionOptions options, SharedTime& time, RememberedJobs& remembered,
           std::function<Uuid()> new_mark, Tell tell,
           std::function<void(const std::string&)> commits_with)
        : options_(std::move(options)),
          time_(time),
          remembered_(remembered),
          new_mark_(std::move(new_mark)),
          tell_(std::move(tell)),
          commits_with_(std::move(commits_with)) {}

    // Begins a transaction and loads the rows. Does not wait for locks of other transactions,
    // unless spec.wait is set.
    [[nodiscard]] Result<Loaded> load(const LoadSpec& spec);
    // Saves and commits in one round trip. Errors:
    // - `busy`: another node was first. Decide the batch again.
    // - `commit_unknown`: the server did not say within 5 s whether the commit happened.
    // - any other: nothing was changed.
    [[nodiscard]] Result<void> commit(const Changes& changes);
    // Rolls back. `busy`: a guess was wrong or is not certain. Decide the batch again.
    [[nodiscard]] Result<void> roll_back();

private:
    [[nodiscard]] Result<void> connect();
    [[nodiscard]] Result<Loaded> try_load(const LoadSpec& spec);
    [[nodiscard]] Result<Loaded> climb(const LoadSpec& spec);
    // Sends the queued statements and reads the server's time with them.
    [[nodiscard]] Result<std::vector<Rows>> flush_with_time();
    void note_settings(Rows& settings);
    [[nodiscard]] Result<void> send(const Changes& changes);
    // Ends the transaction in any state, and returns `error`.
    [[nodiscard]] Error abandon(Error error);
    // Asks the server whether the commit with this mark happened, after its answer was lost.
    [[nodiscard]] Result<void> find_out(const Uuid& mark, const Error& error);

    const ConnectionOptions options_;
    SharedTime& time_;
    RememberedJobs& remembered_;  // of all writers
    const std::function<Uuid()> new_mark_;
    const Tell tell_;
    const std::function<void(const std::string&)> commits_with_;
    std::string synchronous_commit_;          // of the last transaction
    std::unique_ptr<Connection> connection_;  // null: opened by the next load
    std::optional<LockedRows> rows_;          // of the open transaction
    Time now_;                                // store time of the open transaction
};

}  // namespace semel::postgres
