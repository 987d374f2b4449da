// From a JSON request to a checked ChainRequest or Continuation, with every default of the contract
// that does not depend on stored rows.
#pragma once

#include <string>
#include <string_view>

#include "core/commands.hpp"
#include "core/json.hpp"
#include "core/settings.hpp"

namespace semel {

// `pointer` is where the request stands in the body: "" or "/items/3".
[[nodiscard]] Item<ChainRequest> read_chain_request(json::Value object, std::string_view tenant,
                                                    const Settings& settings,
                                                    const std::string& pointer);

[[nodiscard]] Item<Continuation> read_continuation(json::Value object, std::string_view tenant,
                                                   const Settings& settings,
                                                   const std::string& pointer);

}  // namespace semel
