// check: finds the faults of a configuration that would let duplicates pass or mix tenants.
//
// Three things are checked: keys are remembered long enough, tenants are kept apart, and no key
// contains a value that changes with each request. `semel check` shows the findings, and `semel
// serve` refuses a configuration with an error.
//
// Pure: the caller fills a CheckedSetup from the configuration. Threads: any.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/fences/policy.hpp"
#include "core/fences/providers.hpp"

namespace semel {

// A source of incoming webhooks.
struct CheckedSource {
    std::string name;
    std::string provider = {};                 // or its scheme
    std::optional<Millis> horizon = {};        // absent: the provider's
    std::optional<Millis> remembered = {};     // absent: the policy's
    std::string subject = {};                  // JSON pointer; empty: events have no versions
    std::vector<std::string> key_fields = {};  // JSON pointers; empty: the event's id
};

// A route of the gateway.
struct CheckedRoute {
    std::string name;
    std::string path = {};  // a pattern; a last `*` is the rest of the path
    bool has_tenant = false;
    bool has_auth = false;
    Millis timeout = {};                       // of its upstream
    std::optional<Millis> ttl = {};            // of its keys; absent: it claims no keys
    std::optional<Millis> window = {};         // of its guard; absent: it has none
    std::vector<std::string> key_fields = {};  // JSON pointers
};

struct CheckedSetup {
    Policy policy = {};
    std::vector<Provider> providers = {};  // their webhooks are fenced by the user's program
    std::vector<CheckedSource> sources = {};
    std::vector<CheckedRoute> routes = {};
    bool is_strict = false;  // durability
};

// Returns the findings, errors first, otherwise in the order of the setup.
[[nodiscard]] std::vector<Finding> check(const CheckedSetup& setup);

// Returns the first error, or null if the configuration can be used.
[[nodiscard]] const Finding* first_error(const std::vector<Finding>& findings);

// Returns "timestamp" or "random value" if the name says that its value changes with each request,
// otherwise "".
[[nodiscard]] std::string_view volatile_kind(std::string_view pointer);

}  // namespace semel
