#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/url_parts.hpp"
#include "net/client.hpp"
#include "net/head.hpp"

namespace semel::net {

Result<Url> Url::parse(std::string_view text) {
    const auto invalid = [text](const char* why) {
        return Error(ErrorCode::invalid, "URL \"" + std::string(text) + "\": " + why);
    };
    Url url;
    const std::size_t scheme_end = text.find("://");
    if (scheme_end == std::string_view::npos) return invalid("it must start with http://");
    const std::string_view scheme = text.substr(0, scheme_end);
    if (iequals(scheme, "http")) {
        url.scheme = "http";
        url.port = 80;
    } else if (iequals(scheme, "https")) {
        url.scheme = "https";
        url.port = 443;
    } else {
        return invalid("only http and https are known");
    }
    std::string_view rest = text.substr(scheme_end + 3);
    const bool is_visible = std::all_of(rest.begin(), rest.end(), [](char c) {
        return static_cast<unsigned char>(c) > 0x20 && static_cast<unsigned char>(c) < 0x7f &&
               c != '#';
    });
    if (!is_visible) return invalid("it has a space, '#' or a byte that must be escaped");

    const std::string_view authority = rest.substr(0, rest.find_first_of("/?"));
    rest.remove_prefix(authority.size());
    if (!is_host(authority)) return invalid("its host must be a name or address, with a port");
    const std::size_t host_end =
        authority.front() == '[' ? authority.find(']') + 1 : authority.find(':');
    const std::string_view host = authority.substr(0, host_end);
    if (host.size() < authority.size()) {
        const auto port = parse_decimal(authority.substr(host.size() + 1));
        if (!port || *port == 0) return invalid("its port must be 1 to 65535");
        url.port = static_cast<std::uint16_t>(*port);
    }
    url.host = std::string(host.front() == '[' ? host.substr(1, host.size() - 2) : host);
    const std::size_t mark = std::min(rest.find('?'), rest.size());
    url.path = mark == 0 ? "/" : std::string(rest.substr(0, mark));
    url.query = std::string(rest.substr(std::min(mark + 1, rest.size())));
    return url;
}

std::string Url::authority() const {
    const bool is_default_port = port == (is_tls() ? 443 : 80);
    const bool is_v6 = host.find(':') != std::string::npos;
    std::string out = is_v6 ? fmt::format("[{}]", host) : host;
    if (!is_default_port) out += fmt::format(":{}", port);
    return out;
}

}  // namespace semel::net
