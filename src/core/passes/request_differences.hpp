// request_differences: describes how a request differs from the first one under its key.
//
// A request is stored as JSON text with the members method, path, query, bodyHash, and body if the
// body is JSON and fits. Pure. Threads: any.
#pragma once

#include <string>
#include <vector>

#include "core/json/json_diff.hpp"

namespace semel {

struct Differences {
    std::vector<std::string> names;  // of method, path, query, and body if `patch` is null
    std::string patch = "null";  // JSON Patch from the first body to the second, if both are known
    bool is_truncated = false;
};

// Compares two stored requests. If the first is damaged or empty, nothing is known: no names, and a
// null patch.
[[nodiscard]] Differences request_differences(const std::string& first, const std::string& second,
                                              const DiffOptions& options = {});

}  // namespace semel
