// Reads the YAML text of a configuration into settings by key. Values stay text, so that YAML
// interprets nothing (octal numbers, `yes`). An unknown or repeated key is an error.
//
// Errors: one line with the place (file:line:column), the fact and the remedy.
// Pure. Threads: any.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "config/keys.hpp"
#include "config/routes.hpp"

namespace semel {

using SettingsByKey = std::map<std::string, Setting>;

struct FileContent {
    SettingsByKey settings;
    std::vector<ReadRoute> routes;
};

// `file` is the name that errors show. A key that this version does not support is added to
// `untaken`. If `untaken` is null, such a key is an error.
[[nodiscard]] Result<FileContent> read_config(const std::string& file, const std::string& text,
                                              UntakenKeys* untaken = nullptr);

}  // namespace semel
