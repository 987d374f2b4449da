#include "core/passes/duplicate_message.hpp"

#include <cstdint>

#include <fmt/format.h>

namespace semel {
namespace {

constexpr std::string_view kAge = "{age}";

std::string count_of(std::int64_t count, std::string_view unit) {
    return fmt::format("{} {}{}", count, unit, count == 1 ? "" : "s");
}

std::string age_words(Millis age) {
    const std::int64_t seconds = age.count() / 1000;
    if (seconds < 1) return "less than a second";
    if (seconds < 60) return count_of(seconds, "second");
    if (seconds < 3600) return count_of(seconds / 60, "minute");
    return count_of(seconds / 3600, "hour");
}

}  // namespace

std::string fill_age(std::string_view text, Millis age) {
    std::string filled;
    for (;;) {
        const std::size_t at = text.find(kAge);
        filled += text.substr(0, at);
        if (at == std::string_view::npos) {
            return filled;
        }
        filled += age_words(age);
        text.remove_prefix(at + kAge.size());
    }
}

}  // namespace semel
