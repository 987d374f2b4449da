#include "store/packing/packed.hpp"

#include <cstring>

namespace semel {
namespace {

constexpr unsigned kGroupBits = 7;
constexpr std::uint64_t kMore = 0x80;
constexpr unsigned kNumberBits = 64;

}  // namespace

void Packer::number(std::int64_t value) {
    auto bits = static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
    while (bits >= kMore) {
        bytes_.push_back(static_cast<char>(bits | kMore));
        bits >>= kGroupBits;
    }
    bytes_.push_back(static_cast<char>(bits));
}

void Packer::bytes(std::string_view value) {
    number(static_cast<std::int64_t>(value.size()));
    bytes_.append(value);
}

void Packer::raw(const std::uint8_t* data, std::size_t size) {
    bytes_.append(reinterpret_cast<const char*>(data), size);
}

Unpacker::Unpacker(std::string_view bytes, char first_version, char last_version) : rest_(bytes) {
    version_ = take(1)[0];
    damaged_ = damaged_ || version_ < first_version || version_ > last_version;
}

std::string_view Unpacker::take(std::size_t size) {
    static constexpr std::string_view kZeros(
        "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
        "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
        32);
    if (damaged_ || size > rest_.size()) {
        damaged_ = true;
        return kZeros.substr(0, size);
    }
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
}

std::int64_t Unpacker::number() {
    std::uint64_t bits = 0;
    for (unsigned shift = 0; shift < kNumberBits; shift += kGroupBits) {
        const auto group = static_cast<std::uint8_t>(take(1)[0]);
        bits |= (group & (kMore - 1)) << shift;
        if (group < kMore) {
            return static_cast<std::int64_t>(bits >> 1 ^ (~(bits & 1) + 1));
        }
    }
    damaged_ = true;
    return 0;
}

std::string_view Unpacker::bytes() {
    const std::int64_t size = number();
    if (size < 0 || static_cast<std::uint64_t>(size) > rest_.size()) {
        damaged_ = true;
        return {};
    }
    return take(static_cast<std::size_t>(size));
}

Uuid Unpacker::id() {
    Uuid value;
    std::memcpy(value.bytes.data(), take(value.bytes.size()).data(), value.bytes.size());
    return value;
}

Hash256 Unpacker::hash() {
    Hash256 value;
    std::memcpy(value.bytes.data(), take(value.bytes.size()).data(), value.bytes.size());
    return value;
}

}  // namespace semel
