// UuidGenerator: makes ids of version 7. Each id is larger than every id it made before.
//
// The order also holds within one millisecond, and if the given time repeats or goes back. Ids then
// run ahead of the clock. Threads: one at a time. Each committer has its own generator.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include <semel/uuid.hpp>

#include "base/time.hpp"

namespace semel {

class UuidGenerator {
public:
    // `random` returns 64 fresh random bits per call.
    explicit UuidGenerator(std::function<std::uint64_t()> random) : random_(std::move(random)) {}

    [[nodiscard]] Uuid next(Time now);

    // Makes every later id larger than `id`, which may come from another generator.
    void go_past(const Uuid& id);

private:
    std::function<std::uint64_t()> random_;
    std::int64_t last_ms_ = 0;
    std::uint16_t counter_ = 0;  // 12 bits, the rand_a field
};

}  // namespace semel
