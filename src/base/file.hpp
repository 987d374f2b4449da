// Files as bytes: one that is read piece by piece, one that is being written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/unique_fd.hpp"

namespace semel {

// A file to read from, by any thread. One that has lost its name is gone when this is.
class OpenFile {
public:
    [[nodiscard]] static Result<OpenFile> open(const std::string& path);

    [[nodiscard]] std::uint64_t size() const { return size_; }  // when it was opened
    // The bytes from `offset` on, at most `size`; fewer only at the file's end.
    [[nodiscard]] Result<std::string> read(std::uint64_t offset, std::size_t size) const;

private:
    OpenFile(UniqueFd fd, std::uint64_t size) : fd_(std::move(fd)), size_(size) {}

    UniqueFd fd_;
    std::uint64_t size_;
};

// A file that is being written, for its owner alone (0600). Whatever had its name is emptied. Held
// with a lock: a second writer is refused.
class NewFile {
public:
    [[nodiscard]] static Result<NewFile> create(const std::string& path);

    [[nodiscard]] Result<void> write(std::string_view bytes);
    // To the disk.
    [[nodiscard]] Result<void> sync();

private:
    NewFile(UniqueFd fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}

    UniqueFd fd_;
    std::string path_;
};

// Makes the names in the folder of `path` durable: those that came, and those that went.
[[nodiscard]] Result<void> sync_folder_of(const std::string& path);

// "cannot write x: No space left on device", by errno.
[[nodiscard]] Error file_error(std::string_view doing, const std::string& path, int code);

}  // namespace semel
