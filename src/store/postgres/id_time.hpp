// Ids begin with the time of their making, so that a range of them is a range of time.
#pragma once

#include <algorithm>

#include "base/time.hpp"
#include "base/uuid.hpp"

namespace semel::postgres {

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

}  // namespace semel::postgres
