// Writer: one stream of commits on a connection of its own. Called only on its thread.
//
// There is no transaction that stays open: rows are fetched with their stamps, decided about, and
// written by one script that compares the stamps first. Whoever was too late decides again.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/changes.hpp"
#include "core/load_spec.hpp"
#include "store/redis/connection.hpp"
#include "store/redis/data_set.hpp"
#include "store/redis/fetched_rows.hpp"
#include "store/redis/save.hpp"
#include "store/shared_time.hpp"

namespace semel::redis {

class Writer {
public:
    // `new_stamp` makes the names of commits.
    Writer(ConnectionOptions options, SharedTime& time, DataSet& data_set,
           std::function<std::string()> new_stamp)
        : connecting_(std::move(options)),
          time_(time),
          data_set_(data_set),
          new_stamp_(std::move(new_stamp)) {}

    [[nodiscard]] Result<Loaded> load(const LoadSpec& spec);
    // Saves and commits. `busy`: another node was first; the batch is to be decided again.
    // `commit_unknown`: neither success nor failure; any other error: nothing was changed.
    [[nodiscard]] Result<void> commit(const Changes& changes);
    [[nodiscard]] Result<void> roll_back();

private:
    [[nodiscard]] Result<Loaded> try_load(const LoadSpec& spec);
    [[nodiscard]] Result<Loaded> climb(Connection& connection, const LoadSpec& spec);
    // Each round trip also tells the time, and whose rows these are.
    void queue_preface(Connection& connection);
    [[nodiscard]] Result<void> read_preface(Connection& connection,
                                            const std::vector<Reply>& replies,
                                            std::chrono::nanoseconds asked);
    [[nodiscard]] Result<void> find_out(const std::string& stamp, const Error& error,
                                        std::chrono::steady_clock::time_point until);

    Reconnecting connecting_;
    SharedTime& time_;
    DataSet& data_set_;
    const std::function<std::string()> new_stamp_;
    std::optional<FetchedRows> rows_;  // of the load that nobody has ended yet
    Time now_;                         // of the load
};

}  // namespace semel::redis
