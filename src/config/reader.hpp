// Reads the YAML file into settings by key. What YAML would guess (octal numbers, `yes`) is left
// as text; what it would swallow (unknown keys, a key twice) is an error with its place.
#pragma once

#include <map>
#include <string>

#include "base/result.hpp"
#include "config/keys.hpp"

namespace semel {

using SettingsByKey = std::map<std::string, Setting>;

// `file` is the name that errors carry. A key that this version does not take is an error where
// there is no place for it (`untaken` is null).
[[nodiscard]] Result<SettingsByKey> read_config(const std::string& file, const std::string& text,
                                                UntakenKeys* untaken = nullptr);

}  // namespace semel
