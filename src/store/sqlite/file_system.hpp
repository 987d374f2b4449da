// Queries about the file system of a store, for messages. Errors: none; the text then says so, or
// is empty. Threads: any.
#pragma once

#include <string>

namespace semel::sqlite {

// Returns "tmpfs" or "ramfs" if the file is in memory, where no sync makes it durable. Otherwise
// empty.
[[nodiscard]] std::string memory_file_system_of(const std::string& path);

// Returns a clause for an error text, such as "12 KiB are free there". A full disk is the first
// suspicion after a failed write.
[[nodiscard]] std::string free_space_at(const std::string& path);

}  // namespace semel::sqlite
