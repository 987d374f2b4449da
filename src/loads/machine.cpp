#include "loads/machine.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <string_view>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <linux/magic.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "loads/figure.hpp"

namespace semel::loads {
namespace {

constexpr int kSyncs = 100;
constexpr std::size_t kPageBytes = 4096;

// <linux/magic.h> has no name for it.
constexpr long kZfsMagic = 0x2fc12fc1;

std::string file_system_name(long magic) {
    switch (magic) {
        case EXT4_SUPER_MAGIC: return "ext4";
        case BTRFS_SUPER_MAGIC: return "btrfs";
        case OVERLAYFS_SUPER_MAGIC: return "overlay";
        case TMPFS_MAGIC: return "tmpfs";
        case RAMFS_MAGIC: return "ramfs";
        case NFS_SUPER_MAGIC: return "nfs";
        case XFS_SUPER_MAGIC: return "xfs";
        case kZfsMagic: return "zfs";
        default: return "an unknown file system";
    }
}

Error failure(const std::string& what) {
    return {ErrorCode::io_error, what + ": " + std::strerror(errno)};
}

// Returns the milliseconds of each sync. Closing the unnamed file deletes it.
Result<std::vector<double>> time_syncs(int file) {
    using Clock = std::chrono::steady_clock;
    const std::array<char, kPageBytes> page{};
    std::vector<double> took_ms;
    for (int i = 0; i < kSyncs; ++i) {
        const auto began = Clock::now();
        if (write(file, page.data(), page.size()) != static_cast<ssize_t>(page.size())) {
            return failure("writing to the disk");
        }
        if (fdatasync(file) != 0) {
            return failure("syncing the disk");
        }
        took_ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - began).count());
    }
    return took_ms;
}

}  // namespace

Machine this_machine() {
    Machine machine;
    cpu_set_t allowed;
    machine.cores = sched_getaffinity(0, sizeof allowed, &allowed) == 0
                        ? static_cast<unsigned>(CPU_COUNT(&allowed))
                        : std::thread::hardware_concurrency();
    utsname name{};
    if (uname(&name) == 0) {
        machine.kernel = std::string(name.sysname) + " " + name.release;
    }
    return machine;
}

Result<Disk> probe_disk(const std::string& folder) {
    struct statfs facts {};
    if (statfs(folder.c_str(), &facts) != 0) {
        return failure(folder);
    }
    const int file = open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (file < 0) {
        return failure(folder);
    }
    auto took_ms = time_syncs(file);
    close(file);
    if (!took_ms) {
        return took_ms.error();
    }
    Disk disk;
    disk.file_system = file_system_name(facts.f_type);
    disk.is_memory = facts.f_type == TMPFS_MAGIC || facts.f_type == RAMFS_MAGIC;
    disk.sync_p50_ms = percentile(*took_ms, 0.50);
    disk.sync_p99_ms = percentile(*took_ms, 0.99);
    return disk;
}

std::int64_t peak_memory_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
}

std::int64_t memory_bytes() {
    std::int64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages >> pages;
    return pages * sysconf(_SC_PAGESIZE);
}

}  // namespace semel::loads
