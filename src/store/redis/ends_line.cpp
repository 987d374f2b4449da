#include "store/redis/ends_line.hpp"

#include <algorithm>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "store/redis/layout.hpp"

namespace semel::redis {
namespace {

constexpr std::chrono::milliseconds kLookEvery = std::chrono::milliseconds(500);

std::chrono::milliseconds until(std::chrono::steady_clock::time_point at) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(at - std::chrono::steady_clock::now());
    return std::max(left, std::chrono::milliseconds(0));
}

}  // namespace

EndsLine::EndsLine(const ConnectionOptions& options, std::function<void(Connection&)> chore)
    : asking_(options),
      options_(options),
      chore_(std::move(chore)),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      thread_([this] { run(); }) {}

EndsLine::~EndsLine() {
    is_ending_ = true;
    const std::uint64_t one = 1;
    (void)!write(wake_, &one, sizeof(one));
    thread_.join();
    close(wake_);
}

void EndsLine::watch(std::function<void()> look) {
    const std::lock_guard lock(mutex_);
    look_ = std::move(look);
}

void EndsLine::watch_ends(std::function<void()> look) {
    const std::lock_guard lock(mutex_);
    look_at_ends_ = std::move(look);
}

void EndsLine::call(const std::function<void()>& look) {
    const std::lock_guard lock(mutex_);
    if (look) {
        look();
    }
}

void EndsLine::run() {
    auto next_look = std::chrono::steady_clock::now() + kLookEvery;
    while (!is_ending_) {
        listen();
        if (wait(until(next_look))) {
            call(look_at_ends_);
        }
        if (std::chrono::steady_clock::now() < next_look || is_ending_) {
            continue;
        }
        next_look = std::chrono::steady_clock::now() + kLookEvery;
        call(look_);
        if (const auto connection = asking_.get()) {
            chore_(**connection);
        }
    }
}

// Connects where that is needed; what fails is tried again with the next look.
void EndsLine::listen() {
    if (hearing_ != nullptr && hearing_->is_alive()) {
        return;
    }
    hearing_.reset();
    if (!asking_.get()) {
        return;  // it is away, and this one knows when to try again
    }
    auto opened = Connection::open(options_);
    if (opened && (*opened)->ask({"SUBSCRIBE", kEndsChannel})) {
        hearing_ = *std::move(opened);
        call(look_at_ends_);  // what was told meanwhile was not heard
    }
}

bool EndsLine::wait(std::chrono::milliseconds most) {
    if (hearing_ != nullptr) {
        const auto heard = hearing_->wait_for_message(most, wake_);
        return heard && *heard;
    }
    pollfd woken{wake_, POLLIN, 0};
    poll(&woken, 1, static_cast<int>(most.count()));
    return false;
}

}  // namespace semel::redis
