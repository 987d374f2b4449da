#include "cli/signals.hpp"

#include <array>
#include <chrono>
#include <csignal>

#include <poll.h>
#include <sys/signalfd.h>

#include "base/assert.hpp"

namespace semel::cli {

namespace {

// Without SIGHUP under nohup, which ignores it: a blocked signal would be received anyway.
sigset_t stop_signals() {
    sigset_t ours;
    sigemptyset(&ours);
    sigaddset(&ours, SIGINT);
    sigaddset(&ours, SIGTERM);
    struct sigaction hangup {};
    SEMEL_ASSERT(::sigaction(SIGHUP, nullptr, &hangup) == 0);
    if (hangup.sa_handler != SIG_IGN) {
        sigaddset(&ours, SIGHUP);
    }
    return ours;
}

}  // namespace

Signals::Signals() {
    const sigset_t ours = stop_signals();
    SEMEL_ASSERT(::pthread_sigmask(SIG_BLOCK, &ours, nullptr) == 0);
    events_.reset(::signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK));
    SEMEL_ASSERT(static_cast<bool>(events_));
}

std::optional<int> Signals::wait(std::optional<Millis> timeout) {
    return wait_or(-1, timeout);
}

std::optional<int> Signals::wait_or(int fd, std::optional<Millis> timeout) {
    const auto deadline = std::chrono::steady_clock::now() + timeout.value_or(Millis(0));
    for (;;) {
        int left = -1;
        if (timeout) {
            const auto rest =
                std::chrono::ceil<Millis>(deadline - std::chrono::steady_clock::now());
            left = static_cast<int>(std::max<std::int64_t>(rest.count(), 0));
        }
        std::array<pollfd, 2> events = {{{events_.get(), POLLIN, 0}, {fd, POLLIN, 0}}};
        const int count = ::poll(events.data(), events.size(), left);
        signalfd_siginfo info{};
        if (count > 0 && ::read(events_.get(), &info, sizeof(info)) == sizeof(info)) {
            return static_cast<int>(info.ssi_signo);
        }
        if (count == 0 || events[1].revents != 0) {
            return std::nullopt;
        }
    }
}

void exit_at_next_signal() {
    const sigset_t ours = stop_signals();
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        if (sigismember(&ours, number) == 1) {
            std::signal(number, [](int signal) { ::_exit(128 + signal); });
        }
    }
    SEMEL_ASSERT(::pthread_sigmask(SIG_UNBLOCK, &ours, nullptr) == 0);
}

}  // namespace semel::cli
