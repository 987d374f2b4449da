// read_action_request: reads and checks one JSON request to schedule an action.
//
// Makes the deduplication key and fills in the defaults of `payload` and `deduplication`. Other
// options stay empty if the request omits them, because `decide` applies their defaults.
#pragma once

#include <string>
#include <variant>

#include "core/commands.hpp"
#include "core/json/json.hpp"
#include "core/settings.hpp"

namespace semel {

// Returns the ActionRequest, or the Problem that names the first wrong member. `pointer` is the
// place of `object` in the body: "" or "/items/3". Pure. Threads: any. The result owns its text.
[[nodiscard]] Item<ActionRequest> read_action_request(json::Value object, std::string_view tenant,
                                                      const Settings& settings,
                                                      const std::string& pointer);

}  // namespace semel
