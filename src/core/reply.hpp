// Reply and Item: the answer to a command, and to one item of a command with a list of items. Plain
// values.
#pragma once

#include <variant>

#include "core/problem.hpp"

namespace semel {

template <typename Command>
using Reply = std::variant<typename Command::Outcome, Problem>;

// One item of a list: the checked request or its answer, or the Problem that refuses it.
template <typename T>
using Item = std::variant<T, Problem>;

}  // namespace semel
