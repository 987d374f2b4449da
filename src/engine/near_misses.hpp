// NearMisses: finds new keys with a content that another key had before. Each such key is valid.
// But many of them show that a client builds its keys from a value that changes with each request,
// so that nothing is deduplicated.
//
// It keeps the last 50,000 contents of this node in memory, for 24 hours. They are lost at a
// restart, because a hint for people does not justify a stored row per request.
//
// Errors: none.
// Threads: the engine's executor.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "core/batch/rows.hpp"

namespace semel {

class NearMisses {
public:
    explicit NearMisses(std::size_t keys_max = 50'000) : keys_max_(keys_max) {}

    // Remembers the content of a new decision. If another key had it before, returns an entry for
    // the decision log, about that first key. Such entries are repeats: DecisionLog sums them.
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
