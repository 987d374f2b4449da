#include "store/postgres/wake_line.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace semel::postgres {
namespace {

constexpr std::chrono::milliseconds kLookEvery = std::chrono::milliseconds(500);
// Work ends all the time, and seldom does another node wait for it.
constexpr std::chrono::milliseconds kTellEndsEvery = std::chrono::milliseconds(20);

// Channels.
constexpr const char* kWork = "semel";
constexpr const char* kEnds = "semel_ends";

std::chrono::milliseconds until(std::chrono::steady_clock::time_point at) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(at - std::chrono::steady_clock::now());
    return std::max(left, std::chrono::milliseconds(0));
}

}  // namespace

WakeLine::WakeLine(ConnectionOptions options, std::function<void(Connection&)> chore)
    : options_(std::move(options)),
      chore_(std::move(chore)),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      thread_([this] { run(); }) {}

WakeLine::~WakeLine() {
    is_ending_ = true;
    wake();
    thread_.join();
    close(wake_);
}

void WakeLine::wake() {
    const std::uint64_t one = 1;
    (void)!write(wake_, &one, sizeof(one));
}

void WakeLine::watch(std::function<void()> look) {
    const std::lock_guard lock(mutex_);
    look_ = std::move(look);
}

void WakeLine::watch_ends(std::function<void()> look) {
    const std::lock_guard lock(mutex_);
    look_at_ends_ = std::move(look);
}

void WakeLine::tell() {
    if (!is_telling_.exchange(true)) {
        wake();
    }
}

void WakeLine::tell_ends() {
    if (!is_telling_ends_.exchange(true)) {
        wake();
    }
}

void WakeLine::look() {
    const std::lock_guard lock(mutex_);
    if (look_) {
        look_();
    }
}

void WakeLine::look_at_ends() {
    const std::lock_guard lock(mutex_);
    if (look_at_ends_) {
        look_at_ends_();
    }
}

Result<std::unique_ptr<Connection>> WakeLine::connect() const {
    SEMEL_TRY(opened, Connection::open(options_));
    SEMEL_CHECK(opened->ask(fmt::format("listen {}", kWork)));
    SEMEL_CHECK(opened->ask(fmt::format("listen {}", kEnds)));
    return opened;
}

std::chrono::steady_clock::time_point WakeLine::next() const {
    return is_telling_ends_ ? std::min(next_look_, next_ends_) : next_look_;
}

void WakeLine::run() {
    std::unique_ptr<Connection> connection;
    next_look_ = std::chrono::steady_clock::now() + kLookEvery;
    while (!is_ending_) {
        serve(connection);
        // Whoever has something to tell ends the wait, and must not put the next look off.
        const auto left = until(connection != nullptr ? next() : next_look_);
        std::set<std::string> told;
        if (connection != nullptr) {
            auto heard = connection->wait_for_notice(left, wake_);
            if (heard) {
                told = *std::move(heard);
            } else {
                connection.reset();
            }
        } else {
            pollfd woken{wake_, POLLIN, 0};
            poll(&woken, 1, static_cast<int>(left.count()));
        }
        std::uint64_t count = 0;
        (void)!read(wake_, &count, sizeof(count));
        if (told.contains(kEnds)) {
            look_at_ends();
        }
        const auto now = std::chrono::steady_clock::now();
        if (told.contains(kWork) || now >= next_look_) {
            next_look_ = now + kLookEvery;
            look();
            if (connection != nullptr) chore_(*connection);
            // A chore that was not answered in time shows that nothing would be heard either.
            if (connection != nullptr && !connection->is_alive()) connection.reset();
        }
    }
}

// Connects where that is needed, and tells what is to be told. What fails is tried again later.
void WakeLine::serve(std::unique_ptr<Connection>& connection) {
    if (connection == nullptr) {
        auto opened = connect();
        if (!opened) {
            return;
        }
        connection = std::move(*opened);
        look_at_ends();  // what was told meanwhile was not heard
    }
    if (is_telling_.exchange(false) && !connection->ask(fmt::format("notify {}", kWork))) {
        connection.reset();
        return;
    }
    const auto now = std::chrono::steady_clock::now();
    if (now >= next_ends_ && is_telling_ends_.exchange(false)) {
        next_ends_ = now + kTellEndsEvery;
        if (!connection->ask(fmt::format("notify {}", kEnds))) {
            connection.reset();
        }
    }
}

}  // namespace semel::postgres
