// StoreFiles: notices that a store's files were removed or replaced while they are in use. Data
// written to such a file would be lost at the end of the process.
//
// Errors: see check(). Threads: one at a time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/result.hpp"

namespace semel::sqlite {

class StoreFiles {
public:
    // Remembers the database file. REQUIRES: it exists.
    explicit StoreFiles(const std::string& path);

    // SQLite keeps the log and its index while a connection is open, and later creates new ones.
    // Call remember_log() after opening a connection, and forget_log() before.
    void remember_log();
    void forget_log();

    // Checks that each remembered file still has its name, with one `stat` per file. Error:
    // `unavailable`.
    [[nodiscard]] Result<void> check() const;

private:
    struct Known {
        std::string path;
        dev_t device = 0;
        ino_t inode = 0;
    };
    [[nodiscard]] static std::optional<Known> inspect(const std::string& path);
    [[nodiscard]] static Result<void> check(const Known& file);

    std::string path_;
    std::optional<Known> database_;
    std::vector<Known> log_;
};

}  // namespace semel::sqlite
