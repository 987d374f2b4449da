// A line of the decision log as JSON.
#pragma once

#include "core/json_writer.hpp"
#include "core/rows.hpp"

namespace semel {

void write_decision(JsonWriter& out, const DecisionEntry& entry);

}  // namespace semel
