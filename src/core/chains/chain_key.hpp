// Deduplication of chains: finds the chain that owns a key, and makes a new chain its owner.
//
// A chain is open until its last job has ended. The status of its first job does not count. A
// refusal is a Problem. Threads: one per workspace.
#pragma once

#include <optional>
#include <variant>

#include "core/batch/workspace.hpp"
#include "core/commands.hpp"

namespace semel {

struct MeetsNoChain {};
struct ChainMatch {
    JobId chain;
    std::optional<Status> purged_as = {};  // final status, if the chain's rows are deleted
};
using KeyMeeting = std::variant<MeetsNoChain, ChainMatch, Problem>;

// Finds the newest owner of the key that fulfils all three conditions: it is inside the request's
// window and scope, the request does not exclude it, and it is still remembered. Returns the
// Problem `uncertain` if that chain is uncertain.
[[nodiscard]] KeyMeeting meet_key(const Workspace& workspace, const ChainDeduplication& wanted);

// Adds the chain as the newest owner of the key. Unfinished chains stay owners, and so do the 16
// newest that have ended. Returns the Problem `too_large` if kOpenOwnersMax chains are unfinished.
[[nodiscard]] std::optional<Problem> own_key(Workspace& workspace, const ChainDeduplication& wanted,
                                             const Job& first);

// Returns the end of the request's window. Without a window returns nullopt: requests then meet the
// chain as long as the key is remembered.
[[nodiscard]] std::optional<Time> unique_until(const ChainDeduplication& wanted, Time now);

// Returns the answer `deduplicated` with the matched chain.
[[nodiscard]] StartedChain answer_match(const Workspace& workspace, const ChainMatch& match,
                                        const std::string& input);

[[nodiscard]] bool input_differs(const JobBody& first, const std::string& second);
// Refuses a wanted id that another chain has: `conflict` with the diff of the inputs.
[[nodiscard]] Problem input_conflict(const ChainView& existing, const StepRequest& step);

// Record the decision about a request in the decision log. Of the refusals only `conflict` and
// `uncertain` are decisions. record_refusal ignores all others.
void record_start(Workspace& workspace, const std::string& tenant, const ChainRequest& request,
                  const StartedChain& started);
void record_refusal(Workspace& workspace, const std::string& tenant, const ChainRequest& request,
                    const Problem& problem);

}  // namespace semel
