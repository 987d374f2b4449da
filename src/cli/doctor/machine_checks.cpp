#include "cli/doctor/machine_checks.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

#include "cli/byte_progress.hpp"
#include "net/server.hpp"

namespace semel::cli {

namespace {

// The store, its log, the lock, a copy, the listener, timers, and what handlers open.
constexpr std::uint64_t kDescriptorsBesides = 64;
// Less can be used up at once: the store's log alone has up to 64 MiB.
constexpr std::uint64_t kFreeBytesMin = std::uint64_t{128} << 20;

}  // namespace

void check_descriptors(Checkup& checkup) {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        judge_descriptors(checkup, limit.rlim_cur);
    }
}

void judge_descriptors(Checkup& checkup, std::uint64_t limit) {
    const std::uint64_t wanted = net::Limits().connections_max + kDescriptorsBesides;
    const std::string found = limit == RLIM_INFINITY
                                  ? "any number of open files"
                                  : fmt::format("{} open files for a process started here", limit);
    if (limit >= wanted) {
        checkup.good("descriptors", found);
        return;
    }
    checkup.warn("descriptors",
                 fmt::format("{}: a server takes up to {} connections", found,
                             net::Limits().connections_max),
                 fmt::format("with many clients or workers, `ulimit -n {}` before `semel serve` "
                             "(systemd: LimitNOFILE={})",
                             wanted, wanted));
}

void check_disk(Checkup& checkup, const std::string& store, std::uint64_t store_bytes) {
    struct statvfs disk {};
    std::error_code ignored;
    const std::string folder = std::filesystem::absolute(store, ignored).parent_path();
    if (statvfs(folder.c_str(), &disk) != 0) {
        checkup.warn("disk", fmt::format("cannot ask about {}: {}", folder, std::strerror(errno)),
                     "look whether the folder is there");
        return;
    }
    judge_disk(checkup, std::uint64_t{disk.f_bavail} * disk.f_frsize, store_bytes);
}

void judge_disk(Checkup& checkup, std::uint64_t free_bytes, std::uint64_t store_bytes) {
    const std::string found = fmt::format("{} free", describe_bytes(free_bytes));
    if (free_bytes < kFreeBytesMin) {
        checkup.bad("disk", found + ": commits are about to fail",
                    "make room; work resumes by itself");
    } else if (free_bytes < store_bytes) {
        checkup.warn("disk",
                     fmt::format("{}, and the store has {}", found, describe_bytes(store_bytes)),
                     "a backup needs as much room as the store for as long as it is made");
    } else {
        checkup.good("disk", found);
    }
}

}  // namespace semel::cli
