// What jobs and chains share: how a completion is read, and how a call about a job is answered.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/claim.hpp"
#include "core/commands.hpp"
#include "core/member_reader.hpp"

namespace semel {

struct Completion {
    std::optional<std::string> output = {};          // JSON bytes
    std::optional<Continuation> continue_with = {};  // not both
};

// The members `output` and `continueWith`.
[[nodiscard]] Completion read_completion(MemberReader& reader, std::string_view tenant,
                                         const Settings& settings);

// 200 with the answer, or the problem's status.
[[nodiscard]] Receipt job_receipt(const Item<JobAnswer>& item);

}  // namespace semel
