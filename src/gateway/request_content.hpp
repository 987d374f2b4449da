// request_content: the fingerprint of a request, and the text that is stored to show how a later
// request under the same key differs. Headers are not part of the content. Pure. Threads: any.
#pragma once

#include <string>
#include <string_view>

#include "base/hash.hpp"
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

// Returns the JSON text that is stored with the first request of a key, for request_differences():
// method, path, query, and the body if it is JSON and fits. At most kContentBytesMax bytes, unless
// path and query alone are longer.
[[nodiscard]] std::string to_stored(const RequestContent& content);

}  // namespace semel::gateway
