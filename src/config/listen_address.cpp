#include "config/listen_address.hpp"

#include <arpa/inet.h>

#include "base/text.hpp"

namespace semel {

namespace {

std::string with_port(const std::string& host, std::uint16_t port) {
    const bool is_v6 = host.find(':') != std::string::npos;
    return (is_v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

}  // namespace

Result<ListenAddress> ListenAddress::parse(std::string_view text) {
    const Error invalid(ErrorCode::invalid, "`" + std::string(text) +
                                                "` is not an address to listen on; write "
                                                "host:port, like 127.0.0.1:7363 or [::1]:7363");
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) {
        return invalid;
    }
    std::string_view host = text.substr(0, colon);
    const auto port = parse_decimal(text.substr(colon + 1));
    if (!port || *port > 65535) {
        return invalid;
    }
    const bool has_brackets = host.size() > 2 && host.front() == '[' && host.back() == ']';
    if (has_brackets) {
        host = host.substr(1, host.size() - 2);
    }
    if (host.find_first_of("[]/ @") != std::string_view::npos ||
        (host.find(':') != std::string_view::npos) != has_brackets) {
        return invalid;
    }
    ListenAddress address;
    address.host = host.empty() ? "0.0.0.0" : std::string(host);
    address.port = static_cast<std::uint16_t>(*port);
    return address;
}

bool ListenAddress::is_loopback() const {
    in_addr v4{};
    in6_addr v6{};
    if (::inet_pton(AF_INET, host.c_str(), &v4) == 1) {
        return (ntohl(v4.s_addr) >> 24) == 127;
    }
    if (::inet_pton(AF_INET6, host.c_str(), &v6) == 1) {
        return IN6_IS_ADDR_LOOPBACK(&v6);
    }
    return host == "localhost";
}

std::string ListenAddress::to_string() const {
    return with_port(host, port);
}

std::string ListenAddress::reachable() const {
    if (host == "0.0.0.0") {
        return with_port("127.0.0.1", port);
    }
    return host == "::" ? with_port("::1", port) : to_string();
}

}  // namespace semel
