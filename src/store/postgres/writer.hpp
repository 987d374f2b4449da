// Writer: one stream of transactions on a connection of its own. Called only on its thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "core/changes.hpp"
#include "core/load_spec.hpp"
#include "store/postgres/connection.hpp"
#include "store/postgres/locked_rows.hpp"
#include "store/postgres/save.hpp"
#include "store/remembered_jobs.hpp"
#include "store/shared_time.hpp"

namespace semel::postgres {

class Writer {
public:
    // What other nodes are told after a commit.
    struct Tell {
        std::function<void()> work;  // that there is some
        std::function<void()> ends;  // that a chain has ended
    };

    // `new_mark` makes the ids of commits; `commits_with` hears of each other synchronous_commit
    // that its transactions have, before they commit.
    Writer(ConnectionOptions options, SharedTime& time, std::function<Uuid()> new_mark, Tell tell,
           std::function<void(const std::string&)> commits_with)
        : options_(std::move(options)),
          time_(time),
          new_mark_(std::move(new_mark)),
          tell_(std::move(tell)),
          commits_with_(std::move(commits_with)) {}

    // Begins a transaction. After an error none is open.
    [[nodiscard]] Result<Loaded> load(const LoadSpec& spec);
    // Saves and commits, in one round trip. `busy`: another node was first; the batch is to be
    // decided again. `commit_unknown`: neither success nor failure; any other error: nothing was
    // changed.
    [[nodiscard]] Result<void> commit(const Changes& changes);
    // `busy`: as above.
    [[nodiscard]] Result<void> roll_back();

private:
    [[nodiscard]] Result<void> connect();
    [[nodiscard]] Result<Loaded> try_load(const LoadSpec& spec);
    [[nodiscard]] Result<Loaded> climb(const LoadSpec& spec);
    // Sends what is queued; the last answer is the server's time.
    [[nodiscard]] Result<std::vector<Rows>> flush_with_time();
    void note_settings(Rows& settings);
    [[nodiscard]] Result<void> send(const Changes& changes);
    // Ends the transaction, whatever state it is in.
    [[nodiscard]] Error abandon(Error error);
    // Whether the commit of that mark happened, where an error came instead of its answer.
    [[nodiscard]] Result<void> find_out(const Uuid& mark, const Error& error);

    const ConnectionOptions options_;
    SharedTime& time_;
    const std::function<Uuid()> new_mark_;
    const Tell tell_;
    const std::function<void(const std::string&)> commits_with_;
    std::string synchronous_commit_;          // of the last transaction
    std::unique_ptr<Connection> connection_;  // null: opened by the next load
    std::optional<LockedRows> rows_;          // of the open transaction
    Time now_;                                // the same
    RememberedJobs remembered_;
};

}  // namespace semel::postgres
