#include "engine/hinted_looks.hpp"

#include <utility>

namespace semel {
namespace {

constexpr Millis kBetweenLooks = Millis(50);
constexpr Millis kLookEvery = std::chrono::seconds(2);

}  // namespace

HintedLooks::HintedLooks(Env& env, const Store& store, std::function<void()> look)
    : store_(store), look_(std::move(look)), next_(env, store, [this] { this->look(); }) {}

void HintedLooks::begin() {
    looked_at_ = store_.now();
}

void HintedLooks::look_soon() {
    if (!stopped_) {
        next_.set(looked_at_ + kBetweenLooks);
    }
}

void HintedLooks::look_again() {
    if (!stopped_) {
        next_.set(looked_at_ + kLookEvery);
    }
}

void HintedLooks::stop() {
    stopped_ = true;
    next_.clear();
}

void HintedLooks::look() {
    looked_at_ = store_.now();
    look_();
}

}  // namespace semel
