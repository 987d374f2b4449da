// The options that every kind of work has, as a request gives them.
#pragma once

#include <optional>
#include <string>

#include "core/backoff.hpp"
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

}  // namespace semel
