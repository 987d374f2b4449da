// The remaining rows: lock groups, API tokens, the decision log.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <vector>

#include "core/claim.hpp"

namespace semel {

struct GroupKey {
    std::string tenant;
    std::string name;

    auto operator<=>(const GroupKey&) const = default;
};

// A lock group admits one job at a time to later, ready or running: its head.
// The row exists while the group has members.
struct LockGroup {
    GroupKey key;
    JobId head;

    bool operator==(const LockGroup&) const = default;
};

enum class AccessScope { read, write, work, admin };

[[nodiscard]] constexpr unsigned scope_bit(AccessScope scope) {
    return 1U << static_cast<unsigned>(scope);
}

// An API token. Only the hash of its secret is kept.
struct ApiToken {
    Uuid id;
    std::string tenant;
    std::string name;
    unsigned scopes = 0;  // scope_bit sums
    Hash256 secret_hash;
    Time created_at;
    std::optional<Time> expires_at;

    bool operator==(const ApiToken&) const = default;
};

// One line of the decision log. Repeats of an unchanged answer are summed: `count` of them.
struct DecisionEntry {
    Time at;
    std::string tenant;
    std::string surface;
    std::string type;
    std::optional<ClaimId> claim;
    std::string key;  // full key, empty where there is none
    Decision decision = Decision::new_;
    std::string rule;  // which rule decided, in one word
    Uuid effect_id;    // the job it led to
    Token token = Token::none;
    bool replaced = false;
    std::int64_t count = 1;
    std::string source_type;  // entityType, where the payload names one
    std::string source_id;    // entityId
};

}  // namespace semel

template <>
struct std::hash<semel::GroupKey> {
    std::size_t operator()(const semel::GroupKey& key) const noexcept {
        return std::hash<std::string>()(key.tenant) * 31 + std::hash<std::string>()(key.name);
    }
};
