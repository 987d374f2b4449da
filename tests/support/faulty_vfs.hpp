// FaultyVfs: a disk that can fail.
#pragma once

#include <atomic>

#include "support/passing_vfs.hpp"

namespace semel::test {

class FaultyVfs final : public PassingVfs {
public:
    using PassingVfs::PassingVfs;

    std::atomic<bool> has_shared_memory = true;  // of files that are opened from now on

    // All of these are about the log (the file whose name ends in -wal).
    std::atomic<bool> is_full = false;   // writes find no room
    std::atomic<int> syncs_to_fail = 0;  // the next so many syncs fail; what was written stays
    std::atomic<int> writes_before_fail = -1;  // after so many writes one fails; -1: none
    std::atomic<int> reads_to_fail = 0;        // of any file

    [[nodiscard]] int before_read(const File& file) override;
    [[nodiscard]] int before_write(const File& file, std::int64_t at,
                                   std::string_view bytes) override;
    [[nodiscard]] int before_sync(const File& file) override;
    [[nodiscard]] bool shares_memory() const override { return has_shared_memory; }
};

}  // namespace semel::test
