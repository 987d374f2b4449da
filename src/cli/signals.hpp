// Signals: lets the program wait for SIGINT, SIGTERM and SIGHUP, which otherwise end it. A SIGHUP
// that is ignored, as under nohup, stays ignored. Errors: none. Threads: one, the first one.
#pragma once

#include <optional>

#include "base/time.hpp"
#include "base/unique_fd.hpp"

namespace semel::cli {

// Blocks these signals for this thread and all threads that it starts later. Make it before any
// other thread. The mask stays after its destruction.
class Signals {
public:
    Signals();

    // Returns the next signal, or nullopt after `timeout`. Without a timeout it waits for a signal.
    [[nodiscard]] std::optional<int> wait(std::optional<Millis> timeout = {});
    // Does the same, but also returns nullopt once `fd` is readable.
    [[nodiscard]] std::optional<int> wait_or(int fd, std::optional<Millis> timeout = {});

private:
    UniqueFd events_;
};

// Makes each of these signals end the process at once, with status 128 + its number.
// REQUIRES: called on the thread that made the Signals.
void exit_at_next_signal();

}  // namespace semel::cli
