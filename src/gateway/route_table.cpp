#include "gateway/route_table.hpp"

#include <algorithm>

#include "gateway/normal_path.hpp"

namespace semel::gateway {
namespace {

constexpr std::string_view kAsks = "access-control-request-method";

Error bad_pattern(std::string_view text, const std::string& why) {
    return {ErrorCode::invalid, "path `" + std::string(text) + "`: " + why};
}

bool is_placeholder(std::string_view segment) {
    return segment.size() > 2 && segment.front() == '{' && segment.back() == '}' &&
           segment.find_first_of("{}*", 1) == segment.size() - 1;
}

// Takes the first segment of `rest`, which begins with its slash.
std::string_view take_segment(std::string_view& rest) {
    rest.remove_prefix(1);
    const std::string_view segment = rest.substr(0, rest.find('/'));
    rest.remove_prefix(segment.size());
    return segment;
}

}  // namespace

Result<PathPattern> PathPattern::parse(std::string_view text) {
    if (!text.starts_with('/')) {
        return bad_pattern(text, "it must begin with `/`");
    }
    PathPattern pattern;
    for (std::string_view rest = text; !rest.empty();) {
        const std::string_view segment = take_segment(rest);
        if (segment == "*" && rest.empty()) {
            pattern.has_rest_ = true;
        } else if (is_placeholder(segment)) {
            pattern.segments_.push_back({.literal = {}, .is_any = true});
        } else if (segment.find_first_of("{}*") != std::string_view::npos) {
            return bad_pattern(text,
                               "`{name}` must be a whole segment, and `*` the whole last one");
        } else if (segment.empty() && !rest.empty()) {
            return bad_pattern(text, "it has an empty segment: `//`");
        } else {
            const auto literal = normal_path("/" + std::string(segment));
            if (!literal) {
                return bad_pattern(text, literal.error().message());
            }
            pattern.segments_.push_back({.literal = literal->substr(1)});
        }
    }
    return pattern;
}

bool PathPattern::matches(std::string_view path) const {
    std::string_view rest = path;
    for (const Segment& segment : segments_) {
        if (rest.empty()) {
            return false;
        }
        const std::string_view found = take_segment(rest);
        if (segment.is_any ? found.empty() : found != segment.literal) {
            return false;
        }
    }
    return has_rest_ ? rest.starts_with('/') : rest.empty();
}

bool Route::takes(std::string_view method) const {
    return settings.methods.empty() ||
           std::ranges::find(settings.methods, method) != settings.methods.end();
}

Result<RouteTable> RouteTable::make(const std::vector<GatewayRoute>& routes) {
    RouteTable table;
    for (const GatewayRoute& settings : routes) {
        const std::string place = "route `" + settings.name + "`";
        auto path = PathPattern::parse(settings.path);
        if (!path) {
            return path.error().prefixed(place);
        }
        auto upstream = Upstream::parse(settings.upstream);
        if (!upstream) {
            return upstream.error().prefixed(place);
        }
        const net::Url& url = upstream->url();
        net::Origin origin{.tls = url.is_tls(), .host = url.host, .port = url.port};
        origin.max_connections = static_cast<std::size_t>(settings.max_connections);
        table.routes_.push_back(
            {settings, *std::move(path), *std::move(upstream), std::move(origin)});
    }
    return table;
}

Match RouteTable::match(const net::Request& request, std::string_view path) const {
    const Route* first = nullptr;
    const Route* asked_for = nullptr;
    const bool may_be_preflight = is_preflight(request);
    Match match;
    for (const Route& route : routes_) {
        if (!route.path.matches(path)) {
            continue;
        }
        if (route.takes(request.method)) {
            return {.route = &route};
        }
        first = first == nullptr ? &route : first;
        if (may_be_preflight && asked_for == nullptr && route.takes(*request.header(kAsks))) {
            asked_for = &route;
        }
        for (const std::string& method : route.settings.methods) {
            if (std::ranges::find(match.allowed, method) == match.allowed.end()) {
                match.allowed.push_back(method);
            }
        }
    }
    if (may_be_preflight && first != nullptr) {
        return {.route = asked_for != nullptr ? asked_for : first};
    }
    return match;
}

bool is_preflight(const net::Request& request) {
    return request.method == "OPTIONS" && request.header("origin") != nullptr &&
           request.header(kAsks) != nullptr;
}

}  // namespace semel::gateway
