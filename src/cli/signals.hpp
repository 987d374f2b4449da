// Signals: those that ask a program to end (SIGINT, SIGTERM, SIGHUP) as events to wait for, instead
// of interruptions. SIGHUP only where it is not ignored, as nohup does.
#pragma once

#include <optional>

#include "base/time.hpp"
#include "base/unique_fd.hpp"

namespace semel::cli {

// Made before any other thread, so that all of them inherit the mask. Never undone.
class Signals {
public:
    Signals();

    // The signal that came within the time; without a time, waits until one comes.
    [[nodiscard]] std::optional<int> wait(std::optional<Millis> timeout = {});
    // The same, but also ends, with nothing, when `fd` becomes readable.
    [[nodiscard]] std::optional<int> wait_or(int fd, std::optional<Millis> timeout = {});

private:
    UniqueFd events_;
};

// From now on each of them ends the process at once, with 128 + their number, as if nobody had
// asked for anything else.
void exit_at_next_signal();

}  // namespace semel::cli
