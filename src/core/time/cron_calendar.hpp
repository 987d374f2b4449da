// first_match and last_match: the wall times that a cron expression matches, without time zones.
//
// Pure. Threads: any. The search skips whole months and finds days and times by their bits. The
// longest gap is 40 years (February 29 on a Sunday) and costs 480 steps.
#pragma once

#include <chrono>
#include <optional>

#include "core/time/cron_fields.hpp"

namespace semel {

// Return the first match at or after `from`, and the last match at or before `to`. Return nullopt
// if the years 1969 to 10000 contain no such match.
[[nodiscard]] std::optional<std::chrono::local_seconds> first_match(
    const CronFields& fields, std::chrono::local_seconds from);
[[nodiscard]] std::optional<std::chrono::local_seconds> last_match(const CronFields& fields,
                                                                   std::chrono::local_seconds to);

}  // namespace semel
