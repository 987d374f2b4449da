// Where `semel serve` listens: "127.0.0.1:7363", "[::1]:7363", "localhost:0", ":7363".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace semel {

struct ListenAddress {
    std::string host;  // without brackets; ":7363" is every address, 0.0.0.0
    std::uint16_t port = 0;

    [[nodiscard]] static Result<ListenAddress> parse(std::string_view text);

    // 127.0.0.0/8, ::1 and localhost. Any other name is taken for what others can reach.
    [[nodiscard]] bool is_loopback() const;
    [[nodiscard]] std::string to_string() const;
    // An address under which a client on this machine reaches it.
    [[nodiscard]] std::string reachable() const;
};

}  // namespace semel
