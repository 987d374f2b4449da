// Describes the machine that a measurement ran on: its cores, its kernel, and how long its disk
// needs for a sync. Any thread may call these functions.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"

namespace semel::loads {

struct Machine {
    unsigned cores = 0;  // that this process can use
    std::string kernel;
};

// The disk below a folder. The times are those of writing and syncing a page, as a commit does.
struct Disk {
    std::string file_system;
    double sync_p50_ms = 0;
    double sync_p99_ms = 0;
    bool is_memory = false;  // a memory file system: a sync protects nothing
};

[[nodiscard]] Machine this_machine();
// Writes and syncs 100 pages in an unnamed file of this folder. Blocks. Errors: `io_error`, for
// example if the folder does not exist.
[[nodiscard]] Result<Disk> probe_disk(const std::string& folder);

// The resident memory of this process: the largest value so far, and the current one.
[[nodiscard]] std::int64_t peak_memory_bytes();
[[nodiscard]] std::int64_t memory_bytes();

}  // namespace semel::loads
