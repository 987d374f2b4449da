#include "cli/standard_descriptors.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "base/assert.hpp"

namespace semel::cli {

void open_missing_standard_descriptors() {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
        if (::fcntl(fd, F_GETFD) == -1) {
            // open() returns the lowest free number, which is `fd`. Children inherit it.
            SEMEL_ASSERT(::open("/dev/null", O_RDWR) == fd);  // NOLINT(android-cloexec-open)
        }
    }
}

}  // namespace semel::cli
