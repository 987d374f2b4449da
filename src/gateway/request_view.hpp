// request_view: reads the key, the tenant and the principal of a request. Pure. Threads: any.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/hash.hpp"
#include "config/gateway_config.hpp"
#include "core/problem.hpp"
#include "gateway/request_body.hpp"
#include "net/http.hpp"

namespace semel::gateway {

// Whether requests of this method claim keys and contents: all but GET, HEAD, OPTIONS and TRACE.
[[nodiscard]] bool method_claims(std::string_view method);

// Whether key, tenant or guarded fields of the route are in the body.
[[nodiscard]] bool reads_body(const GatewayRoute& route);

struct RequestKey {
    std::string key;
    // The value of the `Idempotency-Key` that the upstream gets: the client's own spelling. Empty
    // if no header can have this key; the upstream gets the effect id instead.
    std::string sent_as;
};

// Returns the request's key, or nullopt if it has none and the route needs none. Returns
// `key_missing` if the route needs one, and `key_invalid` for a key that is malformed or that the
// request has twice. A key in the body must be a string of 1 to 255 bytes.
// REQUIRES: `body` parsed any type if the key is in the body.
[[nodiscard]] std::variant<std::optional<RequestKey>, Problem> read_key(const net::Request& request,
                                                                        const RequestBody& body,
                                                                        const KeyRule& rule);

// Returns the tenant of the route's rule. A route without a rule, or with the rule `token`, has the
// tenant of the caller's token, or `default` if `token_tenant` is null. Returns `invalid`
// if the request does not have the tenant: a string or a whole number in the body, a header that
// occurs once, 1 to 255 bytes. A null `body` has nothing at any pointer.
[[nodiscard]] std::variant<std::string, Problem> read_tenant(const net::Request& request,
                                                             const RequestBody* body,
                                                             const GatewayRoute& route,
                                                             const std::string* token_tenant);

// Returns the identity of a caller without authentication: a hash of the headers and cookies that
// the route lists. An absent header is not an empty one.
[[nodiscard]] Hash256 principal_of(const net::Request& request, const GatewayRoute& route);

}  // namespace semel::gateway
