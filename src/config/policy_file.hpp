// The policy file of fences (idempotency.yml): see docs/guides/fences.md.
#pragma once

#include <string>

#include "base/result.hpp"
#include "core/policy.hpp"

namespace semel {

// An error is one line that says where (file:line:column), what, and what would be right.
[[nodiscard]] Result<Policy> parse_policy(const std::string& file, const std::string& text);
[[nodiscard]] Result<Policy> read_policy_file(const std::string& path);
// The URL of the store of fences that a policy names, with its password: never to be shown.
[[nodiscard]] Result<std::string> fence_store_url(const Policy& policy);

// Returns an error if `url` cannot be the URL of a store of fences. The stores know that
// (check_fence_store_url in runtime/open_store.hpp), and this room does not know the stores.
using CheckUrl = Result<void> (*)(const std::string& url);

// Returns an error if fences cannot be stored where the policy says. Does not connect.
[[nodiscard]] Result<void> check_fence_store(const Policy& policy, CheckUrl check_url);

// Whether a YAML text has a key that policies have and configurations do not.
[[nodiscard]] bool looks_like_policy(const std::string& text);

}  // namespace semel
