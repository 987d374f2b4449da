// The problems that are made in many places.
#pragma once

#include <string>
#include <vector>

#include <semel/problem.hpp>

#include "core/words.hpp"

namespace semel {

[[nodiscard]] const std::vector<ProblemCode>& all_problem_codes();

[[nodiscard]] Problem invalid(std::string detail, std::string pointer = {});
[[nodiscard]] Problem not_found(std::string detail);
// Of a row that the transaction of somebody else has not let go.
[[nodiscard]] Problem held_elsewhere();

}  // namespace semel
