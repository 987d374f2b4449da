// Checks a request before its body is parsed: Host and Origin, the content headers, the
// Idempotency-Key. Each function returns the problem to answer, or none. Pure. Threads: any.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "api/api.hpp"
#include "api/problem_json.hpp"
#include "api/router.hpp"
#include "net/http.hpp"

namespace semel {

// Checks Host and Origin. A page of another site in the user's browser must not reach this API,
// even by a name that resolves to this address. Returns `forbidden`.
[[nodiscard]] std::optional<Problem> check_host(const net::Request& request,
                                                const ApiOptions& options);

// Checks Content-Type and Content-Encoding, and refuses a body or a query that the route does not
// take. Returns `invalid`, with status 415 for a wrong type or encoding.
[[nodiscard]] std::optional<HttpProblem> check_content(const net::Request& request,
                                                       const Route& route);

// Returns the Idempotency-Key without its quotes ("k" and k are the same key), nullopt if the
// header is absent, or `key_invalid`.
[[nodiscard]] std::variant<std::optional<std::string>, Problem> read_idempotency_key(
    const net::Request& request, const Route& route);

}  // namespace semel
