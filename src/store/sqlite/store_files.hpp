// StoreFiles: notices that a store's files were removed or replaced while they are in use. What is
// written to a file that has lost its name is gone with the process, however well it is synced.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/result.hpp"

namespace semel::sqlite {

class StoreFiles {
public:
    // Remembers the database, which is there.
    explicit StoreFiles(const std::string& path);

    // SQLite keeps the log and its index for as long as a connection is open, and makes new ones
    // later. They are remembered once a connection uses them, and forgotten with it.
    void remember_log();
    void forget_log();

    // Whether each remembered file still has its name. One `stat` for each of them.
    [[nodiscard]] Result<void> check() const;

private:
    struct Known {
        std::string path;
        dev_t device = 0;
        ino_t inode = 0;
    };
    [[nodiscard]] static std::optional<Known> look_at(const std::string& path);
    [[nodiscard]] static Result<void> check(const Known& file);

    std::string path_;
    std::optional<Known> database_;
    std::vector<Known> log_;
};

}  // namespace semel::sqlite
