#include "base/ip_range.hpp"

#include <algorithm>
#include <string>

#include <arpa/inet.h>

#include "base/text.hpp"

namespace semel {
namespace {

using Bytes = std::array<std::uint8_t, 16>;

constexpr int kMappedBits = 96;  // ::ffff:0:0/96 holds the IPv4 addresses

bool is_v6(std::string_view text) {
    return text.find(':') != std::string_view::npos;
}

std::optional<Bytes> parse_address(std::string_view text) {
    const std::string terminated(text);
    Bytes bytes{};
    if (is_v6(text)) {
        return inet_pton(AF_INET6, terminated.c_str(), bytes.data()) == 1 ? std::optional(bytes)
                                                                          : std::nullopt;
    }
    bytes[10] = bytes[11] = 0xFF;
    return inet_pton(AF_INET, terminated.c_str(), bytes.data() + 12) == 1 ? std::optional(bytes)
                                                                          : std::nullopt;
}

bool bit(const Bytes& bytes, int index) {
    return ((bytes[static_cast<std::size_t>(index / 8)] >> (7 - index % 8)) & 1) != 0;
}

}  // namespace

std::optional<IpRange> IpRange::parse(std::string_view text) {
    const std::size_t slash = text.find('/');
    const std::string_view address = text.substr(0, slash);
    const auto first = parse_address(address);
    if (!first) {
        return std::nullopt;
    }
    IpRange range;
    range.first_ = *first;
    if (slash != std::string_view::npos) {
        const auto length = parse_decimal(text.substr(slash + 1));
        const int before = is_v6(address) ? 0 : kMappedBits;
        if (!length || *length > 128 - before) {
            return std::nullopt;
        }
        range.prefix_ = before + static_cast<int>(*length);
    }
    for (int index = range.prefix_; index < 128; ++index) {
        if (bit(range.first_, index)) {
            return std::nullopt;
        }
    }
    return range;
}

bool IpRange::contains(std::string_view address) const {
    const auto bytes = parse_address(address);
    if (!bytes) {
        return false;
    }
    for (int index = 0; index < prefix_; ++index) {
        if (bit(*bytes, index) != bit(first_, index)) {
            return false;
        }
    }
    return true;
}

std::string_view host_of_peer(std::string_view peer) {
    if (peer.starts_with('[')) {
        return peer.substr(1, std::min(peer.find(']'), peer.size()) - 1);
    }
    const std::size_t colon = peer.find(':');
    const bool has_port = colon != std::string_view::npos && colon == peer.rfind(':');
    return has_port ? peer.substr(0, colon) : peer;
}

}  // namespace semel
