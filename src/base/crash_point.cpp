#include "base/crash_point.hpp"

#ifdef SEMEL_TEST_BUILD

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "base/text.hpp"

namespace semel {
namespace {

constexpr const char* kVariable = "SEMEL_CRASH_AT";
constexpr int kUsage = 2;

struct KnownPoint {
    CrashPoint point;
    std::string_view name;
    std::string_view phase;
    std::string_view what;
};

constexpr KnownPoint kKnownPoints[] = {
#define SEMEL_CRASH_POINT_ROW(name, phase, what) {CrashPoint::name, #name, #phase, what},
    SEMEL_CRASH_POINTS(SEMEL_CRASH_POINT_ROW)
#undef SEMEL_CRASH_POINT_ROW
};

void say(const std::string& text) {
    // If the text cannot be written, the exit status or the signal shows the end.
    [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
}

[[noreturn]] void refuse(std::string_view plan) {
    std::string text = fmt::format(
        "{}=name:n, n from 1 on, is needed, not `{}`; the crash points are:\n", kVariable, plan);
    for (const KnownPoint& known : kKnownPoints) {
        text += fmt::format("{} {} {}\n", known.name, known.phase, known.what);
    }
    say(text);
    _exit(kUsage);
}

CrashPlan plan_of_environment() {
    const char* variable = std::getenv(kVariable);
    if (variable == nullptr) {
        return {};
    }
    const std::string_view plan = variable;
    const std::size_t colon = std::min(plan.find(':'), plan.size());
    const auto pass = parse_decimal(plan.substr(std::min(colon + 1, plan.size())));
    for (const KnownPoint& known : kKnownPoints) {
        if (known.name == plan.substr(0, colon) && pass && *pass > 0) {
            return {known.point, static_cast<std::uint64_t>(*pass)};
        }
    }
    refuse(plan);
}

std::atomic<std::uint64_t> passes = 0;

}  // namespace

const CrashPlan kCrashPlan = plan_of_environment();

void pass_crash_point() {
    if (++passes != kCrashPlan.pass) {
        return;
    }
    say(fmt::format("crash point {}={}\n", kVariable, std::getenv(kVariable)));
    kill(getpid(), SIGKILL);
    while (true) {
        pause();  // until the signal arrives
    }
}

}  // namespace semel

#endif
