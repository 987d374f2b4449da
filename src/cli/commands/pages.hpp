// Lists of the API, page by page, as far as the options say.
#pragma once

#include <functional>
#include <string>

#include "cli/api_client.hpp"

namespace semel::cli {

struct PageOptions {
    int limit = 50;
    bool all = false;

    void add_to(CLI::App& command);
};

// What a list is called, and how an item of it becomes a row.
struct ListShape {
    std::string path;   // without its query
    std::string query;  // "&name=value…"
    std::string empty;  // what is said when nothing is found
    std::vector<std::string> header;
    std::function<std::vector<std::string>(json::Value)> row;
};

// Prints the list as a table, or as one JSON document. The exit code.
[[nodiscard]] int print_list(Session& session, const CommonOptions& common,
                             const PageOptions& pages, const ListShape& shape);

}  // namespace semel::cli
