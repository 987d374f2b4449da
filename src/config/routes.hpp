// What `semel check` looks at in `sources` and `gateway.routes`. `semel serve` does not take these
// yet, so nothing but the check follows from them.
#pragma once

#include <string>
#include <vector>

#include <yaml-cpp/yaml.h>

#include "base/result.hpp"
#include "core/policy_check.hpp"

namespace semel {

// An error is one line that says where (file:line:column), what, and what would be right. Secrets
// are not read: whether they are there is for the server to say.
[[nodiscard]] Result<std::vector<CheckedSource>> read_sources(const std::string& file,
                                                              const YAML::Node& sources);
[[nodiscard]] Result<std::vector<CheckedRoute>> read_routes(const std::string& file,
                                                            const YAML::Node& routes);

}  // namespace semel
