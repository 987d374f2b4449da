// Fences and claims as JSON, with the members that the contract names.
#pragma once

#include <string>

#include "api/decision_json.hpp"
#include "base/ed25519.hpp"
#include "core/commands.hpp"
#include "core/json_writer.hpp"
#include "core/story.hpp"

namespace semel {

// The key of a fence as its caller wrote it; of another claim, the full key.
[[nodiscard]] std::string written_key(const Claim& claim);

// What a claim was told. REQUIRES: the request was not refused.
[[nodiscard]] std::string fence_answer_json(const std::string& key, const FenceAnswer& answer);

// What a call about a claim left behind.
[[nodiscard]] std::string called_json(const Claim& claim);

// A fence by its key: all that is known of it, but for its content. With a key, which only what is
// sealed may have, it is signed; core/signed_receipt.hpp says what that covers.
[[nodiscard]] std::string fence_json(const Claim& claim, FenceTokens tokens,
                                     const SigningKey* signed_with = nullptr);

void write_story(JsonWriter& out, const Story& story, FenceTokens tokens);

}  // namespace semel
