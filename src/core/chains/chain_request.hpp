// read_chain_request and read_continuation: read and check the JSON request for a chain, or for the
// job that continues one.
//
// Options stay empty if the request omits them, because `decide` applies or inherits them. A
// blocker is read as the id of a chain, or as a whole chain to start.
#pragma once

#include <string>
#include <string_view>

#include "core/commands.hpp"
#include "core/json/json.hpp"
#include "core/settings.hpp"

namespace semel {

// Both return the request, or the Problem that names the first wrong member. `pointer` is the place
// of `object` in the body: "" or "/items/3". Pure. Threads: any. The results own their text.
[[nodiscard]] Item<ChainRequest> read_chain_request(json::Value object, std::string_view tenant,
                                                    const Settings& settings,
                                                    const std::string& pointer);

// Also makes the fingerprint of the request, without the options that a job can inherit.
[[nodiscard]] Item<Continuation> read_continuation(json::Value object, std::string_view tenant,
                                                   const Settings& settings,
                                                   const std::string& pointer);

}  // namespace semel
