// IpRange: a range of IP addresses, like 10.0.0.0/8 or ::1/128. Pure. Threads: any.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace semel {

class IpRange {
public:
    // Parses an address with or without a prefix length. Returns nullopt for another form, and if a
    // bit behind the prefix is set: 10.1.0.0/8 is probably a mistake.
    [[nodiscard]] static std::optional<IpRange> parse(std::string_view text);

    // Returns true if the range has this address, and false if `address` is not an IP address. An
    // IPv4 address and its IPv6 form ::ffff:a.b.c.d are the same address.
    [[nodiscard]] bool contains(std::string_view address) const;

private:
    std::array<std::uint8_t, 16> first_{};  // IPv4 as ::ffff:a.b.c.d
    int prefix_ = 128;                      // of these 128 bits
};

// Returns the host of "192.0.2.1:80" or "[::1]:80", without brackets. A text without a port is its
// own host.
[[nodiscard]] std::string_view host_of_peer(std::string_view peer);

}  // namespace semel
