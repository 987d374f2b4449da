// Writer: one stream of commits on a separate connection, which is opened again if it is lost.
//
// No transaction stays open. A load fetches rows with their stamps, and the commit is one script
// that compares the stamps before it writes. If another node has changed a row, the batch is
// decided again.
//
// Call load(), then commit() or roll_back().
//
// Errors: see the members. Threads: one at a time. load() and commit() block.
// Lifetime: `time` and `data_set` outlive the writer.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/batch/changes.hpp"
#include "core/batch/load_spec.hpp"
#include "store/clocks/shared_time.hpp"
#include "store/redis/connection.hpp"
#include "store/redis/data_set.hpp"
#include "store/redis/fetched_rows.hpp"
#include "store/redis/save.hpp"

namespace semel::redis {

class Writer {
public:
    // `new_stamp` returns a new id for a commit.
    Writer(ConnectionOptions options, SharedTime& time, DataSet& data_set,
           std::function<std::string()> new_stamp)
        : connecting_(std::move(options)),
          time_(time),
          data_set_(data_set),
          new_stamp_(std::move(new_stamp)) {}

    // Fetches the rows. An error changes nothing.
    [[nodiscard]] Result<Loaded> load(const LoadSpec& spec);
    // Saves and commits in one round trip. Errors:
    // - `busy`: another node was first. Decide the batch again.
    // - `commit_unknown`: the server did not say within 5 s whether the commit happened, or a
    //   missing right stopped the script after some of its writes.
    // - any other: nothing was changed.
    [[nodiscard]] Result<void> commit(const Changes& changes);
    // Ends a load without a commit. Never fails.
    [[nodiscard]] Result<void> roll_back();

private:
    [[nodiscard]] Result<Loaded> try_load(const LoadSpec& spec);
    [[nodiscard]] Result<Loaded> climb(Connection& connection, const LoadSpec& spec);
    // Each round trip also reads the server's time and the id of its rows.
    void queue_preface(Connection& connection);
    [[nodiscard]] Result<void> read_preface(Connection& connection,
                                            const std::vector<Reply>& replies,
                                            std::chrono::nanoseconds asked);
    // Asks the server whether the commit with this stamp happened, and otherwise prevents it.
    [[nodiscard]] Result<void> find_out(const std::string& stamp, const Error& error,
                                        std::chrono::steady_clock::time_point until);

    Reconnecting connecting_;
    SharedTime& time_;
    DataSet& data_set_;
    const std::function<std::string()> new_stamp_;
    std::optional<FetchedRows> rows_;  // of the load without a commit yet
    Time now_;                         // of the load
};

}  // namespace semel::redis
