#include "store/redis/ends_line.hpp"

#include "store/redis/layout.hpp"

namespace semel::redis {
namespace {

// Who may not subscribe hears nothing until somebody changes that.
constexpr std::chrono::seconds kDeafFor{60};

}  // namespace

EndsLine::EndsLine(const ConnectionOptions& options, std::function<void(Connection&)> chore)
    : options_(options),
      chore_(std::move(chore)),
      asking_(options, Reconnecting::Role::finds_out),
      line_(*this) {}

bool EndsLine::serve() {
    const auto now = std::chrono::steady_clock::now();
    if ((hearing_ != nullptr && hearing_->is_alive()) || now < deaf_until_) {
        return false;
    }
    hearing_.reset();
    if (!asking_.get()) {
        return false;  // it is away, and this one knows when to try again
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

HintLine::Heard EndsLine::listen(std::chrono::milliseconds most, int fd) {
    if (hearing_ == nullptr) {
        HintLine::wait(most, fd);
        return {};
    }
    const auto heard = hearing_->wait_for_message(most, fd);
    return {.ends = heard && *heard};
}

void EndsLine::do_chores() {
    if (const auto connection = asking_.get()) {
        chore_(**connection);
    }
}

}  // namespace semel::redis
