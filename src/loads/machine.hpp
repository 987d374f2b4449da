// What numbers depend on besides the program: the machine, and how long its disk takes to promise.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"

namespace semel::loads {

struct Machine {
    unsigned cores = 0;  // that this process may use
    std::string kernel;
};

// Of the disk under a folder: a page written and synced, as a commit does it.
struct Disk {
    std::string file_system;
    double sync_p50_ms = 0;
    double sync_p99_ms = 0;
    bool is_memory = false;  // nothing there survives a power cut, whatever a sync says
};

[[nodiscard]] Machine this_machine();
[[nodiscard]] Result<Disk> probe_disk(const std::string& folder);

// The most that this process has had in memory so far, and what it has now.
[[nodiscard]] std::int64_t peak_memory_bytes();
[[nodiscard]] std::int64_t memory_bytes();

}  // namespace semel::loads
