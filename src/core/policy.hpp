// The policy file (seed 002's idempotency.yml) as it was written, and what it changes. Whoever
// reads the file fills this in; an option that is not in it stays empty.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/fence_policy.hpp"
#include "core/finding.hpp"

namespace semel {

enum class FenceStore { main, redis };

struct Policy {
    std::vector<std::string> require_headers = {};
    std::optional<bool> reject_on_body_mismatch = {};
    FenceStore fence_store = FenceStore::main;      // stores.fence
    std::string fence_store_url = {};               // stores.url
    std::optional<std::int64_t> webhook_days = {};  // stores.ttl
    std::optional<std::int64_t> api_hours = {};
    std::optional<std::int64_t> batch_days = {};
    std::vector<std::string> include_fields = {};  // logging; beside those that are always there
    std::optional<std::int64_t> conflict_status = {};  // on_conflict
    std::optional<bool> include_diff = {};
    std::vector<std::string> mask = {};

    bool operator==(const Policy&) const = default;
};

// Where conflicts are answered with another status than 409, it is one of these.
inline constexpr std::int64_t kConflictStatus = 409;
inline constexpr std::int64_t kConflictStatusOfDraft = 422;

[[nodiscard]] std::optional<FenceStore> parse_fence_store(std::string_view text);

// What is wrong with a policy by itself, in the order of the file. With an error among it nobody
// uses the policy: what `semel check` says is what `semel serve` refuses.
[[nodiscard]] std::vector<Finding> validate(const Policy& policy);

// What holds under a policy, where no call says otherwise. REQUIRES: validate() finds no error.
[[nodiscard]] FencePolicy apply(const Policy& policy, FencePolicy usual = {});

}  // namespace semel
