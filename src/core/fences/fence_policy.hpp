// FencePolicy: leases, retention and treatment of conflicts for fences. Plain values.
//
// A policy file (core/fences/policy.hpp) changes the defaults. A call can set its own lease and
// retention.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "core/words.hpp"

namespace semel {

struct FenceClassRule {
    Millis lease{0};
    Millis ttl{0};  // a sealed key is remembered for this time

    bool operator==(const FenceClassRule&) const = default;
};

struct FencePolicy {
    FenceClassRule webhook{.lease = std::chrono::seconds(60), .ttl = std::chrono::hours(24 * 14)};
    FenceClassRule api{.lease = std::chrono::seconds(60), .ttl = std::chrono::hours(48)};
    FenceClassRule batch{.lease = std::chrono::minutes(10), .ttl = std::chrono::hours(24 * 3)};
    bool reject_on_body_mismatch = true;  // false: other content gets the original receipt
    bool include_diff = true;
    int conflict_status = 409;  // of HTTP
    // JSON pointers into the content. A diff masks them, in addition to the names of secrets.
    std::vector<std::string> mask = {};

    bool operator==(const FencePolicy&) const = default;

    [[nodiscard]] const FenceClassRule& rule_of(FenceClass of) const {
        switch (of) {
            case FenceClass::webhook: return webhook;
            case FenceClass::api: return api;
            case FenceClass::batch: return batch;
        }
        return api;
    }
};

}  // namespace semel
