// is_host and percent_encode: the host that a request names, and text in a path or a query. Pure.
// Threads: any.
#pragma once

#include <string>
#include <string_view>

namespace semel {

// Returns true if `text` is a host, with or without a port: "name", "name:80", "192.0.2.1:80",
// "[::1]:80".
[[nodiscard]] bool is_host(std::string_view text);

// Returns `text` as part of a path or of a query: every byte except letters, digits and "-._~"
// becomes %XX (RFC 3986, section 2.3).
[[nodiscard]] std::string percent_encode(std::string_view text);

}  // namespace semel
