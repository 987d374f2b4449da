#include "store/threads/hint_channel.hpp"

#include <algorithm>
#include <cstdint>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace semel {
namespace {

constexpr std::chrono::milliseconds kPollEvery = std::chrono::milliseconds(500);

}  // namespace

std::chrono::milliseconds time_until(std::chrono::steady_clock::time_point at) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(at - std::chrono::steady_clock::now());
    return std::max(left, std::chrono::milliseconds(0));
}

HintChannel::HintChannel(Ear& ear)
    : ear_(ear), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), thread_([this] { run(); }) {}

HintChannel::~HintChannel() {
    is_ending_ = true;
    wake();
    thread_.join();
    close(wake_);
}

void HintChannel::watch(std::function<void()> poll) {
    const std::lock_guard lock(mutex_);
    poll_ = std::move(poll);
}

void HintChannel::watch_ends(std::function<void()> poll) {
    const std::lock_guard lock(mutex_);
    poll_ends_ = std::move(poll);
}

void HintChannel::wake() const {
    const std::uint64_t one = 1;
    (void)!write(wake_, &one, sizeof(one));
}

void HintChannel::wait(std::chrono::milliseconds most, int fd) {
    pollfd woken{fd, POLLIN, 0};
    (void)poll(&woken, 1, static_cast<int>(most.count()));
}

void HintChannel::call(const std::function<void()>& poll) {
    const std::lock_guard lock(mutex_);
    if (poll) {
        poll();
    }
}

void HintChannel::run() {
    auto next_poll = std::chrono::steady_clock::now() + kPollEvery;
    while (!is_ending_) {
        if (ear_.serve()) {
            call(poll_ends_);
        }
        // wake() ends this wait, but must not delay the next poll.
        const Heard heard = ear_.listen(time_until(next_poll), wake_);
        std::uint64_t count = 0;
        (void)!read(wake_, &count, sizeof(count));
        if (heard.ends) {
            call(poll_ends_);
        }
        const auto now = std::chrono::steady_clock::now();
        if (!is_ending_ && (heard.work || now >= next_poll)) {
            next_poll = now + kPollEvery;
            call(poll_);
            ear_.do_chores();
        }
    }
}

}  // namespace semel
