// ListenAddress: an address that `semel serve` listens on, like "127.0.0.1:7363", "[::1]:7363",
// "localhost:0" or ":7363". Pure. Threads: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace semel {

struct ListenAddress {
    std::string host;  // without brackets; ":7363" is every address, 0.0.0.0
    std::uint16_t port = 0;

    // Errors: `invalid`, with the expected form.
    [[nodiscard]] static Result<ListenAddress> parse(std::string_view text);

    // Whether this is 127.0.0.0/8, ::1 or localhost. Any other name counts as reachable from other
    // machines.
    [[nodiscard]] bool is_loopback() const;
    // Returns host:port, with IPv6 in brackets.
    [[nodiscard]] std::string to_string() const;
    // Returns the address for a client on this machine: loopback in place of a wildcard.
    [[nodiscard]] std::string reachable() const;
};

}  // namespace semel
