// read_near_keys: reads the keys that the decision log lists for a near miss.
//
// A near miss is a new key whose content came under another key before. The log entry belongs to
// the first key. Its `reason` lists the later keys: `["invoice-17"], ["invoice-18"] and 3 more`.
// Pure. Threads: any.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace semel {

struct NearKeys {
    std::vector<std::string> keys = {};  // full keys: ["invoice-17"]
    std::string rest = {};               // the text after the list: " and 3 more", or empty
};

// Returns nullopt if the text is not such a list.
[[nodiscard]] std::optional<NearKeys> read_near_keys(const std::string& reason);

}  // namespace semel
