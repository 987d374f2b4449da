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
    DecisionEntry line;
    line.at = entry.at;
    line.tenant = entry.tenant;
    line.surface = entry.surface;
    line.type = first->second.type;
    line.claim = first->second.claim;
    line.key = first->second.key;
    line.decision = Decision::near_miss;
    line.rule = "same_content";
    line.reason = entry.key;
    return line;
}

void NearMisses::forget(std::size_t count) {
    for (; count > 0; --count) {
        firsts_.erase(order_.front());
        order_.pop_front();
    }
}

}  // namespace semel
