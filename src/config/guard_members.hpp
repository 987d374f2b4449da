// The table of the members of a route's `guard`. Each one checks a value and stores it. Errors: see
// read_map (yaml_shape.hpp). Pure. Threads: any.
#pragma once

#include "config/routes.hpp"

namespace semel {

// REQUIRES: begin_guard() has run on the target.
extern const YamlMember<ReadRoute> kGuardMembers[9];

// Gives the route a guard with every default.
void begin_guard(ReadRoute& read);

}  // namespace semel
