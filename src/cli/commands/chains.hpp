// What the commands under `semel chains` share.
#pragma once

#include <string>

#include "cli/api_client.hpp"

namespace semel::cli {

[[nodiscard]] std::string chain_path(const std::string& id);

// One line: id, type and status, with what ended it.
void print_chain_line(Console& console, json::Value chain);

void add_chain_start(CLI::App& parent, Session& session);
void add_chain_show(CLI::App& parent, Session& session);
void add_chain_wait(CLI::App& parent, Session& session);

}  // namespace semel::cli
