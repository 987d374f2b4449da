// error_page: the documentation of every problem code, which is the Markdown of docs/errors,
// embedded in the program. The texts live as long as the process. Pure. Threads: any.
#pragma once

#include <optional>
#include <string_view>

#include "core/problem.hpp"

namespace semel {

[[nodiscard]] std::string_view error_page(ProblemCode code);
// Returns nullopt if no code has this name.
[[nodiscard]] std::optional<std::string_view> error_page(std::string_view code);

}  // namespace semel
