// The mark that each commit leaves, by which a commit is found out about whose answer was lost.
#pragma once

#include "store/postgres/connection.hpp"

namespace semel::postgres {

// Whether the batch of this mark has committed. If it has not, it never will: the mark is taken, by
// one that says so, and whoever asks again hears the same.
[[nodiscard]] Result<bool> find_commit(Connection& connection, const Uuid& mark, Time now);

}  // namespace semel::postgres
