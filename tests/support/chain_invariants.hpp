// What holds between the rows of chains, and of those who wait for them.
#pragma once

#include <string>
#include <vector>

#include "support/row_invariants.hpp"

namespace semel::test {

// One line for each thing that does not hold.
[[nodiscard]] std::vector<std::string> broken_chains(const StoredRows& rows);

}  // namespace semel::test
