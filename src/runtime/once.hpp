// Implements Engine::once: claims a key through a Host, runs the effect, seals the key.
//
// Threads: any, except the host's loop. The functions block.
#pragma once

#include <semel/once.hpp>

#include "runtime/host.hpp"

namespace semel {

// Returns the answer of the effect, here or earlier, or the Problem that refused the key. See
// semel/once.hpp.
//
// If the effect throws, the key is first released (for a Temporary) or made uncertain (for any
// other exception). Then the exception reaches the caller. If the release fails, the key's lease
// ends.
// Errors: the effect did not run.
[[nodiscard]] Result<OnceAnswer> once(Host& host, const OnceSpec& spec, const OnceFunction& effect);
// Returns the effect that is sealed under the key, or nullopt. Claims nothing. Errors: the store's.
[[nodiscard]] Result<std::optional<SealedEffect>> sealed_effect(Host& host, const std::string& key,
                                                                const std::string& tenant);

}  // namespace semel
