// A backoff, as a part of a packed job and of a packed schedule.
#pragma once

#include "core/backoff.hpp"
#include "store/packed.hpp"

namespace semel {

void pack(Packer& packer, const Backoff& backoff);
[[nodiscard]] Backoff unpack_backoff(Unpacker& unpacker);

}  // namespace semel
