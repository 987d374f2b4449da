#include "gateway/forwarded_headers.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/passes/found_answer.hpp"

namespace semel::gateway {
namespace {

using Headers = std::vector<net::Header>;
using Names = std::vector<std::string>;

bool has_name(const Names& names, std::string_view name) {
    return std::ranges::any_of(
        names, [name](const std::string& each) { return net::iequals(each, name); });
}

Names names_in_connection(const Headers& headers) {
    Names names;
    for (const net::Header& header : headers) {
        if (!net::iequals(header.name, "connection")) continue;
        for (std::string_view rest = header.value; !rest.empty();) {
            const std::size_t comma = std::min(rest.find(','), rest.size());
            std::string_view name = rest.substr(0, comma);
            rest.remove_prefix(std::min(comma + 1, rest.size()));
            name.remove_prefix(std::min(name.find_first_not_of(" \t"), name.size()));
            name = name.substr(0, name.find_last_not_of(" \t") + 1);
            if (!name.empty()) names.emplace_back(name);
        }
    }
    return names;
}

bool is_own_of(const GatewayRoute& route, std::string_view name) {
    const bool is_of_principal = std::ranges::any_of(
        route.principal,
        [name](const PrincipalPart& part) { return net::iequals(part.header, name); });
    const bool is_of_tenant = route.tenant && route.tenant->kind == TenantRule::Kind::header &&
                              net::iequals(route.tenant->value, name);
    const bool is_of_key = route.idempotency_key &&
                           route.idempotency_key->from.kind == RequestPlace::Kind::header &&
                           net::iequals(route.idempotency_key->from.name, name);
    return is_of_principal || is_of_tenant || is_of_key;
}

bool is_needed(const GatewayRoute& route, std::string_view name) {
    constexpr std::array<std::string_view, 7> kNeeded = {"accept-encoding",
                                                         "access-control-request-method",
                                                         "authorization",
                                                         "cookie",
                                                         "host",
                                                         "idempotency-key",
                                                         "origin"};
    const std::string plain = cgi_name(name);
    return std::ranges::find(kNeeded, plain) != kNeeded.end() || plain.starts_with("content-") ||
           plain.starts_with("x-forwarded-") || plain.starts_with("semel-") ||
           is_own_of(route, name);
}

// All values of a header as one list.
std::string joined(const Headers& headers, std::string_view name) {
    std::string out;
    for (const net::Header& header : headers) {
        if (net::iequals(header.name, name)) {
            out += (out.empty() ? "" : ", ") + header.value;
        }
    }
    return out;
}

bool is_trusted(const net::Request& request, const std::vector<IpRange>& trusted_proxies) {
    const std::string_view peer = host_of_peer(request.peer);
    return std::ranges::any_of(trusted_proxies,
                               [peer](const IpRange& range) { return range.contains(peer); });
}

void add_forwarded(Headers& out, const net::Request& request, bool trusts) {
    const auto add = [&](std::string_view name, std::string value) {
        std::string kept = trusts ? joined(request.headers, name) : "";
        if (kept.empty()) {
            kept = std::move(value);
        } else if (name == "X-Forwarded-For") {
            kept += ", " + value;
        }
        out.push_back({std::string(name), std::move(kept)});
    };
    const std::string* host = request.header("host");
    add("X-Forwarded-For", std::string(host_of_peer(request.peer)));
    add("X-Forwarded-Proto", request.tls ? "https" : "http");
    add("X-Forwarded-Host", host != nullptr ? *host : "");
}

// Whether a client's header stays. `name` is its cgi_name(). A header that
// upstream_headers() sets itself does not stay.
bool is_passed_on(std::string_view name, bool trusts, bool is_pass) {
    if (is_framing_header(name) || name.starts_with("semel-") || name == "host" ||
        name == "expect" || name == "forwarded") {
        return false;
    }
    if (name.starts_with("x-forwarded-")) {
        return trusts && name != "x-forwarded-for" && name != "x-forwarded-proto" &&
               name != "x-forwarded-host";
    }
    return !is_pass || (name != "idempotency-key" && name != "accept-encoding");
}

void add_pass(Headers& out, const PassHeaders& pass) {
    // A stored answer must be readable for each client, and by the gateway.
    out.push_back({"Accept-Encoding", "identity"});
    out.push_back({"Idempotency-Key", pass.idempotency_key});
    out.push_back({"Semel-Token", fmt::to_string(pass.token)});
    out.push_back({"Semel-Attempt", fmt::to_string(pass.attempt)});
    out.push_back({"Semel-Tenant", pass.tenant});
}

}  // namespace

std::optional<Problem> check_connection(const net::Request& request, const GatewayRoute& route) {
    for (const std::string& name : names_in_connection(request.headers)) {
        if (is_needed(route, name)) {
            return invalid("`Connection` names `" + name +
                           "`, which this gateway needs; leave it out of `Connection`");
        }
    }
    return std::nullopt;
}

std::vector<net::Header> upstream_headers(const net::Request& request, const Route& route,
                                          const std::vector<IpRange>& trusted_proxies,
                                          const PassHeaders* pass) {
    const bool trusts = is_trusted(request, trusted_proxies);
    const Names dropped = names_in_connection(request.headers);
    const std::string* host = request.header("host");
    const bool keeps_host = route.settings.keeps_host && host != nullptr;
    Headers out = {{"Host", keeps_host ? *host : route.upstream.url().authority()}};
    for (const net::Header& header : request.headers) {
        if (is_passed_on(cgi_name(header.name), trusts, pass != nullptr) &&
            !has_name(dropped, header.name)) {
            out.push_back(header);
        }
    }
    add_forwarded(out, request, trusts);
    if (pass != nullptr) {
        add_pass(out, *pass);
    }
    return out;
}

std::vector<net::Header> client_headers(const std::vector<net::Header>& answer,
                                        const Upstream& upstream) {
    const Names dropped = names_in_connection(answer);
    Headers out;
    for (const net::Header& header : answer) {
        const std::string name = cgi_name(header.name);
        if (is_framing_header(name) || name.starts_with("semel-") ||
            name == "idempotent-replayed" || has_name(dropped, header.name)) {
            continue;
        }
        const bool is_location = name == "location";
        out.push_back(
            {header.name, is_location ? upstream.location_for_client(header.value) : header.value});
    }
    return out;
}

std::vector<net::Header> kept_headers(const std::vector<net::Header>& headers_of_client,
                                      const std::vector<std::string>& replay_headers) {
    Headers out;
    for (const net::Header& header : headers_of_client) {
        if (is_kept_header(header.name, replay_headers)) {
            out.push_back(header);
        }
    }
    return out;
}

}  // namespace semel::gateway
