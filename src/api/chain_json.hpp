// Writes chains as JSON, and the answers that show them. docs/reference/http_api.md names the
// members and their order.
//
// The functions are pure and keep no reference to their arguments. Any thread may call them.
#pragma once

#include <string>
#include <vector>

#include "api/problem_json.hpp"
#include "core/commands.hpp"
#include "core/json/json_writer.hpp"
#include "core/keys/claim.hpp"

namespace semel {

// Appends the chain as one object.
void write_chain(JsonWriter& out, const ChainView& chain);

// Returns {"chain": …}.
[[nodiscard]] std::string chain_json(const ChainView& chain);

// Returns the answer to the start of one chain: 201 if it is new, 200 if it is deduplicated, or the
// problem. REQUIRES: `items` has one item.
[[nodiscard]] Receipt start_receipt(const StartChains::Outcome& items);
// Returns the answer to a batch: 200 with one result per item, in order. Inputs and outputs are
// left out, because a thousand existing chains can have a gigabyte of them.
[[nodiscard]] Receipt start_batch_receipt(const StartChains::Outcome& items);

[[nodiscard]] Problem no_such_chain();
// Returns the 408 for a wait whose deadline passed, with the chain's state at that time.
[[nodiscard]] HttpProblem still_running(const ChainView& chain);

enum class BlockerOutputs { shown, left_out };
// Appends the chains that a job waits for, or waited for, as the member `blockers`.
void write_blockers(JsonWriter& out, const std::vector<BlockerView>& blockers,
                    BlockerOutputs outputs);

}  // namespace semel
