// Makes the Problems (<semel/problem.hpp>) that several rooms return, and lists all problem codes.
//
// Pure. Threads: any.
#pragma once

#include <string>
#include <vector>

#include <semel/problem.hpp>

#include "core/words.hpp"

namespace semel {

// All codes, in the order of the enum.
[[nodiscard]] const std::vector<ProblemCode>& all_problem_codes();

[[nodiscard]] Problem invalid(std::string detail, std::string pointer = {});
[[nodiscard]] Problem not_found(std::string detail);
// Refuses a change because another transaction has locked one of its rows: `store_unavailable`, to
// be repeated after 1 s.
[[nodiscard]] Problem locked_elsewhere();

}  // namespace semel
