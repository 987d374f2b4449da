// read_work_options: reads the options that actions, chain jobs and schedules share.
//
// Errors: the reader keeps the first Problem. Call MemberReader::problem() afterwards.
// Threads: that of the reader.
#pragma once

#include <optional>
#include <string>

#include "core/actions/backoff.hpp"
#include "core/json/member_reader.hpp"

namespace semel {

// An option that the request omits stays empty.
struct WorkOptions {
    std::optional<std::string> lock_group;
    std::optional<int> max_retries;
    std::optional<Backoff> backoff;
    std::optional<Millis> timeout;
    std::optional<int> priority;
};

// Reads a `maxRetries` of 0 as 1: both mean one attempt.
[[nodiscard]] WorkOptions read_work_options(MemberReader& reader);

}  // namespace semel
