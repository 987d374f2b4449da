// The doctor's checks of the machine: open files and free disk space. Each adds a finding.
//
// A check_* function measures and then calls its judge_* function, which decides alone. Tests call
// judge_* with other numbers.
#pragma once

#include <cstdint>
#include <string>

#include "cli/doctor/checkup.hpp"

namespace semel::cli {

// The limit of open files for a server that this process would start. It limits its connections.
void check_descriptors(Checkup& checkup);
void judge_descriptors(Checkup& checkup, std::uint64_t limit);

// The free space on the disk of a store whose files have `store_bytes` bytes.
void check_disk(Checkup& checkup, const std::string& store, std::uint64_t store_bytes);
void judge_disk(Checkup& checkup, std::uint64_t free_bytes, std::uint64_t store_bytes);

}  // namespace semel::cli
