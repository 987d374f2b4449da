// Randomness from the operating system's generator, for ids and secrets.
#pragma once

#include <cstdint>
#include <string>

namespace semel {

[[nodiscard]] std::string random_bytes(std::size_t count);
[[nodiscard]] std::uint64_t random_u64();

}  // namespace semel
