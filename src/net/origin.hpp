// Origin: the server that a call goes to, and how its certificate is checked. Plain values.
#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace semel::net {

class Resolver;

// PEM files. Empty: the system's certificates, and no client certificate.
struct Trust {
    std::string ca_path;
    std::string cert_path;  // shown to servers that ask for it, with key_path
    std::string key_path;
    bool verify_peer = true;  // false: any certificate is accepted

    auto operator<=>(const Trust&) const = default;
};

struct Origin {
    bool tls = false;
    std::string host;  // a name or a literal address, IPv6 without brackets
    std::uint16_t port = 0;
    Trust trust = {};

    // These limits are not part of the origin's identity: connections are shared without them.
    std::size_t max_connections = 128;         // per pool, thus per io thread
    std::chrono::milliseconds idle_max{1000};  // a connection that was idle longer is not reused
};

// The limits of a dial: how a Dialer opens a connection.
struct DialOptions {
    std::shared_ptr<Resolver> resolver;
    std::chrono::milliseconds address_timeout{2000};  // to connect to one of the addresses
    std::chrono::milliseconds timeout{5000};          // from the name to the end of the handshake
    // Decides on each address of a name before any is connected to. One refusal refuses the dial.
    // Empty: every address is allowed.
    std::function<Result<void>(std::string_view literal)> check_address = {};
};

}  // namespace semel::net
