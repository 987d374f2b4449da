// json_diff: shows people and logs how two payloads differ, as an RFC 6902 JSON Patch.
//
// The patch leads from the first to the second value. Its size is bounded, and secrets are masked.
// Pure. Threads: any.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/json/json.hpp"

namespace semel {

struct DiffOptions {
    std::size_t bytes_max = 16 * 1024;
    std::size_t operations_max = 100;
    // JSON pointers. Their values, and all values below them, are shown as "***".
    std::vector<std::string> mask = {};
    // Masks members named password, secret, token, authorization, card or cvv too, in any case and
    // at any depth.
    bool mask_default_names = true;
};

struct DiffResult {
    std::string patch_json;  // always a valid JSON array
    bool truncated = false;  // a cap left operations out, or shows a value as "…"
};

// Returns the patch. Applied to `first`, it gives the content of `second` unless it is truncated or
// masked. If same_content() is false, the patch is not empty unless it is truncated. If only the
// bytes differ, it replaces the whole value.
[[nodiscard]] DiffResult json_diff(json::Value first, json::Value second,
                                   const DiffOptions& options = {});

}  // namespace semel
