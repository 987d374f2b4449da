// The doctor's checks of a running server: it answers, is ready, its durability, clock and version,
// failed commits, idle types, failed actions, stopped schedules. Reads only. Threads: one.
#pragma once

#include "base/time.hpp"
#include "cli/caller.hpp"
#include "cli/doctor/checkup.hpp"

namespace semel::cli {

// Adds the findings. An unreachable server is a finding too. `now` is the wall clock. Blocks.
void check_server(Checkup& checkup, const ConnectionOptions& connection, Time now);

}  // namespace semel::cli
