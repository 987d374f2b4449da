#include "store/postgres/wake_line.hpp"

#include <algorithm>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace semel::postgres {
namespace {

constexpr std::chrono::milliseconds kLookEvery = std::chrono::milliseconds(500);

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
    const std::uint64_t one = 1;
    (void)!write(wake_, &one, sizeof(one));
    thread_.join();
    close(wake_);
}

void WakeLine::watch(std::function<void()> look) {
    const std::lock_guard lock(mutex_);
    look_ = std::move(look);
}

void WakeLine::tell() {
    if (!is_telling_.exchange(true)) {
        const std::uint64_t one = 1;
        (void)!write(wake_, &one, sizeof(one));
    }
}

void WakeLine::look() {
    const std::lock_guard lock(mutex_);
    if (look_) {
        look_();
    }
}

Result<std::unique_ptr<Connection>> WakeLine::connect() const {
    SEMEL_TRY(opened, Connection::open(options_));
    SEMEL_CHECK(opened->ask("listen semel"));
    return opened;
}

void WakeLine::run() {
    std::unique_ptr<Connection> connection;
    auto next_look = std::chrono::steady_clock::now() + kLookEvery;
    while (!is_ending_) {
        serve(connection);
        // Whoever has something to tell ends the wait, and must not put the next look off.
        const auto left = until(next_look);
        bool told = false;
        if (connection != nullptr) {
            auto heard = connection->wait_for_notice(left, wake_);
            told = heard && *heard;
            if (!heard) connection.reset();
        } else {
            pollfd woken{wake_, POLLIN, 0};
            poll(&woken, 1, static_cast<int>(left.count()));
        }
        std::uint64_t count = 0;
        (void)!read(wake_, &count, sizeof(count));
        const auto now = std::chrono::steady_clock::now();
        if (told || now >= next_look) {
            next_look = now + kLookEvery;
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
        if (auto opened = connect()) {
            connection = std::move(*opened);
        } else {
            return;
        }
    }
    if (is_telling_.exchange(false) && !connection->ask("notify semel")) {
        connection.reset();
    }
}

}  // namespace semel::postgres
