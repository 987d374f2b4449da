// The table of all configuration keys, with functions to search it. The reader, the environment and
// the errors use it, and a test compares docs/reference/config.md with it. Pure. Threads: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "config/config.hpp"

namespace semel {

// A value as text, before a key parses it.
struct Setting {
    std::vector<std::string> items;  // one item, unless the key's shape is a list
    std::string source;              // like semel.yaml:3:5, SEMEL_STORE or --store
};

enum class Shape {
    scalar,
    list,
    file_only,  // a list of maps, which has neither variable nor flag
    later,      // known, but not supported in this version
};

struct ConfigKey {
    std::string_view path;  // like actions.retention_days
    Shape shape;
    std::string_view expects;  // for errors: "a duration like 30s"
    std::string_view fallback;
    std::string_view meaning;
    // Parses the value into the config. The error is the reason, without the key and the place.
    Result<void> (*apply)(Config& config, const Setting& setting);
};

[[nodiscard]] const std::vector<ConfigKey>& config_keys();
// Returns the key, or null.
[[nodiscard]] const ConfigKey* find_config_key(std::string_view path);

// Returns the variable of a key: SEMEL_ACTIONS_RETENTION_DAYS for actions.retention_days.
[[nodiscard]] std::string environment_name(std::string_view path);

// Returns true if `path` is the beginning of a longer key, like `actions`.
[[nodiscard]] bool is_config_section(std::string_view path);
// Returns the names that a section can have; "" is the top.
[[nodiscard]] std::vector<std::string> names_in_section(std::string_view section);

// Returns the advice for an unknown key: the nearest known key, or the names of its section.
[[nodiscard]] std::string instead_of(std::string_view section, std::string_view name);

}  // namespace semel
