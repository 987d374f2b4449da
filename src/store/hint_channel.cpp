#include "store/hint_channel.hpp"

#include <algorithm>
#include <cstdint>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace semel {
namespace {

constexpr std::chrono::milliseconds kLookEvery = std::chrono::milliseconds(500);

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

void HintChannel::watch(std::function<void()> look) {
    const std::lock_guard lock(mutex_);
    look_ = std::move(look);
}

void HintChannel::watch_ends(std::function<void()> look) {
    const std::lock_guard lock(mutex_);
    look_at_ends_ = std::move(look);
}

void HintChannel::wake() const {
    const std::uint64_t one = 1;
    (void)!write(wake_, &one, sizeof(one));
}

void HintChannel::wait(std::chrono::milliseconds most, int fd) {
    pollfd woken{fd, POLLIN, 0};
    (void)poll(&woken, 1, static_cast<int>(most.count()));
}

void HintChannel::call(const std::function<void()>& look) {
    const std::lock_guard lock(mutex_);
    if (look) {
        look();
    }
}

void HintChannel::run() {
    auto next_look = std::chrono::steady_clock::now() + kLookEvery;
    while (!is_ending_) {
        if (ear_.serve()) {
            call(look_at_ends_);
        }
        // Whoever has something to tell ends the wait, and must not put the next look off.
        const Heard heard = ear_.listen(time_until(next_look), wake_);
        std::uint64_t count = 0;
        (void)!read(wake_, &count, sizeof(count));
        if (heard.ends) {
            call(look_at_ends_);
        }
        const auto now = std::chrono::steady_clock::now();
        if (!is_ending_ && (heard.work || now >= next_look)) {
            next_look = now + kLookEvery;
            call(look_);
            ear_.do_chores();
        }
    }
}

}  // namespace semel
