// What `semel check` finds: whether keys are remembered for long enough, leases last for long
// enough, and keys are made of what makes them keys. Pure: whoever reads the configuration fills in
// what it says.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/policy.hpp"
#include "core/providers.hpp"

namespace semel {

// Where webhooks come in.
struct CheckedSource {
    std::string name;
    std::string provider = {};                 // or its scheme
    std::optional<Millis> horizon = {};        // absent: the provider's
    std::optional<Millis> remembered = {};     // absent: the policy's
    std::string subject = {};                  // of which its versions are; empty: none
    std::vector<std::string> key_fields = {};  // JSON pointers; none: the event's id
};

struct CheckedRoute {
    std::string name;
    bool has_tenant = false;
    bool has_auth = false;
    std::optional<Millis> lease = {};          // absent: the node's own, which it heartbeats
    std::optional<Millis> timeout = {};        // of its upstream
    std::vector<std::string> key_fields = {};  // JSON pointers
};

struct CheckedSetup {
    Policy policy = {};
    std::vector<Provider> providers = {};  // whose webhooks are fenced by the program itself
    std::vector<CheckedSource> sources = {};
    std::vector<CheckedRoute> routes = {};
    bool is_strict = false;  // durability
};

// The worst first, otherwise in the order of the setup.
[[nodiscard]] std::vector<Finding> check(const CheckedSetup& setup);

// The first error among them; null: it can be used.
[[nodiscard]] const Finding* first_error(const std::vector<Finding>& findings);

// Why a value under this name would be another one each time, in one word; empty: it would not.
[[nodiscard]] std::string_view volatile_kind(std::string_view pointer);

}  // namespace semel
