// The steps of a chain as a tree, with what each of them waits for or waited.
#pragma once

#include <vector>

#include "cli/output.hpp"
#include "core/json.hpp"

namespace semel::cli {

// In order, each as the API gives it.
void print_chain_tree(Console& console, const std::vector<json::Document>& steps);

}  // namespace semel::cli
