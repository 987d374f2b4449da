// request_content: the fingerprint of a request, and how a request differs from the first one under
// its key. Headers do not count. Pure. Threads: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "core/json/json_diff.hpp"
#include "gateway/request_body.hpp"

namespace semel::gateway {

// The parts of a request that count. Lifetime: it points into the request and its body.
struct RequestContent {
    std::string_view method;
    std::string_view path;   // in normal form
    std::string_view query;  // its bytes, in their order
    const RequestBody& body;
};

[[nodiscard]] Hash256 fingerprint(const RequestContent& content);

// Returns the JSON text that is stored with the first request of a key, for differences_from():
// method, path, query, and the body if it is JSON and fits. At most kContentBytesMax bytes, unless
// path and query alone are longer.
[[nodiscard]] std::string to_stored(const RequestContent& content);

struct Differences {
    std::vector<std::string> names;  // of method, path, query, and body if `patch` is null
    std::string patch = "null";  // JSON Patch from the first body to this one, if both are known
    bool is_truncated = false;
};

// Compares a request with the first one. `stored` is what to_stored() returned; if it is damaged or
// empty, nothing is known: no names, and a null patch.
[[nodiscard]] Differences differences_from(const std::string& stored, const RequestContent& now,
                                           const DiffOptions& options = {});

}  // namespace semel::gateway
