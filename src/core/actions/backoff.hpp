// Backoff: computes how long a job waits before its next attempt. At most a century.
//
// Errors: from_json() returns a Problem. Pure. Threads: any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "base/time.hpp"
#include "core/json/json.hpp"
#include "core/problem.hpp"

namespace semel {

struct Backoff {
    enum class Kind { linear, exponential, jitter, fixed };

    Kind kind = Kind::linear;
    Millis base{300'000};  // stepMs, baseMs or delayMs
    double factor = 2.0;   // exponential only
    Millis max{0};         // exponential and jitter

    bool operator==(const Backoff&) const = default;

    // Returns the wait after `attempts` attempts (1 or more). `random` is 64 uniform bits, which
    // only `jitter` uses.
    [[nodiscard]] Millis wait(int attempts, std::uint64_t random) const;

    [[nodiscard]] std::string to_json() const;
    // Returns the Backoff, or the Problem that names the first wrong member. `pointer` is the place
    // of `value` in the request.
    [[nodiscard]] static std::variant<Backoff, Problem> from_json(json::Value value,
                                                                  const std::string& pointer);
};

}  // namespace semel
