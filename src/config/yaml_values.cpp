#include "config/yaml_values.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "config/durations.hpp"
#include "config/secrets.hpp"
#include "core/json/json_pointer.hpp"
#include "core/limits.hpp"

namespace semel::yaml {

bool is_text(Value value) {
    return value.IsScalar() && !value.Scalar().empty();
}

bool is_name(Value value) {
    return is_text(value) && value.Scalar().size() <= kNameBytesMax;
}

bool is_secret(Value value) {
    return value.IsScalar() && is_secret_reference(value.Scalar());
}

bool is_pointer(Value value) {
    return is_text(value) && json::is_valid_pointer(value.Scalar());
}

bool is_header_name(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
    });
}

bool is_list_of(Value value, bool (*fits)(Value)) {
    return value.IsSequence() && value.size() > 0 &&
           std::all_of(value.begin(), value.end(), [fits](Value item) { return fits(item); });
}

bool is_one_of(Value value, std::initializer_list<std::string_view> words) {
    return value.IsScalar() && std::ranges::find(words, value.Scalar()) != words.end();
}

std::vector<std::string> texts_of(Value list) {
    std::vector<std::string> texts;
    for (const auto& item : list) texts.push_back(item.Scalar());
    return texts;
}

std::optional<bool> boolean(Value value) {
    return is_one_of(value, {"true", "false"}) ? std::optional(value.Scalar() == "true")
                                               : std::nullopt;
}

std::optional<std::int64_t> whole_number(Value value, std::int64_t min, std::int64_t max) {
    const auto number = value.IsScalar() ? parse_decimal(value.Scalar()) : std::nullopt;
    return number && *number >= min && *number <= max ? number : std::nullopt;
}

std::optional<std::size_t> byte_count(Value value) {
    constexpr std::int64_t kMost = std::int64_t{1} << 40;
    if (!value.IsScalar()) {
        return std::nullopt;
    }
    std::string_view text = value.Scalar();
    int shift = 0;
    for (const auto& [unit, bits] :
         {std::pair<std::string_view, int>{"KiB", 10}, {"MiB", 20}, {"GiB", 30}}) {
        if (text.ends_with(unit)) {
            text.remove_suffix(unit.size());
            shift = bits;
            break;
        }
    }
    const auto number = parse_decimal(text);
    if (!number || *number > kMost >> shift) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(*number) << shift;
}

std::optional<Millis> duration(Value value, Millis min, Millis max) {
    if (!value.IsScalar()) {
        return std::nullopt;
    }
    const auto parsed = parse_duration(value.Scalar());
    return parsed && *parsed >= min && *parsed <= max ? std::optional(*parsed) : std::nullopt;
}

std::optional<Millis> some_time(Value value) {
    return duration(value, Millis(1), kDelayMax);
}

std::optional<Millis> wait(Value value) {
    return duration(value, Millis(0), kWaitMax);
}

std::optional<Millis> timeout(Value value) {
    return duration(value, Millis(1), kTimeoutMax);
}

}  // namespace semel::yaml
