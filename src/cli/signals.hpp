// Signals: SIGINT and SIGTERM as events to wait for, instead of interruptions.
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

// From now on SIGINT and SIGTERM end the process at once, with 128 + their number, as if nobody had
// asked for anything else.
void exit_at_next_signal();

}  // namespace semel::cli
