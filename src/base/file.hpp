// OpenFile and NewFile: read and write one file as bytes. sync_folder_of: makes file names durable.
//
// Errors: `not_found`, `refused` (no permission), `unavailable` (disk full or read-only), otherwise
// `io_error`. OpenFile::open adds `invalid` (not a regular file), NewFile::create adds `busy`.
// Threads: several threads can read one OpenFile. Only one thread at a time can use a NewFile.
// Lifetime: each object owns its descriptor and closes it in its destructor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/unique_fd.hpp"

namespace semel {

// A regular file, open for reading. If its name is deleted meanwhile, its bytes stay readable until
// this object is destroyed.
class OpenFile {
public:
    [[nodiscard]] static Result<OpenFile> open(const std::string& path);

    [[nodiscard]] std::uint64_t size() const { return size_; }  // in bytes, at open()
    // Returns `size` bytes from `offset` on. Only at the end of the file there are fewer.
    [[nodiscard]] Result<std::string> read(std::uint64_t offset, std::size_t size) const;

private:
    OpenFile(UniqueFd fd, std::uint64_t size) : fd_(std::move(fd)), size_(size) {}

    UniqueFd fd_;
    std::uint64_t size_;
};

// A file that is being written. Only its owner has access (mode 0600). create() empties an existing
// file of that name. It takes an exclusive lock for the life of this object, so a second create()
// of the same file returns `busy`.
class NewFile {
public:
    [[nodiscard]] static Result<NewFile> create(const std::string& path);

    [[nodiscard]] Result<void> write(std::string_view bytes);
    // Makes the written bytes durable (fsync).
    [[nodiscard]] Result<void> sync();

private:
    NewFile(UniqueFd fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}

    UniqueFd fd_;
    std::string path_;
};

// Makes the created, renamed and deleted names in the folder of `path` durable (fsync).
[[nodiscard]] Result<void> sync_folder_of(const std::string& path);

// Builds the Error for an errno: "cannot write x: No space left on device".
[[nodiscard]] Error file_error(std::string_view doing, const std::string& path, int code);

}  // namespace semel
