// Runs `semel demo`: payments through a gateway, repeated and interrupted, with a check after every
// step.
#pragma once

#include "base/result.hpp"
#include "cli/output.hpp"

namespace semel::cli {

// Shows the steps on the console. Its service, its gateway and its store exist only during the
// call. Blocks for seconds.
// Errors: `refused` if a step did not end as the demo says. Otherwise a port, a process, a folder
// or a request failed.
// Threads: one at a time. It starts threads and a child process.
[[nodiscard]] Result<void> run_demo(Console& console);

}  // namespace semel::cli
