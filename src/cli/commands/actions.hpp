// What the commands under `semel actions` share.
#pragma once

#include <string>

#include "cli/api_client.hpp"

namespace semel::cli {

struct ActionFilterOptions {
    std::string status;
    std::string type;
    std::string lock_group;
    std::string from;
    std::string to;

    void add_to(CLI::App& command);
    // "&status=…&type=…", escaped.
    [[nodiscard]] std::string query() const;
};

void add_action_show(CLI::App& parent, Session& session);
void add_action_tail(CLI::App& parent, Session& session);

}  // namespace semel::cli
