// FaultyVfs: SQLite's door to the disk, with a disk that can fail. Everything else goes through to
// the operating system.
#pragma once

#include <atomic>
#include <string>

namespace semel::test {

class FaultyVfs {
public:
    // Registered under `name` while it lives. One at a time.
    explicit FaultyVfs(std::string name);
    ~FaultyVfs();
    FaultyVfs(const FaultyVfs&) = delete;
    FaultyVfs& operator=(const FaultyVfs&) = delete;

    [[nodiscard]] const std::string& name() const { return name_; }

    std::atomic<bool> has_shared_memory = true;  // of files that are opened from now on

    // All of these are about the log (the file whose name ends in -wal).
    std::atomic<bool> is_full = false;   // writes find no room
    std::atomic<int> syncs_to_fail = 0;  // the next so many syncs fail; what was written stays
    std::atomic<int> writes_before_fail = -1;  // after so many writes one fails; -1: none
    std::atomic<int> reads_to_fail = 0;        // of any file

private:
    std::string name_;
};

}  // namespace semel::test
