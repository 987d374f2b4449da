// The options that every kind of work has, as a request gives them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/backoff.hpp"
#include "core/limits.hpp"
#include "core/member_reader.hpp"

namespace semel {

// What was not given stays empty.
struct WorkOptions {
    std::optional<std::string> lock_group;
    std::optional<int> max_retries;
    std::optional<Backoff> backoff;
    std::optional<Millis> timeout;
    std::optional<int> priority;
};

[[nodiscard]] WorkOptions read_work_options(MemberReader& reader);

// A member that must be one of some words; `out` stays as it is where it is absent.
template <typename T, typename Parse>
void read_word(MemberReader& reader, std::string_view name, Parse parse, std::string_view allowed,
               T& out) {
    const auto text = reader.text(name, 1, kNameBytesMax);
    if (!text) {
        return;
    }
    if (const auto word = parse(*text)) {
        out = *word;
    } else {
        reader.fail(name, fmt::format("`{}` must be {}", name, allowed));
    }
}

}  // namespace semel
