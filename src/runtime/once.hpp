// Engine::once on a Host: claims a key, runs the effect, seals the key.
//
// The functions block.
// Threads: any, except the loop's.
#pragma once

#include <semel/once.hpp>

#include "runtime/host.hpp"

namespace semel {

// Returns the answer of the effect, here or earlier, or the Problem that refused the key. See
// semel/once.hpp.
//
// If the effect throws, the exception passes on: the key is released before for a Temporary, and
// becomes uncertain for any other exception. If that call fails, the key is left to its lease.
// Errors: the effect did not run.
[[nodiscard]] Result<OnceAnswer> once(Host& host, const OnceSpec& spec, const OnceFunction& effect);
// Returns the effect that is sealed under the key, or nullopt. Claims nothing. Errors: the store's.
[[nodiscard]] Result<std::optional<SealedEffect>> sealed_effect(Host& host, const std::string& key,
                                                                const std::string& tenant);

}  // namespace semel
