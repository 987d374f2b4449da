// Chains as JSON, with the members that the contract names, in its order; and the answers that hold
// them.
#pragma once

#include <string>
#include <vector>

#include "api/problem_json.hpp"
#include "core/claim.hpp"
#include "core/commands.hpp"
#include "core/json_writer.hpp"

namespace semel {

// The object as a value: where a list or an answer holds it.
void write_chain(JsonWriter& out, const ChainView& chain);

// {"chain": …}
[[nodiscard]] std::string chain_json(const ChainView& chain);

// Starting one: 201 new, 200 deduplicated, or the problem's status.
[[nodiscard]] Receipt start_receipt(const StartChains::Outcome& items);
// Starting many: 200 with a result per item. Inputs and outputs are left out: a thousand chains
// that were there already may hold a gigabyte of them.
[[nodiscard]] Receipt start_batch_receipt(const StartChains::Outcome& items);

[[nodiscard]] Problem no_such_chain();
// 408: it was waited for in vain, and is shown as it is.
[[nodiscard]] HttpProblem still_running(const ChainView& chain);

enum class BlockerOutputs { shown, left_out };
// The chains that a job waits for, or waited, as a member.
void write_blockers(JsonWriter& out, const std::vector<BlockerView>& blockers,
                    BlockerOutputs outputs);

}  // namespace semel
