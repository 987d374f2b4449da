// Packs and unpacks a backoff as part of a packed job or schedule. unpack_backoff() reads the bytes
// of pack(). Damaged bytes make the Unpacker report damage, and the result is then meaningless.
// Pure. Threads: any.
#pragma once

#include "core/actions/backoff.hpp"
#include "store/packing/packed.hpp"

namespace semel {

void pack(Packer& packer, const Backoff& backoff);
[[nodiscard]] Backoff unpack_backoff(Unpacker& unpacker);

}  // namespace semel
