// RequestBody: a request's body in the form that the gateway compares: JSON, the parts of a form,
// or bytes. Immutable.
//
// Errors: see problem().
// Threads: any. Lifetime: it points into its request.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/hash.hpp"
#include "core/http_problem.hpp"
#include "core/json/json.hpp"
#include "net/http.hpp"

namespace semel::gateway {

class RequestBody {
public:
    // Parses a body whose type is JSON or absent. With `reads_any_type` it parses the body under
    // any type: the route has a pointer into it. A body with a Content-Encoding is only bytes.
    RequestBody(const net::Request& request, bool reads_any_type);

    // Returns the body as JSON, or nullopt if it is not JSON or was not parsed.
    [[nodiscard]] std::optional<json::Value> json() const;

    // Returns the problem of a body that a pointer of the route cannot be applied to: `invalid`
    // with status 415 for a Content-Encoding, with 400 for a JSON type and a body that is not JSON.
    // Returns nullopt for JSON, and for another type: pointers then find nothing.
    [[nodiscard]] std::optional<HttpProblem> problem() const;

    // Returns the same hash for two bodies with the same content: equal RFC 8785 forms if every
    // number survives them, otherwise equal bytes. Of multipart/form-data the boundary does not
    // count, because clients make a new one for each retry.
    [[nodiscard]] Hash256 fingerprint() const;

private:
    std::string_view bytes_;
    bool is_encoded_ = false;
    bool has_json_type_ = false;
    std::string boundary_;  // empty: not multipart/form-data
    std::optional<json::Document> document_;
    std::string parse_error_;
    std::string error_pointer_;
};

}  // namespace semel::gateway
