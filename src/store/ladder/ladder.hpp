// climb_ladder: finds all rows that a batch's decisions can need, rung by rung
// (core/batch/load_spec.hpp).
//
// Errors: `rows` records them, and the caller checks them after the climb.
// Threads: the thread of the transaction.
#pragma once

#include "store/ladder/row_source.hpp"

namespace semel {

// Returns these rows as of `now`. Reads only through `rows`.
[[nodiscard]] Loaded climb_ladder(RowSource& rows, const LoadSpec& spec, Time now);

}  // namespace semel
