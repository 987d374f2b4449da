// The documentation of every problem code, as it stands in docs/errors, inside the program.
#pragma once

#include <optional>
#include <string_view>

#include "core/problem.hpp"

namespace semel {

[[nodiscard]] std::string_view error_page(ProblemCode code);
// Nothing: no code has this name.
[[nodiscard]] std::optional<std::string_view> error_page(std::string_view code);

}  // namespace semel
