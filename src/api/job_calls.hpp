// Helpers of the job and chain endpoints: they read a completion from a body and render the answer
// to a call about a job. Pure. Threads: any.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/commands.hpp"
#include "core/json/member_reader.hpp"
#include "core/keys/claim.hpp"

namespace semel {

struct Completion {
    std::optional<std::string> output = {};          // JSON bytes
    std::optional<Continuation> continue_with = {};  // absent if `output` is given
};

// Reads the members `output` and `continueWith`. Errors, such as both at once, become problems of
// `reader`.
[[nodiscard]] Completion read_completion(MemberReader& reader, std::string_view tenant,
                                         const Settings& settings);

// Returns 200 with the job's state, or the problem with its status.
[[nodiscard]] Receipt job_receipt(const Item<JobAnswer>& item);

}  // namespace semel
