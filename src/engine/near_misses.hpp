// NearMisses: new keys whose content came under another key before. Each is right by itself, but
// together they mean that a client makes its keys of something that changes, and that nothing is
// deduplicated.
//
// In memory alone, and of one node: a hint for people is not worth a row for each request. The
// last keys are known, for a day.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "core/rows.hpp"

namespace semel {

class NearMisses {
public:
    explicit NearMisses(std::size_t keys_max = 50'000) : keys_max_(keys_max) {}

    // Takes note of a decision. A new one whose content is known under another key gives a line for
    // the decision log, about the key that had it first; such lines are repeats, and summed.
    [[nodiscard]] std::optional<DecisionEntry> note(const DecisionEntry& entry);

private:
    using ContentKey = std::tuple<std::string, std::string, Hash256>;  // tenant, surface, content
    struct First {
        Time at;
        ClaimId claim;
        std::string key;
        std::string type;
    };

    void forget(std::size_t count);

    const std::size_t keys_max_;
    std::map<ContentKey, First> firsts_;
    std::deque<ContentKey> order_;  // INVARIANT: the keys of firsts_, the oldest first
};

}  // namespace semel
