// Where new ids come from.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include <semel/uuid.hpp>

#include "base/time.hpp"

namespace semel {

// Makes version 7 ids that grow strictly, also within a millisecond and when time stands still.
// Not thread-safe: one generator per committer.
class UuidGenerator {
public:
    // `random` gives 64 fresh bits a call.
    explicit UuidGenerator(std::function<std::uint64_t()> random) : random_(std::move(random)) {}

    [[nodiscard]] Uuid next(Time now);

    // Whatever is made from now on is larger than this one, which another generator made.
    void go_past(const Uuid& id);

private:
    std::function<std::uint64_t()> random_;
    std::int64_t last_ms_ = 0;
    std::uint16_t counter_ = 0;  // 12 bits, the rand_a field
};

}  // namespace semel
