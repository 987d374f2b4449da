// Engine::once, on a host.
#pragma once

#include <semel/once.hpp>

#include "runtime/host.hpp"

namespace semel {

// Blocks. Throws what the effect throws, after the key was released or left uncertain, if the store
// could be told. An error: the effect did not run.
[[nodiscard]] Result<OnceAnswer> once(Host& host, const OnceSpec& spec, const OnceFunction& effect);

}  // namespace semel
