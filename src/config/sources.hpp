// Reads `sources` of a configuration for `semel check`. `semel serve` does not support this key
// yet. Pure. Threads: any.
#pragma once

#include <vector>

#include <yaml-cpp/yaml.h>

#include "base/result.hpp"
#include "config/yaml_shape.hpp"
#include "core/fences/policy_check.hpp"

namespace semel {

// Errors: one line with the place (file:line:column), the fact and the remedy. Secrets are not
// read: only the server must be able to reach them.
[[nodiscard]] Result<std::vector<CheckedSource>> read_sources(const YamlWalk& walk,
                                                              const YAML::Node& sources);

}  // namespace semel
