#include "store/sqlite/file_system.hpp"

#include <cstdint>

#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>

namespace semel::sqlite {

std::string memory_file_system_of(const std::string& path) {
    struct statfs status {};
    if (statfs(path.c_str(), &status) != 0) {
        return "";
    }
    if (status.f_type == TMPFS_MAGIC) return "tmpfs";
    return status.f_type == RAMFS_MAGIC ? "ramfs" : "";
}

std::string free_space_at(const std::string& path) {
    struct statvfs status {};
    if (statvfs(path.c_str(), &status) != 0) {
        return "how much is free there cannot be told";
    }
    const auto bytes = static_cast<std::uint64_t>(status.f_bavail) * status.f_frsize;
    return fmt::format("{} KiB are free there", bytes / 1024);
}

}  // namespace semel::sqlite
