// What the file system under a store says of itself.
#pragma once

#include <string>

namespace semel::sqlite {

// "tmpfs" or "ramfs" where the file lives in memory and no sync makes it last; else empty.
[[nodiscard]] std::string memory_file_system_of(const std::string& path);

// "12 KiB are free there", or that it cannot be told: the first thing to look at when a write
// fails.
[[nodiscard]] std::string free_space_at(const std::string& path);

}  // namespace semel::sqlite
