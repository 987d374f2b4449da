// The ladder (core/load_spec.hpp), climbed over a RowSource.
#pragma once

#include "store/row_source.hpp"

namespace semel {

// The rows that a batch needs, as they stand at `now`.
[[nodiscard]] Loaded climb_ladder(RowSource& rows, const LoadSpec& spec, Time now);

}  // namespace semel
