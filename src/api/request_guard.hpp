// What a request must look like before anyone reads what it says.
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

// Host and Origin: a page of another site in the user's browser must not reach us, also not by a
// name that it made resolve to this address.
[[nodiscard]] std::optional<Problem> check_host(const net::Request& request,
                                                const ApiOptions& options);

// Content-Type, Content-Encoding, and whether there may be a body or a query at all.
[[nodiscard]] std::optional<HttpProblem> check_content(const net::Request& request,
                                                       const Route& route);

// The Idempotency-Key, bare: "k" and k are the same. Nothing: there is none.
[[nodiscard]] std::variant<std::optional<std::string>, Problem> read_idempotency_key(
    const net::Request& request, const Route& route);

}  // namespace semel
