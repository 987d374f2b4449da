#include "cli/doctor/clock_words.hpp"

#include <fmt/format.h>

namespace semel::cli {
namespace {

// Store time makes up for a tenth of the time that passes (store_clock.cpp).
constexpr int kSlewDivisor = 10;
// Above this difference the advice is not to wait until the clocks agree.
constexpr Millis kTooFar = std::chrono::hours(24);

std::string span(Millis time) {
    const auto hours = std::chrono::duration_cast<std::chrono::hours>(time).count();
    if (hours >= 48) return fmt::format("{} days", hours / 24);
    if (hours >= 2) return fmt::format("{} hours", hours);
    return fmt::format("{} s", std::chrono::duration_cast<std::chrono::seconds>(time).count());
}

}  // namespace

void warn_of_clock(Checkup& checkup, Millis ahead) {
    if (ahead >= Millis(0)) {
        checkup.warn("clock", fmt::format("the wall clock is {} ahead of store time", span(ahead)),
                     "the clock was set; store time follows slowly. Look at the machine's time "
                     "service");
        return;
    }
    const Millis behind = -ahead;
    checkup.warn(
        "clock", fmt::format("store time is {} ahead of the wall clock", span(behind)),
        behind < kTooFar
            ? fmt::format("was the clock set back? Semel slows its time until they meet, in {}; "
                          "look at the machine's time service",
                          span(behind * kSlewDivisor))
            : "the machine's clock was wrong once: what is planned before that time runs at once, "
              "and Semel's time is never set back. Set the clock right, stop the server, move the "
              "store away, and restore a backup from before");
}

}  // namespace semel::cli
