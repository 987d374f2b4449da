// What the doctor asks a running server.
#pragma once

#include "base/time.hpp"
#include "cli/caller.hpp"
#include "cli/doctor/checkup.hpp"

namespace semel::cli {

// `now` is the wall clock's.
void check_server(Checkup& checkup, const ConnectionOptions& connection, Time now);

}  // namespace semel::cli
