#include "store/redis/ends_channel.hpp"

#include <algorithm>

#include "store/redis/layout.hpp"

namespace semel::redis {
namespace {

// The time until a user without the right to subscribe tries again.
constexpr std::chrono::seconds kDeafFor{60};
// The time between trials of the right to publish. A commit does not show a missing right.
constexpr std::chrono::seconds kTrialEvery{60};

}  // namespace

EndsChannel::EndsChannel(const ConnectionOptions& options, std::function<void(Connection&)> chore)
    : options_(options),
      chore_(std::move(chore)),
      asking_(options, Reconnecting::Role::finds_out),
      channel_(*this) {}

bool EndsChannel::serve() {
    const auto now = std::chrono::steady_clock::now();
    if ((hearing_ != nullptr && hearing_->is_alive()) || now < deaf_until_) {
        return false;
    }
    hearing_.reset();
    if (!asking_.get()) {
        return false;  // unavailable; asking_ decides when to try again
    }
    auto opened = Connection::open(options_);
    if (!opened) {
        return false;
    }
    const auto heard = (*opened)->ask({"SUBSCRIBE", kEndsChannel});
    is_deaf_ = !heard && heard.error().code() == ErrorCode::refused;
    if (is_deaf_) {
        deaf_until_ = now + kDeafFor;
    }
    if (heard) {
        hearing_ = *std::move(opened);
    }
    return heard.has_value();
}

HintChannel::Heard EndsChannel::listen(std::chrono::milliseconds most, int fd) {
    if (hearing_ == nullptr) {
        HintChannel::wait(most, fd);
        return {};
    }
    const auto heard = hearing_->wait_for_messages(most, fd);
    return {.ends = heard && std::ranges::any_of(*heard, [](const std::string& message) {
                        return message != kTrial;
                    })};
}

void EndsChannel::do_chores() {
    if (const auto connection = asking_.get()) {
        try_to_publish(**connection);
        chore_(**connection);
    }
}

void EndsChannel::try_to_publish(Connection& connection) {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_trial_) {
        return;
    }
    next_trial_ = now + kTrialEvery;
    const auto published = connection.ask({"PUBLISH", kEndsChannel, kTrial});
    is_mute_ = !published && published.error().code() == ErrorCode::refused;
}

}  // namespace semel::redis
