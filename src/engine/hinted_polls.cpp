#include "engine/hinted_polls.hpp"

#include <utility>

namespace semel {
namespace {

constexpr Millis kBetweenPolls = Millis(50);
constexpr Millis kPollEvery = std::chrono::seconds(2);

}  // namespace

HintedPolls::HintedPolls(Env& env, const Store& store, std::function<void()> poll)
    : store_(store), poll_(std::move(poll)), next_(env, store, [this] { this->poll(); }) {}

void HintedPolls::begin() {
    looked_at_ = store_.now();
}

void HintedPolls::poll_soon() {
    if (!stopped_) {
        next_.set(looked_at_ + kBetweenPolls);
    }
}

void HintedPolls::poll_again() {
    if (!stopped_) {
        next_.set(looked_at_ + kPollEvery);
    }
}

void HintedPolls::stop() {
    stopped_ = true;
    next_.clear();
}

void HintedPolls::poll() {
    looked_at_ = store_.now();
    poll_();
}

}  // namespace semel
