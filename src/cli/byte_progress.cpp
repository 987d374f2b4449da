#include "cli/byte_progress.hpp"

#include <array>

#include <fmt/format.h>

namespace semel::cli {

namespace {

constexpr std::chrono::milliseconds kPause{200};
constexpr const char* kClearLine = "\r\x1b[K";

}  // namespace

std::string describe_bytes(std::uint64_t bytes) {
    constexpr std::array kUnits = {"KiB", "MiB", "GiB", "TiB"};
    if (bytes < 1024) {
        return fmt::format("{} B", bytes);
    }
    double value = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    while (value >= 1000 && unit + 1 < kUnits.size()) {
        value /= 1024;
        ++unit;
    }
    return value < 10 ? fmt::format("{:.1f} {}", value, kUnits[unit])
                      : fmt::format("{:.0f} {}", value, kUnits[unit]);
}

ByteProgress::~ByteProgress() {
    if (is_terminal_) {
        out_ << kClearLine << std::flush;
    }
}

void ByteProgress::say(const std::string& text) {
    if (is_terminal_) {
        out_ << kClearLine << text << std::flush;
    }
}

void ByteProgress::moved(std::uint64_t bytes, std::optional<std::uint64_t> of) {
    const auto now = std::chrono::steady_clock::now();
    if (now - said_at_ < kPause) {
        return;
    }
    said_at_ = now;
    say(of ? fmt::format("{} of {}", describe_bytes(bytes), describe_bytes(*of))
           : describe_bytes(bytes));
}

}  // namespace semel::cli
