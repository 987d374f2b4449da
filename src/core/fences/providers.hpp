// Providers: for how long each provider of webhooks can send an event again.
//
// A key must be remembered longer than that. The table is constant. Threads: any.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/time.hpp"

namespace semel {

struct Provider {
    std::string_view name;     // in lower case
    Millis horizon{0};         // from the first delivery to the last repeat
    std::string_view repeats;  // the pattern of its repeats, for people
};

[[nodiscard]] std::span<const Provider> known_providers();

// Finds a provider by name. Case does not count, and `_`, `-` and space are equal. Returns null for
// an unknown name.
[[nodiscard]] const Provider* find_provider(std::string_view name);

// A key is remembered for this many horizons, because clocks, queues and people are late too.
inline constexpr int kHorizonMargin = 2;

// Returns how long a key must be remembered: `usual`, or horizon × kHorizonMargin if that is
// longer. `usual` is the retention of the fence's class or policy. Fences and `semel check` use
// this sum.
[[nodiscard]] Millis remembered_for(Millis usual, Millis horizon);

}  // namespace semel
