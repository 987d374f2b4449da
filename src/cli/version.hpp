// The version of this program, as the build sets it.
#pragma once

namespace semel::cli {

inline constexpr const char* kVersion = SEMEL_VERSION;

}  // namespace semel::cli
