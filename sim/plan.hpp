// Plan: what a seed sets out to do, as plain data, so that a failing one can be made smaller.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/commands.hpp"
#include "core/settings.hpp"
#include "sim/chain_plan.hpp"
#include "sim/faults.hpp"
#include "sim/fence_plan.hpp"
#include "sim/pass_plan.hpp"
#include "sim/schedule_plan.hpp"
#include "sim/user_plan.hpp"

namespace semel::sim {

// What a deduplication key is made of, as the contract says it, for comparison in full.
using KeyTuple = std::tuple<std::string /*tenant*/, std::string /*type*/, std::string /*kind*/,
                            std::string /*entityType or key*/, std::string /*entityId*/,
                            std::string /*the value at /kind, where it joins the key*/>;

struct KeyPlan {
    bool is_explicit = false;  // `key`; otherwise the payload's entity
    std::string first;         // the key, or entityType
    std::string second;        // entityId
    bool with_field = false;   // keyFields: ["/kind"]
    std::string field;
    Millis window{0};
    Scope scope = Scope::pending;
    OnDuplicate on_duplicate = OnDuplicate::replace;
    std::optional<Millis> max_wait;
};

struct ItemPlan {
    int number = 0;  // stands in the payload, and nowhere twice
    std::string type;
    std::optional<KeyPlan> key;
    std::optional<Millis> delay;
    std::string lock_group;
    int max_retries = 1;
    Backoff backoff;
    std::optional<Millis> timeout;
    int priority = 0;

    [[nodiscard]] std::optional<KeyTuple> tuple(const std::string& tenant) const;
    [[nodiscard]] std::string payload(const std::string& tenant) const;
    [[nodiscard]] std::string to_json(const std::string& tenant) const;
};

struct RequestPlan {
    Millis at{0};
    std::string tenant;
    std::vector<ItemPlan> items;         // schedule these …
    std::optional<Operation> operation;  // … or operate on an action that was seen before …
    std::optional<ScheduleOrder> order;  // … or do something to a schedule …
    std::optional<BulkPlan> bulk;        // … or to many actions at once …
    std::optional<ChainOrder> chain;     // … or to chains
    bool force = false;
    bool foreign = false;  // names an action of the other tenant
    int target = 0;        // which of those that were seen, counted from the newest
    bool guarded = false;  // with an Idempotency-Key
    int sends_max = 1;     // repeated so often while no answer comes
    // Sent again so that it meets the end of its first item's window: that instant, or 1 ms
    // either side.
    std::optional<int> edge_ms;
};

struct WorkerPlan {
    std::string tenant;
    std::vector<std::string> types;
    int max = 1;
    Millis lease{0};
    Millis wait{0};
    bool heartbeats = true;
};

struct Plan {
    std::uint64_t seed = 0;
    Time begin = from_ms(1'800'000'000'000);  // by the wall clock
    Settings settings;
    FaultRates faults;
    Millis duration{0};       // of the time with faults
    Millis network_delay{0};  // the longest a message takes
    Millis store_delay{0};    // the longest a step of the store takes
    int nodes = 1;
    int committers = 1;   // of each node
    int concurrency = 4;  // of local handlers
    int bulk_step = 200;  // actions in one step of a bulk run
    std::vector<RequestPlan> requests;
    std::vector<WorkerPlan> workers;
    ChainHabits chains;
    FencePlan fences;
    PassPlan passes;  // without requests: the plan is not about the gateway
    std::vector<UserPlan> users;
    Millis user_delay{0};    // the longest between two statements of a user's own transaction
    int settles_in_ten = 0;  // so many attempts are ended in one

    // Whether transactions meet. Otherwise the store is one process's own, as SQLite is: nothing of
    // it is open when that process is gone, and nobody else makes work.
    [[nodiscard]] bool is_shared() const { return nodes > 1 || committers > 1; }
};

[[nodiscard]] Plan make_plan(std::uint64_t seed);

// What differs from one plan to the next, in a few lines.
[[nodiscard]] std::string to_text(const Plan& plan);

inline const std::vector<std::string> kTenants = {"acme", "zeta"};
[[nodiscard]] inline const std::string& other_tenant(const std::string& tenant) {
    return tenant == kTenants[0] ? kTenants[1] : kTenants[0];
}

// The types there are, and who handles them.
inline constexpr std::string_view kLocalType = "mail";   // handlers of the process
inline constexpr std::string_view kPulledType = "bill";  // workers that pull
inline constexpr std::string_view kSharedType = "ship";  // both

}  // namespace semel::sim
