// Reads the YAML file into settings by key. What YAML would guess (octal numbers, `yes`) is left
// as text; what it would swallow (unknown keys, a key twice) is an error with its place.
#pragma once

#include <map>
#include <string>

#include "base/result.hpp"
#include "cli/config_keys.hpp"

namespace semel::cli {

using SettingsByKey = std::map<std::string, Setting>;

// `file` is the name that errors carry.
[[nodiscard]] Result<SettingsByKey> read_config(const std::string& file, const std::string& text);

}  // namespace semel::cli
