// random_bytes and random_u64: secure random numbers for ids and secrets, from OpenSSL.
//
// random_u64 fetches 64 numbers at a time per thread. A forked child never returns its parent's
// numbers.
// Errors: none. If the generator fails, an assertion ends the process.
// Threads: any.
#pragma once

#include <cstdint>
#include <string>

namespace semel {

[[nodiscard]] std::string random_bytes(std::size_t count);
[[nodiscard]] std::uint64_t random_u64();

}  // namespace semel
