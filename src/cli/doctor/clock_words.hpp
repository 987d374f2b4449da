// What is said of a store's clock that is not the machine's.
#pragma once

#include "base/time.hpp"
#include "cli/doctor/checkup.hpp"

namespace semel::cli {

// `ahead`: by how much the wall clock is ahead of store time; negative: behind.
void warn_of_clock(Checkup& checkup, Millis ahead);

}  // namespace semel::cli
