// What a seed's clients and workers do with chains, as plain data.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/actions/job.hpp"

namespace semel::sim {

struct ChainPlan;
struct Plan;

// What a seed likes to do with chains: times in ten, and so on.
struct ChainHabits {
    bool any = false;
    int blocked = 0;
    int inlined = 0;
    int keyed = 0;
    int keys = 1;
    int grouped = 0;
    int longest = 0;
    bool removes = false;
    bool blocked_by_actions = false;
};

// A chain to wait for: one that exists, or one that is started with what waits for it.
struct BlockerPlan {
    int target = 0;  // which of the chains that were seen, counted from the newest …
    std::optional<JobId> id = {};  // … found out when it is first sent, or known from the beginning
    std::shared_ptr<const ChainPlan> chain = {};
};

// A job of a chain.
struct StepPlan {
    int number = 0;  // stands in the input, and nowhere twice
    std::string type;
    int left = 0;  // so many jobs follow, where its workers have their way
    std::optional<Millis> delay;
    std::string lock_group;
    std::optional<int> max_retries;
    std::optional<Backoff> backoff;
    std::optional<Millis> timeout;
    std::vector<BlockerPlan> blockers;
    OnBlockerFailed on_blocker_failed = OnBlockerFailed::fail;

    [[nodiscard]] std::string input(const std::string& tenant) const;
    // As `continueWith` has it.
    [[nodiscard]] std::string to_json(const std::string& tenant) const;
    // The same without type and input.
    [[nodiscard]] std::string options(const std::string& tenant) const;
};

// What a chain's key is made of, for comparison in full.
using ChainTuple =
    std::tuple<std::string /*tenant*/, std::string /*type*/, std::string /*the key*/>;

struct ChainKeyPlan {
    std::string key;
    Scope scope = Scope::incomplete;
    std::optional<Millis> window;
    int excludes = 0;  // so many of the chains that were seen, the newest
    std::vector<JobId> excluded;
};

struct ChainPlan {
    StepPlan first;
    std::optional<ChainKeyPlan> key;
    std::optional<JobId> id;

    [[nodiscard]] std::optional<ChainTuple> tuple(const std::string& tenant) const;
    [[nodiscard]] std::string to_json(const std::string& tenant) const;
};

enum class ChainVerb { start, complete, cancel, remove, await };
[[nodiscard]] std::string_view to_string(ChainVerb verb);

// Something that is done to chains.
struct ChainOrder {
    ChainVerb verb = ChainVerb::start;
    std::vector<ChainPlan> chains;  // start
    // The others: which of those that were seen, or this one.
    int target = 0;
    std::optional<JobId> id;
    // complete: the current job, as it was when it was first sent, or one before or after it.
    int off_by = 0;
    std::optional<int> index;
    int number = 0;  // stands in the output
    std::optional<StepPlan> next;
    bool cascade = false;  // remove
    Millis patience{0};    // await

    // complete: absent where it is followed by another job.
    [[nodiscard]] std::optional<std::string> output() const;
    [[nodiscard]] std::string to_text(const std::string& tenant) const;
};

// Says something else than before.
void change_content(ChainOrder& order, int by);

// How many jobs follow one with this input; none where it does not say.
[[nodiscard]] int left_in(const std::string& input);
// The number in it; 0: none.
[[nodiscard]] int number_in(const std::string& input);

// Adds them to a plan. Their dice are their own: the rest of the plan is what it would be without
// them.
void plan_chains(Plan& plan);

}  // namespace semel::sim
