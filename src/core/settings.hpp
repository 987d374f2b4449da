// Settings: the configuration that decisions depend on. The defaults are those of
// docs/reference/config.md. A plain value, except `zones`.
//
// Lifetime: `zones` must outlive every decision that is made with the settings.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "base/time.hpp"
#include "core/fences/fence_policy.hpp"

namespace semel {

class ZoneSource;

// A ZoneSource that knows UTC and no other zone.
[[nodiscard]] ZoneSource& utc_only();

struct Settings {
    Millis window = std::chrono::seconds(5);            // actions.deduplication.window_seconds
    Millis default_timeout = std::chrono::seconds(30);  // actions.default_timeout
    Millis job_retention = std::chrono::hours(24 * 7);  // actions.retention_days
    std::optional<Millis> key_retention =
        std::chrono::hours(24 * 30);  // keys.retention; absent: forever
    std::optional<Millis> decision_retention =
        std::chrono::hours(24 * 30);  // decisions.retention; absent: forever
    FencePolicy fences;
    std::size_t receipts_in_memory = std::size_t{64}
                                     << 20;  // receipts.memory_mib, in bytes; 0: none
    ZoneSource* zones = &utc_only();         // outlives every decision
};

}  // namespace semel
