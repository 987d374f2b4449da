#include "cli/whole_number.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace semel::cli {

std::function<std::string(const std::string&)> whole_number(std::int64_t min, std::int64_t max) {
    return [min, max](const std::string& text) -> std::string {
        const auto number = parse_decimal(text);
        if (number && *number >= min && *number <= max) {
            return "";
        }
        return fmt::format("it must be a whole number from {} to {}, not `{}`", min, max, text);
    };
}

}  // namespace semel::cli
