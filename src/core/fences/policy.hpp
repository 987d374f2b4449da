// Policy: the content of a policy file (idempotency.yml) as written, and its effect on fences.
//
// The reader of the file fills in a Policy. An option that the file omits stays empty. `validate`
// checks the values, `apply` turns them into a FencePolicy. Pure. Threads: any.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/fences/fence_policy.hpp"
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
    std::vector<std::string> include_fields = {};  // logging; the log has all known fields anyway
    std::optional<std::int64_t> conflict_status = {};  // on_conflict
    std::optional<bool> include_diff = {};
    std::vector<std::string> mask = {};

    bool operator==(const Policy&) const = default;
};

// The HTTP statuses that a policy can set for a conflict.
inline constexpr std::int64_t kConflictStatus = 409;
inline constexpr std::int64_t kConflictStatusOfDraft = 422;

[[nodiscard]] std::optional<FenceStore> parse_fence_store(std::string_view text);

// Returns the faults of a policy, in the order of the file. A policy with an error is not used:
// `semel serve` refuses every policy in which `semel check` reports an error.
[[nodiscard]] std::vector<Finding> validate(const Policy& policy);

// Returns `usual` with the changes of the policy. REQUIRES: validate() finds no error.
[[nodiscard]] FencePolicy apply(const Policy& policy, FencePolicy usual = {});

}  // namespace semel
