#include "store/postgres/wake_channel.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace semel::postgres {
namespace {

// The pause between two hints of ends, because ends are frequent and other nodes rarely wait for
// them.
constexpr std::chrono::milliseconds kTellEndsEvery = std::chrono::milliseconds(20);

// Channels.
constexpr const char* kWork = "semel";
constexpr const char* kEnds = "semel_ends";

}  // namespace

WakeChannel::WakeChannel(ConnectionOptions options, std::function<void(Connection&)> chore)
    : options_(std::move(options)), chore_(std::move(chore)), channel_(*this) {}

void WakeChannel::tell() {
    if (!is_telling_.exchange(true)) {
        channel_.wake();
    }
}

void WakeChannel::tell_ends() {
    if (!is_telling_ends_.exchange(true)) {
        channel_.wake();
    }
}

Result<std::unique_ptr<Connection>> WakeChannel::connect() const {
    SEMEL_TRY(opened, Connection::open(options_));
    SEMEL_CHECK(opened->ask(fmt::format("listen {}", kWork)));
    SEMEL_CHECK(opened->ask(fmt::format("listen {}", kEnds)));
    return opened;
}

bool WakeChannel::serve() {
    bool is_new = false;
    if (connection_ == nullptr) {
        auto opened = connect();
        if (!opened) {
            return false;
        }
        connection_ = std::move(*opened);
        is_new = true;
    }
    tell_others();
    return is_new;
}

void WakeChannel::tell_others() {
    if (is_telling_.exchange(false) && !connection_->ask(fmt::format("notify {}", kWork))) {
        connection_.reset();
        return;
    }
    const auto now = std::chrono::steady_clock::now();
    if (now >= next_ends_ && is_telling_ends_.exchange(false)) {
        next_ends_ = now + kTellEndsEvery;
        if (!connection_->ask(fmt::format("notify {}", kEnds))) {
            connection_.reset();
        }
    }
}

HintChannel::Heard WakeChannel::listen(std::chrono::milliseconds most, int fd) {
    if (connection_ == nullptr) {
        HintChannel::wait(most, fd);
        return {};
    }
    const auto heard = connection_->wait_for_notice(
        is_telling_ends_ ? std::min(most, time_until(next_ends_)) : most, fd);
    if (!heard) {
        connection_.reset();
        return {};
    }
    return {.work = heard->contains(kWork), .ends = heard->contains(kEnds)};
}

void WakeChannel::do_chores() {
    if (connection_ == nullptr) {
        return;
    }
    chore_(*connection_);
    // If a chore was not answered in time, the connection would not receive hints either.
    if (!connection_->is_alive()) {
        connection_.reset();
    }
}

}  // namespace semel::postgres
