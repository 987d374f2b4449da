#include "config/files.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "base/unique_fd.hpp"

namespace semel {

namespace {

Error cannot_read(const std::string& path, int error) {
    const ErrorCode code = error == ENOENT ? ErrorCode::not_found : ErrorCode::io_error;
    return {code, "cannot read " + path + ": " + std::strerror(error)};
}

}  // namespace

Result<std::string> read_file(const std::string& path, std::size_t bytes_max) {
    UniqueFd opened;
    int fd = STDIN_FILENO;
    if (path != "-") {
        opened.reset(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
        if (!opened) {
            return cannot_read(path, errno);
        }
        fd = opened.get();
    }
    std::string text;
    std::string buffer(64 * 1024, '\0');
    for (;;) {
        const ssize_t got = ::read(fd, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return cannot_read(path, errno);
        }
        if (got == 0) {
            return text;
        }
        text.append(buffer.data(), static_cast<std::size_t>(got));
        if (text.size() > bytes_max) {
            return Error(ErrorCode::invalid,
                         path + " has more than " + std::to_string(bytes_max) + " bytes");
        }
    }
}

}  // namespace semel
