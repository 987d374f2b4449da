// make_commit: turns the changes of a commit into the keys and arguments of scripts/commit.lua.
// Pure.
// Threads: any.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/batch/changes.hpp"
#include "store/redis/fetched_rows.hpp"

namespace semel::redis {

struct CommitCall {
    std::vector<std::string> keys;
    std::vector<std::string> arguments;
};

// `stamp` identifies the commit, `data_set` the rows it was decided on. `fetched` has the stamps
// that the script compares. Entries of the decision log are skipped: the main store has them.
[[nodiscard]] CommitCall make_commit(const Changes& changes, const FetchedRows& fetched, Time now,
                                     const std::string& stamp, const std::string& data_set);

}  // namespace semel::redis
