// The rows of a memory store, and the questions that are asked of them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/changes.hpp"
#include "core/load_spec.hpp"

namespace semel {

struct MemoryTables {
    std::map<JobId, Job> jobs;
    std::map<JobId, JobBody> bodies;
    std::map<JobId, JobResult> results;
    std::map<JobId, std::vector<Attempt>> attempts;
    std::map<ClaimId, Claim> claims;
    std::map<GroupKey, LockGroup> groups;
    std::map<Uuid, ApiToken> api_tokens;
    std::vector<DecisionEntry> decisions;

    [[nodiscard]] Loaded load(const LoadSpec& spec, Time now) const;
    void apply(const Changes& changes);
};

}  // namespace semel
