// Reads `sources` and `gateway.routes` of a configuration for `semel check`. `semel serve` does not
// support these keys yet. Pure.
#pragma once

#include <string>
#include <vector>

#include <yaml-cpp/yaml.h>

#include "base/result.hpp"
#include "core/fences/policy_check.hpp"

namespace semel {

// Errors: one line with the place (file:line:column), the fact and the remedy. Secrets are not
// read: only the server must be able to reach them.
[[nodiscard]] Result<std::vector<CheckedSource>> read_sources(const std::string& file,
                                                              const YAML::Node& sources);
[[nodiscard]] Result<std::vector<CheckedRoute>> read_routes(const std::string& file,
                                                            const YAML::Node& routes);

}  // namespace semel
