// The doctor's warning about a store's time that differs from the machine's clock. Threads: one.
#pragma once

#include "base/time.hpp"
#include "cli/doctor/checkup.hpp"

namespace semel::cli {

// Adds a warning. `ahead` is the wall clock minus store time.
void warn_of_clock(Checkup& checkup, Millis ahead);

}  // namespace semel::cli
