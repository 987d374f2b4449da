// Which wall times a cron expression matches, in a calendar without zones.
#pragma once

#include <chrono>
#include <optional>

#include "core/cron_fields.hpp"

namespace semel {

// The first match at or after `from`, the last at or before `to`; nothing outside years 1969 to
// 10000. Months are stepped over, days and times are found by their bits: 40 years without a match,
// the most there can be (February 29 on a Sunday), cost 480 steps.
[[nodiscard]] std::optional<std::chrono::local_seconds> first_match(
    const CronFields& fields, std::chrono::local_seconds from);
[[nodiscard]] std::optional<std::chrono::local_seconds> last_match(const CronFields& fields,
                                                                   std::chrono::local_seconds to);

}  // namespace semel
