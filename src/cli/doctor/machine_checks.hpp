// The doctor's checks of the machine: open files and free disk space. Each adds a finding, also if
// it cannot measure. Threads: one.
//
// A check_* function measures, and passes the numbers to its judge_* function, which adds the
// finding. Tests call judge_* with other numbers.
#pragma once

#include <cstdint>
#include <string>

#include "cli/doctor/checkup.hpp"

namespace semel::cli {

// Check the limit of open files that a server started by this process has. It limits the server's
// connections.
void check_descriptors(Checkup& checkup);
void judge_descriptors(Checkup& checkup, std::uint64_t limit);

// Check the free space on the disk of a store whose files have `store_bytes` bytes.
void check_disk(Checkup& checkup, const std::string& store, std::uint64_t store_bytes);
void judge_disk(Checkup& checkup, std::uint64_t free_bytes, std::uint64_t store_bytes);

}  // namespace semel::cli
