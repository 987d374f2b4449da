// Reads the YAML file into settings by key. Values stay text, so that YAML guesses nothing (octal
// numbers, `yes`). An unknown or repeated key is an error with its place. Pure.
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

// `file` is the name that errors show. A key that this version does not support goes to `untaken`,
// and is an error if that is null.
[[nodiscard]] Result<FileContent> read_config(const std::string& file, const std::string& text,
                                              UntakenKeys* untaken = nullptr);

}  // namespace semel
