// forwarded_headers: selects the headers that an upstream gets, the headers of its answer that the
// client gets, and the headers that are stored with the answer.
//
// The results have no framing: the code that writes a message sets Content-Length and
// Transfer-Encoding. Pure. Threads: any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ip_range.hpp"
#include "core/problem.hpp"
#include "gateway/route_table.hpp"
#include "net/http.hpp"

namespace semel::gateway {

// The values that only an upstream of a request under claims gets.
struct PassHeaders {
    std::string idempotency_key;  // the client's own, otherwise the effect id
    std::int64_t token = 0;
    int attempt = 1;
    std::string tenant;
};

// Returns `invalid` if the header `Connection` names a header that the gateway reads or sets. As a
// proxy it would have to remove that header, so the client could choose what the upstream misses.
[[nodiscard]] std::optional<Problem> check_connection(const net::Request& request,
                                                      const GatewayRoute& route);

// Returns the headers for the upstream, Host first. `pass` is null for a request without claims:
// its Idempotency-Key and Accept-Encoding stay.
//
// Removed are hop-by-hop headers, the names in `Connection`, Expect, Forwarded and Semel-*.
// X-Forwarded-For, -Proto and -Host are set. X-Forwarded-* of the client stay only if the peer is
// one of `trusted_proxies`; X-Forwarded-For is then extended. An upstream behind CGI reads `_` in a
// name as `-`, so both spellings are treated alike.
[[nodiscard]] std::vector<net::Header> upstream_headers(const net::Request& request,
                                                        const Route& route,
                                                        const std::vector<IpRange>& trusted_proxies,
                                                        const PassHeaders* pass);

// Returns the headers of an upstream's answer for the client: without hop-by-hop headers, the
// names in its `Connection`, Semel-* and Idempotent-Replayed. A Location below the upstream's base
// becomes a path.
[[nodiscard]] std::vector<net::Header> client_headers(const std::vector<net::Header>& answer,
                                                      const Upstream& upstream);

// Returns the part of client_headers() that a stored answer keeps: Content-Type, Content-Encoding
// and the names in `replay_headers`. Set-Cookie, Date, Semel-*, hop-by-hop headers and framing are
// never kept.
[[nodiscard]] std::vector<net::Header> kept_headers(
    const std::vector<net::Header>& headers_of_client,
    const std::vector<std::string>& replay_headers);

}  // namespace semel::gateway
