// CrashVfs: a disk whose power can be cut. SQLite works on real files, and a CrashDisk keeps the
// account of what would be found after a cut.
#pragma once

#include <mutex>
#include <optional>

#include "support/crash_disk.hpp"
#include "support/passing_vfs.hpp"

namespace semel::test {

class CrashVfs final : public PassingVfs {
public:
    using PassingVfs::PassingVfs;

    // The power goes with the call after `calls` that change something.
    void cut_after(int calls);
    [[nodiscard]] bool is_cut() const;
    // How many calls changed something since the beginning.
    [[nodiscard]] int calls() const;

    // Everything is closed. Puts the files as they are found afterwards, and the power is back.
    void restore(Cut cut, std::mt19937_64& random);

    [[nodiscard]] int before_open(const File& file) override;
    [[nodiscard]] int before_read(const File& file) override;
    [[nodiscard]] int before_write(const File& file, std::int64_t at,
                                   std::string_view bytes) override;
    [[nodiscard]] int before_truncate(const File& file, std::int64_t size) override;
    [[nodiscard]] int before_sync(const File& file) override;
    [[nodiscard]] int before_delete(const std::string& path) override;
    [[nodiscard]] bool syncs() const override { return false; }

private:
    // REQUIRES: mutex_ is held. False: there is no power any more.
    [[nodiscard]] bool count_call();

    mutable std::mutex mutex_;
    CrashDisk disk_;
    std::optional<int> calls_left_;
    int calls_ = 0;
    bool is_cut_ = false;
};

}  // namespace semel::test
