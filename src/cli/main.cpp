#include <exception>
#include <iostream>

#include <poll.h>
#include <unistd.h>

#include "cli/session.hpp"
#include "cli/standard_descriptors.hpp"

namespace {

// Returns true if the reader of a pipe has closed it, like `head`.
bool is_hung_up(int descriptor) {
    pollfd state{.fd = descriptor, .events = POLLOUT, .revents = 0};
    return poll(&state, 1, 0) == 1 && (state.revents & POLLERR) != 0;
}

}  // namespace

int main(int argc, char** argv) {
    semel::cli::open_missing_standard_descriptors();
    semel::cli::Console console(std::cout, std::cerr,
                                semel::cli::Console::wants_colour(STDOUT_FILENO));
    try {
        const int code = semel::cli::run_command_line(argc, argv, console);
        // The output can be the only copy, like the secret of a token, so a failed write is an
        // error.
        if (code == semel::cli::kOk && !std::cout.flush() && !is_hung_up(STDOUT_FILENO)) {
            console.complain("the output could not be written; what was asked has been done");
            return semel::cli::kUnavailable;
        }
        return code;
    } catch (const std::exception& failure) {
        console.complain(std::string("unexpected: ") + failure.what());
        return semel::cli::kUnavailable;
    }
}
