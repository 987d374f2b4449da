// Writes fences and claims as JSON. docs/reference/http_api.md names the members.
//
// The functions are pure and keep no reference to their arguments. Any thread may call them.
#pragma once

#include <string>

#include "api/decision_json.hpp"
#include "base/ed25519.hpp"
#include "core/commands.hpp"
#include "core/json/json_writer.hpp"
#include "core/keys/story.hpp"

namespace semel {

// Returns the key of a fence as the client wrote it. A key of several parts, and the key of a claim
// outside `fences`, is returned as the full key.
[[nodiscard]] std::string written_key(const Claim& claim);

// Returns the answer to a request for a fence. REQUIRES: the request was not refused.
[[nodiscard]] std::string fence_answer_json(const std::string& key, const FenceAnswer& answer);

// Returns the claim's state after an owner's or operator's call, as the answer to that call.
[[nodiscard]] std::string called_json(const Claim& claim);

// Returns the fence without its content. With `signed_with` the answer is signed, and shows the
// token because the signature covers it; see core/fences/signed_receipt.hpp.
// REQUIRES: `claim` has an effect, and is sealed if `signed_with` is given.
[[nodiscard]] std::string fence_json(const Claim& claim, FenceTokens tokens,
                                     const SigningKey* signed_with = nullptr);

// Appends the answer to GET /v1/explain for one claim.
void write_story(JsonWriter& out, const Story& story, FenceTokens tokens);

}  // namespace semel
