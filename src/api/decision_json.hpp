// A line of the decision log as JSON.
#pragma once

#include "api/auth.hpp"
#include "core/json_writer.hpp"
#include "core/rows.hpp"

namespace semel {

// A fence's token is the right to seal it: whoever may only read is not shown it.
enum class FenceTokens { shown, hidden };

[[nodiscard]] inline FenceTokens tokens_for(const Caller& caller) {
    return caller.may(AccessScope::work) ? FenceTokens::shown : FenceTokens::hidden;
}

void write_decision(JsonWriter& out, const DecisionEntry& entry, FenceTokens tokens);

}  // namespace semel
