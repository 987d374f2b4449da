// normal_path: returns the one spelling of a path, with which routes are matched and which
// upstreams receive.
//
// A path that proxy and upstream could read differently is refused. Otherwise a request could pass
// a guarded route under another spelling. Pure. Threads: any.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace semel::gateway {

// Returns the path with escapes of unreserved characters decoded and with the other escapes in
// upper case: `/%7ea%c3%a4` is `/~a%C3%A4`. The result is its own normal form. `raw` is the path of
// a net::Request, without the query. A last slash stays: `/a` and `/a/` are two paths. Errors:
// `invalid`, with the reason for the client, for
//   - a dot segment, also escaped (`/%2e%2E/`) or with parameters behind it (`/..;a/`)
//   - an empty segment, except behind a last slash
//   - the escapes %2F, %5C and %00, a backslash, or a `%` without two hex digits
//   - a path that does not begin with `/`, or that has a space, `?`, `#` or a byte outside of ASCII
[[nodiscard]] Result<std::string> normal_path(std::string_view raw);

}  // namespace semel::gateway
