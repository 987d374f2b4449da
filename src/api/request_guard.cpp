#include "api/request_guard.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "core/keys/key_header.hpp"

namespace semel {
namespace {

struct Authority {
    std::string_view name;  // "[::1]" keeps its brackets
    std::string_view port;  // empty if none is given
};

Authority split(std::string_view text) {
    const std::size_t bracket = text.find(']');
    const std::size_t colon = text.find(':', bracket == std::string_view::npos ? 0 : bracket);
    if (colon == std::string_view::npos) {
        return {text, {}};
    }
    return {text.substr(0, colon), text.substr(colon + 1)};
}

bool is_loopback_name(std::string_view name) {
    return net::iequals(name, "localhost") || name == "127.0.0.1" || name == "[::1]";
}

bool is_address(std::string_view name) {
    return !name.empty() &&
           (name.front() == '[' || name.find_first_not_of("0123456789.") == std::string_view::npos);
}

bool is_wildcard(std::string_view name) {
    return name == "0.0.0.0" || name == "[::]" || name == "::";
}

std::string_view default_port(std::string_view scheme) {
    return scheme == "https" ? "443" : "80";
}

// A configured name without a port matches all its ports.
bool matches(std::string_view configured, const Authority& found, std::string_view scheme) {
    const Authority wanted = split(configured);
    const std::string_view port = found.port.empty() ? default_port(scheme) : found.port;
    return net::iequals(wanted.name, found.name) && (wanted.port.empty() || wanted.port == port);
}

bool is_configured(const Authority& found, std::string_view scheme, const ApiOptions& options) {
    return std::any_of(options.hosts.begin(), options.hosts.end(),
                       [&](const std::string& host) { return matches(host, found, scheme); });
}

std::string_view scheme_of(const net::Request& request) {
    return request.tls ? "https" : "http";
}

// Returns true for a name of this server. Loopback names match with every port, because a tunnel or
// a container can have another one. Only the name matters: an attacker can make a name resolve to
// this address. So a listener on all addresses also accepts addresses.
bool is_our_host(const Authority& host, std::string_view scheme, const ApiOptions& options) {
    const Authority listen = split(options.listen);
    return is_loopback_name(host.name) || net::iequals(host.name, listen.name) ||
           (is_wildcard(listen.name) && is_address(host.name)) ||
           is_configured(host, scheme, options);
}

// Returns true for an origin on this machine, a configured one, or the request's own host.
bool is_our_origin(std::string_view origin, const Authority& host, const net::Request& request,
                   const ApiOptions& options) {
    const std::size_t scheme_end = origin.find("://");
    if (scheme_end == std::string_view::npos) {
        return false;  // "null", for one
    }
    const std::string_view scheme = origin.substr(0, scheme_end);
    const Authority found = split(origin.substr(scheme_end + 3));
    if (!found.port.empty() && !parse_decimal(found.port)) {
        return false;  // not what a browser writes
    }
    const std::string_view port = found.port.empty() ? default_port(scheme) : found.port;
    const std::string_view own_port =
        host.port.empty() ? default_port(scheme_of(request)) : host.port;
    const std::string_view listen_port = split(options.listen).port;
    return is_configured(found, scheme, options) || is_loopback_name(found.name) ||
           (is_our_host(found, scheme, options) && (port == own_port || port == listen_port));
}

bool is_json(std::string_view content_type) {
    std::string_view media = content_type.substr(0, content_type.find(';'));
    while (!media.empty() && (media.back() == ' ' || media.back() == '\t')) {
        media.remove_suffix(1);
    }
    return net::iequals(media, "application/json");
}

Problem key_invalid(std::string detail) {
    return {.code = ProblemCode::key_invalid, .detail = std::move(detail)};
}

}  // namespace

std::optional<Problem> check_host(const net::Request& request, const ApiOptions& options) {
    const std::string* header = request.header("host");
    const Authority host = split(header != nullptr ? *header : std::string_view());
    if (header == nullptr || !is_our_host(host, scheme_of(request), options)) {
        return Problem{.code = ProblemCode::forbidden,
                       .detail =
                           "`Host` is not a name of this server; call it by its address, or "
                           "add the name to `hosts` in its config"};
    }
    for (const net::Header& each : request.headers) {
        if (net::iequals(each.name, "origin") &&
            !is_our_origin(each.value, host, request, options)) {
            return Problem{.code = ProblemCode::forbidden,
                           .detail =
                               "`Origin` is another site; pages of other sites may not call "
                               "this API unless `hosts` in its config names them"};
        }
    }
    return std::nullopt;
}

std::optional<HttpProblem> check_content(const net::Request& request, const Route& route) {
    if (!route.takes_query && !request.query.empty()) {
        const std::string_view query = request.query;
        return HttpProblem(invalid(fmt::format("this path takes no query parameter `{}`",
                                               query.substr(0, query.find_first_of("=&")))));
    }
    if (route.body == BodyUse::none) {
        return request.body.empty()
                   ? std::nullopt
                   : std::optional<HttpProblem>(invalid("this request takes no body"));
    }
    const std::string* encoding = request.header("content-encoding");
    if (encoding != nullptr && !net::iequals(*encoding, "identity")) {
        return HttpProblem(invalid("compressed bodies are not taken; send it as it is"), 415);
    }
    const std::string* type = request.header("content-type");
    const bool is_absent = type == nullptr && request.body.empty();
    if (!is_absent && (type == nullptr || request.count("content-type") > 1 || !is_json(*type))) {
        return HttpProblem(invalid("send JSON, with `Content-Type: application/json`"), 415);
    }
    if (route.body == BodyUse::required && request.body.empty()) {
        return HttpProblem(invalid("this request needs a JSON body"));
    }
    return std::nullopt;
}

std::variant<std::optional<std::string>, Problem> read_idempotency_key(const net::Request& request,
                                                                       const Route& route) {
    const std::string* header = request.header("idempotency-key");
    if (header == nullptr) {
        return std::optional<std::string>();
    }
    if (!route.accepts_idempotency_key) {
        return key_invalid("`Idempotency-Key` is not supported on this path; leave it out");
    }
    if (request.count("idempotency-key") > 1) {
        return key_invalid("`Idempotency-Key` occurs twice");
    }
    auto key = parse_key_header("Idempotency-Key", *header);
    if (auto* problem = std::get_if<Problem>(&key)) {
        return std::move(*problem);
    }
    return std::optional(std::get<std::string>(std::move(key)));
}

}  // namespace semel
