// Upstream: the base URL of a route's service. It adds the base to the path of a request, and
// removes it from a Location that the service answers. Pure. Threads: any.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "net/client.hpp"

namespace semel::gateway {

class Upstream {
public:
    // Errors: `invalid` if `url` is not http or https, has a query, or has a path that is not in
    // normal form.
    [[nodiscard]] static Result<Upstream> parse(std::string_view url);

    [[nodiscard]] const net::Url& url() const { return url_; }

    // Returns the target of the request line: the base's path, `path`, and the query if there is
    // one. REQUIRES: `path` is in normal form.
    [[nodiscard]] std::string target(std::string_view path, std::string_view query) const;

    // Returns the Location for the client: a path if `location` is below the base, otherwise
    // `location` unchanged. A path without the base, or another host, is not reachable through the
    // gateway.
    [[nodiscard]] std::string location_for_client(std::string_view location) const;

private:
    net::Url url_;
    std::string base_path_;  // without a last slash: "" or "/base"
};

}  // namespace semel::gateway
