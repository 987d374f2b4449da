// Prints the steps of a chain as a tree, each with the chains that it waits for or waited for. Main
// thread only.
#pragma once

#include <vector>

#include "cli/output.hpp"
#include "core/json/json.hpp"

namespace semel::cli {

// `steps` are in order, each as GET /v1/chains/{id}/jobs returns it.
void print_chain_tree(Console& console, const std::vector<json::Document>& steps);

}  // namespace semel::cli
