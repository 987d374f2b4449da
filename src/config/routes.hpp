// Reads `gateway.routes` of a configuration. The tables in routes.cpp are the only description of a
// route's members: each one checks a value and stores it. Pure. Threads: any.
#pragma once

#include <vector>

#include <yaml-cpp/yaml.h>

#include "base/result.hpp"
#include "config/gateway_config.hpp"
#include "config/yaml_shape.hpp"
#include "core/fences/policy_check.hpp"

namespace semel {

struct ReadRoute {
    GatewayRoute route;    // for the gateway
    CheckedRoute checked;  // for the rules about a whole configuration
};

// Errors: one line with the place (file:line:column), the fact and the remedy. A member that this
// version does not support is an error, or only checked: see YamlWalk::later.
[[nodiscard]] Result<std::vector<ReadRoute>> read_routes(const YamlWalk& walk,
                                                         const YAML::Node& routes);

}  // namespace semel
