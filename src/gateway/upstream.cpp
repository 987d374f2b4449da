#include "gateway/upstream.hpp"

#include <algorithm>

#include "gateway/normal_path.hpp"

namespace semel::gateway {
namespace {

// Returns the part of an absolute or scheme-relative reference behind its authority, or nullopt if
// it names another origin. A path is its own rest.
std::optional<std::string_view> rest_behind(const net::Url& base, std::string_view location) {
    if (location.starts_with('/') && !location.starts_with("//")) {
        return location;
    }
    const std::size_t slashes = location.find("//");
    const std::string_view scheme = location.substr(0, std::min(slashes, location.size()));
    if (slashes == std::string_view::npos || (!scheme.empty() && !scheme.ends_with(':'))) {
        return std::nullopt;
    }
    const std::string_view authority_on = location.substr(slashes + 2);
    const std::size_t end = std::min(authority_on.find_first_of("/?#"), authority_on.size());
    const std::string full = (scheme.empty() ? base.scheme + ":" : std::string(scheme)) + "//" +
                             std::string(authority_on.substr(0, end));
    const auto origin = net::Url::parse(full);
    const bool is_same = origin && origin->scheme == base.scheme && origin->port == base.port &&
                         net::iequals(origin->host, base.host);
    return is_same ? std::optional(authority_on.substr(end)) : std::nullopt;
}

}  // namespace

Result<Upstream> Upstream::parse(std::string_view url) {
    SEMEL_TRY(parsed, net::Url::parse(url));
    if (url.find('?') != std::string_view::npos) {
        return Error(ErrorCode::invalid,
                     "URL \"" + std::string(url) + "\": an upstream cannot have a query");
    }
    const auto path = normal_path(parsed.path);
    if (!path) {
        return path.error().prefixed("URL \"" + std::string(url) + "\"");
    }
    Upstream upstream;
    upstream.base_path_ = *path;
    if (upstream.base_path_.ends_with('/')) {
        upstream.base_path_.pop_back();
    }
    upstream.url_ = std::move(parsed);
    return upstream;
}

std::string Upstream::target(std::string_view path, std::string_view query) const {
    std::string target = base_path_;
    target += path;
    if (!query.empty()) {
        target += '?';
        target += query;
    }
    return target;
}

std::string Upstream::location_for_client(std::string_view location) const {
    const auto rest = rest_behind(url_, location);
    if (!rest || !rest->starts_with(base_path_)) {
        return std::string(location);
    }
    const std::string_view below = rest->substr(base_path_.size());
    if (below.empty() || below.front() == '?' || below.front() == '#') {
        return "/" + std::string(below);
    }
    // Behind the base /a the path /ab is another one, and //x would name a host.
    const bool is_path = below.front() == '/' && !below.starts_with("//");
    return std::string(is_path ? below : location);
}

}  // namespace semel::gateway
