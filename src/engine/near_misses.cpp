#include "engine/near_misses.hpp"

#include <chrono>

namespace semel {
namespace {

constexpr Millis kKnownFor = std::chrono::hours(24);

}  // namespace

std::optional<DecisionEntry> NearMisses::note(const DecisionEntry& entry) {
    if (entry.decision != Decision::new_ || !entry.content || !entry.claim) {
        return std::nullopt;
    }
    while (!order_.empty() && entry.at - firsts_.at(order_.front()).at >= kKnownFor) {
        forget(1);
    }
    const ContentKey content{entry.tenant, entry.surface, *entry.content};
    const auto [first, is_new] =
        firsts_.try_emplace(content, First{entry.at, *entry.claim, entry.key, entry.type});
    if (is_new) {
        order_.push_back(content);
        forget(order_.size() > keys_max_ ? order_.size() - keys_max_ : 0);
        return std::nullopt;
    }
    if (first->second.claim == *entry.claim) {
        return std::nullopt;
    }
    DecisionEntry near_miss;
    near_miss.at = entry.at;
    near_miss.tenant = entry.tenant;
    near_miss.surface = entry.surface;
    near_miss.type = first->second.type;
    near_miss.claim = first->second.claim;
    near_miss.key = first->second.key;
    near_miss.decision = Decision::near_miss;
    near_miss.rule = "same_content";
    near_miss.reason = entry.key;
    return near_miss;
}

void NearMisses::forget(std::size_t count) {
    for (; count > 0; --count) {
        firsts_.erase(order_.front());
        order_.pop_front();
    }
}

}  // namespace semel
