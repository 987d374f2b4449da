// Climbs the ladder (core/batch/load_spec.hpp): finds all rows that a batch's decisions can need.
#pragma once

#include "store/ladder/row_source.hpp"

namespace semel {

// Returns these rows as of `now`. Reads only through `rows`, whose errors the caller checks.
[[nodiscard]] Loaded climb_ladder(RowSource& rows, const LoadSpec& spec, Time now);

}  // namespace semel
