// yaml_values: reads the values that sources and routes have: names, pointers, durations, sizes. A
// function that returns an optional returns nullopt for another form. Pure. Threads: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <yaml-cpp/yaml.h>

#include "base/time.hpp"

namespace semel::yaml {

using Value = const YAML::Node&;

// The texts of errors for the expected form.
inline constexpr std::string_view kTime = "a duration, like 500ms, 15s, 15m, 24h or 14d";
inline constexpr std::string_view kWait = "a duration from 0s to 60s";
inline constexpr std::string_view kTimeout = "a duration from 1ms to 24h";
inline constexpr std::string_view kBool = "`true` or `false`";
inline constexpr std::string_view kName = "a name of at most 255 bytes";
inline constexpr std::string_view kText = "a text";
inline constexpr std::string_view kPointer = "a JSON pointer, like /workspaceId";
inline constexpr std::string_view kPointers =
    "a list of JSON pointers, like [/workspaceId, /message]";
inline constexpr std::string_view kHeader = "the name of a header";
inline constexpr std::string_view kBytes = "a whole number of bytes, or a size like 64KiB or 1MiB";

[[nodiscard]] bool is_text(Value value);  // a scalar that is not empty
[[nodiscard]] bool is_name(Value value);
[[nodiscard]] bool is_secret(Value value);
[[nodiscard]] bool is_pointer(Value value);  // not "", which is the whole body
[[nodiscard]] bool is_header_name(std::string_view text);
[[nodiscard]] bool is_list_of(Value value, bool (*fits)(Value));  // of at least one
[[nodiscard]] bool is_one_of(Value value, std::initializer_list<std::string_view> words);

[[nodiscard]] std::vector<std::string> texts_of(Value list);
[[nodiscard]] std::optional<bool> boolean(Value value);
[[nodiscard]] std::optional<std::int64_t> whole_number(Value value, std::int64_t min,
                                                       std::int64_t max);
[[nodiscard]] std::optional<std::size_t> byte_count(Value value);
[[nodiscard]] std::optional<Millis> duration(Value value, Millis min, Millis max);
[[nodiscard]] std::optional<Millis> some_time(Value value);  // 1ms to a century
[[nodiscard]] std::optional<Millis> wait(Value value);       // 0s to 60s
[[nodiscard]] std::optional<Millis> timeout(Value value);    // 1ms to 24h

}  // namespace semel::yaml
