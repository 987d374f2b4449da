// A row is of no use where one that it leads to is held.
#pragma once

#include "core/load_spec.hpp"

namespace semel {

// Also holds the claims of held owners, jobs whose predecessor, successor or superseder is held,
// groups with a held head (one that runs can be waited for), and schedules with a held occurrence.
// A query has not found what is held.
void spread_holds(Loaded& loaded);

}  // namespace semel
