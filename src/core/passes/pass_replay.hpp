// replay_pass: decides whether a sealed claim answers a request of the gateway without a change of
// any row. Requests that wait for a claim are answered in this way, from the row of the commit that
// sealed it.
//
// Pure. Threads: any.
#pragma once

#include <memory>
#include <optional>

#include "core/batch/rows.hpp"
#include "core/commands.hpp"

namespace semel {

// Returns `duplicate` with the answer of `sealed`, or nullopt if the request must be decided as a
// command: the claim is not sealed, another claim decides, or the answer is to be kept under a key.
[[nodiscard]] std::optional<PassAnswer> replay_pass(const AdmitPass& command,
                                                    const std::shared_ptr<const Claim>& sealed,
                                                    Time now);

// Returns the entry of the decision log about such an answer.
[[nodiscard]] DecisionEntry replay_entry(const AdmitPass& command, const Claim& sealed,
                                         const PassAnswer& answer, Time now);

}  // namespace semel
