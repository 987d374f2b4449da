// add_content_diff: adds to a Problem how a request's content differs from the first content under
// its key.
//
// Pure. Threads: one per workspace.
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
