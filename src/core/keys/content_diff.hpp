// add_content_diff: tells a caller how its content differs from the first one under its key.
//
// Pure. Threads: any.
#pragma once

#include <optional>
#include <string>

#include "core/batch/workspace.hpp"
#include "core/problem.hpp"

namespace semel {

// Adds the patch from the stored content of the claim to `content`, masked as the policy says. The
// patch is `null` if one of them is unknown. Adds nothing if the policy wants no diff.
// REQUIRES: the claim's content was named in the LoadSpec.
void add_content_diff(Problem& problem, const Workspace& workspace, const ClaimId& claim,
                      const std::optional<std::string>& content);

}  // namespace semel
