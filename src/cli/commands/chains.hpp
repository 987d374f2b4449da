// Helpers and the larger subcommands of `semel chains`. Main thread only.
#pragma once

#include <string>

#include "cli/api_client.hpp"

namespace semel::cli {

// Returns the path of a chain in the API.
[[nodiscard]] std::string chain_path(const std::string& id);

// Prints a chain on one line: id, type, status, and its output or error.
void print_chain_line(Console& console, json::Value chain);

// Add one subcommand each to the tree; see session.hpp.
void add_chain_start(CLI::App& parent, Session& session);
void add_chain_show(CLI::App& parent, Session& session);
void add_chain_wait(CLI::App& parent, Session& session);

}  // namespace semel::cli
