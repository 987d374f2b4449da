// What one commit writes, as the keys and arguments of scripts/commit.lua.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/changes.hpp"
#include "store/redis/fetched_rows.hpp"

namespace semel::redis {

struct CommitCall {
    std::vector<std::string> keys;
    std::vector<std::string> arguments;
};

// `stamp` names the commit, `data_set` the rows that it belongs to. Lines of the decision log are
// not among what is written: they go to the main store.
[[nodiscard]] CommitCall make_commit(const Changes& changes, const FetchedRows& fetched, Time now,
                                     const std::string& stamp, const std::string& data_set);

}  // namespace semel::redis
