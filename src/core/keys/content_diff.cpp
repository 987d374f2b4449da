#include "core/keys/content_diff.hpp"

#include "core/json/json_diff.hpp"

namespace semel {

void add_content_diff(Problem& problem, const Workspace& workspace, const ClaimId& claim,
                      const std::optional<std::string>& content) {
    const FencePolicy& policy = workspace.settings().fences;
    if (!policy.include_diff) {
        return;
    }
    problem.diff_json = "null";
    const Content* kept = workspace.contents.find(claim);
    if (kept == nullptr || !content) {
        return;
    }
    const auto first = json::Document::parse(kept->json, json::kAnyNumbers);
    const auto second = json::Document::parse(*content, json::kAnyNumbers);
    if (first && second) {
        DiffResult diff = json_diff(first->root(), second->root(), {.mask = policy.mask});
        problem.diff_json = std::move(diff.patch_json);
        problem.diff_truncated = diff.truncated;
    }
}

}  // namespace semel
