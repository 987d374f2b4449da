// Reads the policy file of fences, idempotency.yml; see docs/guides/fences.md.
//
// Errors: one line with the place (file:line:column, or the key), the fact and the remedy.
// Threads: any. Reading a file blocks.
#pragma once

#include <string>

#include "base/result.hpp"
#include "core/fences/policy.hpp"

namespace semel {

// Parses the text of a policy; `file` is the name that errors show. Keys are checked one by one:
// core/fences/policy_check.hpp checks the whole.
[[nodiscard]] Result<Policy> parse_policy(const std::string& file, const std::string& text);
[[nodiscard]] Result<Policy> read_policy_file(const std::string& path);
// Returns the URL of the policy's store for fences, with its password: do not print it. Reads the
// variable or file that the password refers to.
[[nodiscard]] Result<std::string> fence_store_url(const Policy& policy);

// Returns an error if `url` cannot be the URL of a store of fences. The caller passes
// check_fence_store_url (runtime/open_store.hpp), because this room must not use the stores.
using CheckUrl = Result<void> (*)(const std::string& url);

// Returns an error if fences cannot be stored where the policy says. Does not connect.
[[nodiscard]] Result<void> check_fence_store(const Policy& policy, CheckUrl check_url);

// Returns true if a YAML text has a top-level key of policies. Configurations have none of these
// keys.
[[nodiscard]] bool looks_like_policy(const std::string& text);

}  // namespace semel
