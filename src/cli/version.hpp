// The version of this program.
#pragma once

namespace semel::cli {

inline constexpr const char* kVersion = SEMEL_VERSION;

}  // namespace semel::cli
