// Renders the head of a request to another server (see call.hpp).
//
// Errors: see render_request_head(). Pure. Threads: any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "net/call.hpp"

namespace semel::net {

// How the body of a request is sent.
struct RequestFraming {
    bool is_chunked = false;
    std::optional<std::uint64_t> length;  // nullopt: no Content-Length
};

// Returns the framing by the request's body or the length of its source.
[[nodiscard]] RequestFraming framing_of(const CallRequest& request);

// Returns the head with its empty line. Drops Content-Length, Transfer-Encoding and Expect of the
// request: the framing decides, and a call never waits for 100 Continue.
// Errors: `invalid` if HTTP does not allow the method, target or a header, or if Host is missing.
[[nodiscard]] Result<std::string> render_request_head(const CallRequest& request,
                                                      const RequestFraming& framing);

}  // namespace semel::net
