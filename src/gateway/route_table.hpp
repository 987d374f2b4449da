// RouteTable: finds the route of a request by method and path. Immutable.
//
// Errors: make() and PathPattern::parse() return them.
// Threads: any. Lifetime: a Match points into its table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "config/gateway_config.hpp"
#include "gateway/upstream.hpp"
#include "net/http.hpp"
#include "net/origin.hpp"

namespace semel::gateway {

// A pattern of paths: literal segments, `{name}` for any one segment, and `*` as the last segment
// for the rest of the path, which can be empty or have several segments.
class PathPattern {
public:
    // Normalizes the literal segments. Errors: `invalid` for a `*` or a brace in another place, or
    // a segment that no path in normal form has.
    [[nodiscard]] static Result<PathPattern> parse(std::string_view text);
    // REQUIRES: `path` is in normal form.
    [[nodiscard]] bool matches(std::string_view path) const;

private:
    struct Segment {
        std::string literal;  // empty and not `is_any`: behind a last slash
        bool is_any = false;
    };
    std::vector<Segment> segments_;
    bool has_rest_ = false;
};

struct Route {
    GatewayRoute settings;
    PathPattern path;
    Upstream upstream;
    net::Origin origin = {};  // of the upstream

    [[nodiscard]] bool takes(std::string_view method) const;
};

struct Match {
    const Route* route = nullptr;
    // Without a route: the methods of the path, for `Allow` of a 405. Empty: a 404.
    std::vector<std::string> allowed = {};
};

class RouteTable {
public:
    // Errors: `invalid`, with the name of the route, for a bad path or upstream.
    [[nodiscard]] static Result<RouteTable> make(const std::vector<GatewayRoute>& routes);

    // Returns the first route, in the order of the file, that has the request's method and path.
    // A CORS preflight on a known path always has a route: that of the method which it asks for,
    // otherwise the first route of the path. `path` is the request's path in normal form.
    [[nodiscard]] Match match(const net::Request& request, std::string_view path) const;

private:
    std::vector<Route> routes_;
};

// Whether the request is a browser's question before a cross-origin request. It is sent to the
// upstream and claims nothing.
[[nodiscard]] bool is_preflight(const net::Request& request);

}  // namespace semel::gateway
