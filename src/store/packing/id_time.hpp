// The time in an id. Generated ids begin with the time of their creation, so a range of ids is a
// range of time. Pure. Threads: any.
#pragma once

#include <algorithm>

#include "base/time.hpp"
#include "base/uuid.hpp"
#include "core/actions/job.hpp"

namespace semel {

// The time in an id is `createdAt` or up to this much later: a generator that makes more than 4,096
// ids per millisecond runs ahead of the clock. An id chosen by a caller can begin with any bytes.
inline constexpr Millis kIdsAhead = std::chrono::minutes(1);

// The smallest id that can be generated at `time`.
[[nodiscard]] inline Uuid first_id_at(Time time) {
    constexpr int kTimeBytes = 6;
    Uuid id;
    auto ms = std::clamp<std::int64_t>(to_ms(time), 0, kTimeMaxMs);
    for (int i = kTimeBytes - 1; i >= 0; --i, ms >>= 8) {
        id.bytes[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(ms & 0xFF);
    }
    return id;
}

// Returns true if a range of ids for a range of createdAt would miss this job, because a caller
// chose its id.
[[nodiscard]] inline bool has_chosen_id(const Job& job) {
    return job.id < first_id_at(job.created_at) ||
           !(job.id < first_id_at(add_clamped(job.created_at, kIdsAhead)));
}

}  // namespace semel
