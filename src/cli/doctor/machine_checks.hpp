// What the doctor asks the machine.
#pragma once

#include <cstdint>
#include <string>

#include "cli/doctor/checkup.hpp"

namespace semel::cli {

// How many files and connections a server that is started from here may have open.
void check_descriptors(Checkup& checkup);
void judge_descriptors(Checkup& checkup, std::uint64_t limit);

// The room on the disk of the store, which has this many bytes.
void check_disk(Checkup& checkup, const std::string& store, std::uint64_t store_bytes);
void judge_disk(Checkup& checkup, std::uint64_t free_bytes, std::uint64_t store_bytes);

}  // namespace semel::cli
