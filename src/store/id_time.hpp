// Ids begin with the time of their making, so that a range of them is a range of time.
#pragma once

#include <algorithm>

#include "base/time.hpp"
#include "base/uuid.hpp"
#include "core/job.hpp"

namespace semel {

// That time is `createdAt` or a little later: a generator runs ahead of the clock when it makes
// more than 4096 ids in a millisecond. Ids that callers chose begin with anything.
inline constexpr Millis kIdsAhead = std::chrono::minutes(1);

// The smallest id that could have been made at `time`.
[[nodiscard]] inline Uuid first_id_at(Time time) {
    constexpr int kTimeBytes = 6;
    Uuid id;
    auto ms = std::clamp<std::int64_t>(to_ms(time), 0, kTimeMaxMs);
    for (int i = kTimeBytes - 1; i >= 0; --i, ms >>= 8) {
        id.bytes[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(ms & 0xFF);
    }
    return id;
}

// Whether a range of ids that is a range of createdAt would miss it.
[[nodiscard]] inline bool has_chosen_id(const Job& job) {
    return job.id < first_id_at(job.created_at) ||
           !(job.id < first_id_at(add_clamped(job.created_at, kIdsAhead)));
}

}  // namespace semel
