#include "base/uuid.hpp"

#include <tuple>

#include "base/text.hpp"

namespace semel {
namespace {

constexpr std::uint16_t kCounterMax = 0x0FFF;

constexpr bool is_dash_position(std::size_t i) {
    return i == 8 || i == 13 || i == 18 || i == 23;
}

}  // namespace

std::string Uuid::to_string() const {
    std::string text = to_hex(bytes.data(), bytes.size());
    for (const std::size_t digits_before : {20U, 16U, 12U, 8U}) {
        text.insert(digits_before, 1, '-');
    }
    return text;
}

std::optional<Uuid> Uuid::parse(std::string_view text) {
    if (text.size() != 36) {
        return std::nullopt;
    }
    std::string hex;
    hex.reserve(32);
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!is_dash_position(i)) {
            hex.push_back(text[i]);
        } else if (text[i] != '-') {
            return std::nullopt;
        }
    }
    Uuid id;
    if (!from_hex(hex, id.bytes.data(), id.bytes.size())) {
        return std::nullopt;
    }
    return id;
}

Uuid UuidGenerator::next(Time now) {
    const std::int64_t ms = to_ms(now);
    if (ms > last_ms_) {
        last_ms_ = ms;
        counter_ = static_cast<std::uint16_t>(random_() & 0x00FF);  // leaves room to count up
    } else if (counter_ == kCounterMax) {
        ++last_ms_;  // ids run ahead of the clock rather than repeat
        counter_ = 0;
    } else {
        ++counter_;
    }
    Uuid id;
    for (std::size_t i = 0; i < 6; ++i) {
        id.bytes[i] = static_cast<std::uint8_t>(last_ms_ >> (8 * (5 - i)));
    }
    id.bytes[6] = static_cast<std::uint8_t>(0x70 | (counter_ >> 8));
    id.bytes[7] = static_cast<std::uint8_t>(counter_);
    const std::uint64_t tail = random_();
    std::memcpy(id.bytes.data() + 8, &tail, 8);
    id.bytes[8] = static_cast<std::uint8_t>(0x80 | (id.bytes[8] & 0x3F));
    return id;
}

void UuidGenerator::go_past(const Uuid& id) {
    std::int64_t ms = 0;
    for (std::size_t i = 0; i < 6; ++i) {
        ms = (ms << 8) | id.bytes[i];
    }
    const auto counter = static_cast<std::uint16_t>(((id.bytes[6] & 0x0F) << 8) | id.bytes[7]);
    if (std::tie(ms, counter) > std::tie(last_ms_, counter_)) {
        last_ms_ = ms;
        counter_ = counter;
    }
}

}  // namespace semel
