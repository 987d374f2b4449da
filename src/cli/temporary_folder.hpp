// TemporaryFolder: a new folder in TMPDIR that is deleted with everything in it. Errors: see
// make().
// Threads: one at a time.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/result.hpp"

namespace semel::cli {

// Owns the folder and deletes it in its destructor. It can be moved, not copied.
// Threads: one at a time.
class TemporaryFolder {
public:
    // Creates the folder, for this user alone; its name begins with `prefix`.
    // Errors: `io_error`, with the reason.
    [[nodiscard]] static Result<TemporaryFolder> make(std::string_view prefix);

    TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
    TemporaryFolder& operator=(TemporaryFolder&&) = delete;
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();

    [[nodiscard]] const std::string& path() const { return path_; }
    // Deletes everything in the folder. Ignores errors.
    void clear() const;

private:
    explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}

    std::string path_;  // empty: moved from
};

}  // namespace semel::cli
