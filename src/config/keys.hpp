// The table of every key that the configuration knows. The reader, the environment, the errors
// and docs/reference/config.md all follow it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "config/config.hpp"

namespace semel {

// A value as it was given, before it is understood.
struct Setting {
    std::vector<std::string> items;  // one, unless the key takes a list
    std::string source;              // semel.yaml:3:5, SEMEL_STORE or --store
};

enum class Shape { scalar, list, later };

struct ConfigKey {
    std::string_view path;     // actions.retention_days
    Shape shape;               // later: in the contract, not in this version
    std::string_view expects;  // "a duration like 30s"
    std::string_view fallback;
    std::string_view meaning;
    // Stores the value; the error says what is wrong with it.
    Result<void> (*apply)(Config& config, const Setting& setting);
};

[[nodiscard]] const std::vector<ConfigKey>& config_keys();
[[nodiscard]] const ConfigKey* find_config_key(std::string_view path);

// actions.retention_days is SEMEL_ACTIONS_RETENTION_DAYS.
[[nodiscard]] std::string environment_name(std::string_view path);

// Whether it is the beginning of a longer key, like `actions`.
[[nodiscard]] bool is_config_section(std::string_view path);
// The names that may stand in a section; "" is the top.
[[nodiscard]] std::vector<std::string> names_in_section(std::string_view section);

// What to write instead of an unknown key: the nearest known one, or those that may stand there.
[[nodiscard]] std::string instead_of(std::string_view section, std::string_view name);

}  // namespace semel
