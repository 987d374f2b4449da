// What a request to start a chain meets under its key.
#pragma once

#include <optional>
#include <variant>

#include "core/commands.hpp"
#include "core/workspace.hpp"

namespace semel {

struct MeetsNoChain {};
struct ChainMatch {
    JobId chain;
    std::optional<Status> purged_as = {};  // its rows are gone: this is all that is known
};
using KeyMeeting = std::variant<MeetsNoChain, ChainMatch, Problem>;

// The newest owner of the key that qualifies. A chain is judged by its last job.
[[nodiscard]] KeyMeeting meet_key(const Workspace& workspace, const ChainDeduplication& wanted);

// The key now belongs to this chain, beside those that have not ended.
[[nodiscard]] std::optional<Problem> own_key(Workspace& workspace, const ChainDeduplication& wanted,
                                             const Job& first);

// Until when a chain is met by requests with its key; absent: as long as the key is remembered.
[[nodiscard]] std::optional<Time> unique_until(const ChainDeduplication& wanted, Time now);

[[nodiscard]] StartedChain answer_match(const Workspace& workspace, const ChainMatch& match,
                                        const std::string& input);

[[nodiscard]] bool input_differs(const JobBody& first, const std::string& second);
// A chain has the wanted id, and is another.
[[nodiscard]] Problem input_conflict(const ChainView& existing, const StepRequest& step);

// Leave a trace of what was decided on a request. A refusal of one that cannot be used decides
// nothing, and leaves none.
void record_start(Workspace& workspace, const std::string& tenant, const ChainRequest& request,
                  const StartedChain& started);
void record_refusal(Workspace& workspace, const std::string& tenant, const ChainRequest& request,
                    const Problem& problem);

}  // namespace semel
