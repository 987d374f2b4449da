// spread_locks: if a job is locked elsewhere, all rows that refer to it count as locked elsewhere
// too. Pure. Threads: any.
#pragma once

#include "core/batch/load_spec.hpp"

namespace semel {

// Adds to `loaded.locked_elsewhere`, if it has jobs:
// - jobs with a predecessor, successor or superseder in it
// - claims of an owner in it
// - groups with a head in it, unless that head is running
// - schedules with a current occurrence in it
//
// It removes these jobs, chains and claims from the results of queries.
void spread_locks(Loaded& loaded);

}  // namespace semel
