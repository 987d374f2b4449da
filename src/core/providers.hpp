// Providers of webhooks, and for how long each may send an event again. Data, in one table: a key
// must be remembered for longer than that.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/time.hpp"

namespace semel {

struct Provider {
    std::string_view name;     // in lower case
    Millis horizon{0};         // from the first delivery to the last repeat
    std::string_view repeats;  // how it repeats, for people
};

[[nodiscard]] std::span<const Provider> known_providers();

// By name, in any case; `_`, `-` and spaces are one and the same. Null: not known.
[[nodiscard]] const Provider* find_provider(std::string_view name);

// By how much a window must be longer than the horizon: clocks, queues and people are late too.
inline constexpr int kHorizonMargin = 2;

// How long events that may be repeated for `horizon` are remembered, where the class or the policy
// says `usual`: whichever is longer. Fences go by it, and `semel check` says so.
[[nodiscard]] Millis remembered_for(Millis usual, Millis horizon);

}  // namespace semel
