#include "config/durations.hpp"

#include <array>

#include "base/text.hpp"
#include "core/limits.hpp"

namespace semel {

namespace {

struct Unit {
    std::string_view name;
    std::int64_t ms;
};
constexpr std::array<Unit, 5> kUnits = {
    {{"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}, {"ms", 1}}};

Error not_a_duration(std::string_view text) {
    return {ErrorCode::invalid, "`" + std::string(text) +
                                    "` is not a duration; write a whole number and its unit, "
                                    "like 500ms, 15s, 15m, 24h or 14d"};
}

}  // namespace

Result<Millis> parse_duration(std::string_view text) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto number = parse_decimal(text.substr(0, digits));
    const std::string_view unit = text.substr(digits);
    for (const Unit& known : kUnits) {
        if (unit != known.name || digits == 0) {
            continue;
        }
        if (!number || *number > kDelayMax.count() / known.ms) {
            return Error(ErrorCode::invalid,
                         "`" + std::string(text) + "` is too long; the longest is 36600d");
        }
        return Millis(*number * known.ms);
    }
    return not_a_duration(text);
}

std::string format_duration(Millis duration) {
    for (const Unit& unit : kUnits) {
        if (duration.count() != 0 && duration.count() % unit.ms == 0) {
            return std::to_string(duration.count() / unit.ms) + std::string(unit.name);
        }
    }
    return "0s";
}

}  // namespace semel
