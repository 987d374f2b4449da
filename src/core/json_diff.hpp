// What changed between two payloads, as an RFC 6902 JSON Patch that leads from the first to the
// second. It is shown to people and stored in logs: bounded in size, with secrets masked.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/json.hpp"

namespace semel {

struct DiffOptions {
    std::size_t bytes_max = 16 * 1024;
    std::size_t operations_max = 100;
    // JSON pointers whose values, and all below them, are shown as "***".
    std::vector<std::string> mask = {};
    // The same for members named password, secret, token, authorization, card or cvv, in any case
    // and at any depth.
    bool mask_default_names = true;
};

struct DiffResult {
    std::string patch_json;  // always a valid JSON array
    bool truncated = false;  // operations were left out, or a value shown as "…", because of a cap
};

// Applying a patch that is neither truncated nor masked to `first` gives the content of `second`.
// Where same_content says that they differ it is never empty: if only their bytes do, `second`
// replaces the whole.
[[nodiscard]] DiffResult json_diff(json::Value first, json::Value second,
                                   const DiffOptions& options = {});

}  // namespace semel
