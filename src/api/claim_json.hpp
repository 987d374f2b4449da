// The JSON forms of claims of any space, for operators. None of them has the body of a stored
// answer: only the principal whose request made it receives that. Pure. Threads: any.
#pragma once

#include <string>

#include "core/batch/rows.hpp"
#include "core/json/json_writer.hpp"

namespace semel {

// Writes a row of GET /v1/claims. REQUIRES: the claim has an effect.
void write_claim_row(JsonWriter& out, const Claim& claim);

// Writes the members that only claims of the gateway have: its request and its stored answer.
// REQUIRES: the claim has a pass.
void write_pass(JsonWriter& out, const Claim& claim);

// Returns the answer to an operator's call about a claim: that of fences, and for the gateway the
// state with the stored answer's status, headers and size.
[[nodiscard]] std::string operated_json(const Claim& claim);

}  // namespace semel
