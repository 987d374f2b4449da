// Writes an entry of the decision log as JSON. Pure. Threads: any.
#pragma once

#include "api/auth.hpp"
#include "core/batch/rows.hpp"
#include "core/json/json_writer.hpp"

namespace semel {

// How an answer shows the fencing tokens of fences. A fencing token is the right to seal, so
// callers without the scope `work` do not receive it.
enum class FenceTokens { shown, hidden };

[[nodiscard]] inline FenceTokens tokens_for(const Caller& caller) {
    return caller.may(AccessScope::work) ? FenceTokens::shown : FenceTokens::hidden;
}

// Appends the entry as one object. A hidden token is null.
void write_decision(JsonWriter& out, const DecisionEntry& entry, FenceTokens tokens);

}  // namespace semel
