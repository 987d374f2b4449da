// The filter options and the larger subcommands of `semel actions`. Main thread only.
#pragma once

#include <string>

#include "cli/api_client.hpp"

namespace semel::cli {

// The filters of a list of actions. Empty: no filter.
struct ActionFilterOptions {
    std::string status;
    std::string type;
    std::string lock_group;
    std::string from;
    std::string to;

    // Adds the options to `command`, which keeps references to the members.
    void add_to(CLI::App& command);
    // Returns the given filters as "&status=…&type=…", percent-encoded.
    [[nodiscard]] std::string query() const;
};

// Add one subcommand each to the tree; see session.hpp.
void add_action_show(CLI::App& parent, Session& session);
void add_action_tail(CLI::App& parent, Session& session);

}  // namespace semel::cli
