// Prints a list of the API, up to the number of items in the options. Errors: printed, and returned
// as an exit code. Threads: that of the session.
#pragma once

#include <functional>
#include <string>

#include "cli/api_client.hpp"

namespace semel::cli {

struct PageOptions {
    int limit = 50;
    bool all = false;

    // Adds --limit and --all to `command`, which keeps references to the members.
    void add_to(CLI::App& command);
};

// A list of the API, and the conversion of its items to rows of a table.
struct ListShape {
    std::string path;   // without its query
    std::string query;  // "&name=value…"
    std::string empty;  // printed if nothing is found
    std::vector<std::string> header;
    std::function<std::vector<std::string>(json::Value)> row;
};

// Reads the list page by page, then prints it as a table or as one JSON document. Blocks. Returns
// the exit code. An error is printed.
[[nodiscard]] int print_list(Session& session, const CommonOptions& common,
                             const PageOptions& pages, const ListShape& shape);

}  // namespace semel::cli
