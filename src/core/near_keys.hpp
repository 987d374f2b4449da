// The keys that the line of a near miss names: how they stand in its `reason`.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace semel {

struct NearKeys {
    std::vector<std::string> keys = {};  // full ones: ["invoice-17"]
    std::string rest = {};               // how many more there are, in words
};

// Nothing: the text is none such.
[[nodiscard]] std::optional<NearKeys> read_near_keys(const std::string& reason);

}  // namespace semel
