// pack_response and unpack_response: the stored form of a kept answer's body.
//
//   response := format (1 byte; 0: the bytes of the body follow unchanged) byte*
//
// merged: the changes of a batch, one for each row, for stores that save many rows in one
// statement. Pure. Threads: any.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/batch/rows.hpp"

namespace semel {

[[nodiscard]] std::string pack_response(std::string_view body);
// Returns nullopt if the format is unknown.
[[nodiscard]] std::optional<std::string> unpack_response(std::string_view bytes);

// Returns the changes in the order of their ids. Each has the effect of all changes of its row.
[[nodiscard]] std::vector<ResponseChange> merged(const std::vector<ResponseChange>& changes);

}  // namespace semel
