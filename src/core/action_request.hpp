// From a JSON request to a checked ActionRequest, with every default of the contract that does not
// depend on stored rows.
#pragma once

#include <string>
#include <variant>

#include "core/commands.hpp"
#include "core/json.hpp"
#include "core/settings.hpp"

namespace semel {

// `pointer` is where the request stands in the body: "" or "/items/3".
[[nodiscard]] Item<ActionRequest> read_action_request(json::Value object, std::string_view tenant,
                                                      const Settings& settings,
                                                      const std::string& pointer);

}  // namespace semel
