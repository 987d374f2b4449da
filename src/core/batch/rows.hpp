// The rows that are neither jobs, claims nor schedules: lock groups, edges, sources, contents, bulk
// runs, API tokens, the decision log and the outbox.
//
// All types here are plain values. Jobs are in core/actions/job.hpp, claims in core/keys/claim.hpp,
// schedules in core/schedules/schedule.hpp.
#pragma once

#include <compare>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/actions/action_filter.hpp"
#include "core/keys/claim.hpp"
#include "core/schedules/schedule.hpp"

namespace semel {

struct GroupKey {
    std::string tenant;
    std::string name;

    auto operator<=>(const GroupKey&) const = default;
};

// A lock group admits one job at a time to later, ready or running: its head.
// The row exists while the group has members.
struct LockGroup {
    GroupKey key;
    JobId head;

    bool operator==(const LockGroup&) const = default;
};

// An edge: a job waits for a chain, or waited for it. A job has one edge per blocker. Edges are
// deleted with the job.
struct EdgeKey {
    JobId blocked;
    int position = 0;  // in the order in which blockers were given

    auto operator<=>(const EdgeKey&) const = default;
};

struct Edge {
    EdgeKey key;
    JobId blocker;      // a chain
    bool done = false;  // the chain has completed

    bool operator==(const Edge&) const = default;
};

// The source that the parts of a fence's key name.
struct SourceKey {
    std::string tenant;
    std::string type;
    std::string id;

    auto operator<=>(const SourceKey&) const = default;
};

// A claim that holds a source for one of its versions.
struct SourceHolder {
    ClaimId claim;
    Token token = Token::none;
    Time until;  // end of the lease

    bool operator==(const SourceHolder&) const = default;
};

// A source whose versions are fenced: effects of a lower version never follow those of a higher.
struct Source {
    SourceKey key;
    std::optional<std::int64_t> highest = {};  // the highest version that was sealed
    // The last claim that held the source. It stays after its lease, until another claim holds the
    // source.
    std::optional<SourceHolder> holder = {};
    Time expires_at = {};   // ignored while a lease holds the source
    bool settling = false;  // a seal by the holder is committed, but not yet applied

    bool operator==(const Source&) const = default;
};

// A change of the row that has the body of a kept answer. No ladder loads these rows.
enum class ResponseVerb {
    write,   // the body, until `expires_at`, or longer if the row says so
    extend,  // keeps a row that exists until `expires_at`, or longer if the row says so
    erase,
    expire,  // deletes a row that expires at `expires_at` or earlier
};

struct ResponseChange {
    ResponseVerb verb = ResponseVerb::write;
    Uuid id;
    Time expires_at = {};
    // Shared, because a batch that is decided again must not copy it.
    std::shared_ptr<const std::string> body = {};
};

// The content of the request that made a claim: JSON, the bytes of the request. Empty: none.
struct Content {
    std::string json;

    bool operator==(const Content&) const = default;
};

// An operation on all actions that match a filter. The run walks over them in steps, oldest first.
// Each step is one commit with its cursor, so a crash neither repeats nor omits a step.
struct BulkRun {
    Uuid id;  // actions with a larger id are not part of the run
    std::string tenant;
    Operation operation = Operation::run_now;
    ActionFilter filter;
    bool dry_run = false;  // counts what it would do
    Time created_at;
    std::int64_t matched = 0;  // at the time of the request
    std::int64_t done = 0;
    std::map<std::string, std::int64_t> skipped;  // by reason
    std::optional<JobId> cursor;                  // the last action that was inspected
    std::optional<Time> finished_at;

    bool operator==(const BulkRun&) const = default;
};

enum class AccessScope { read, write, work, admin };

[[nodiscard]] constexpr unsigned scope_bit(AccessScope scope) {
    return 1U << static_cast<unsigned>(scope);
}

// An API token. Only the hash of its secret is kept.
struct ApiToken {
    Uuid id;
    std::string tenant;
    std::string name;
    unsigned scopes = 0;  // scope_bit sums
    Hash256 secret_hash;
    Time created_at;
    std::optional<Time> expires_at;

    bool operator==(const ApiToken&) const = default;
};

// One entry of the decision log. Repeats of an unchanged answer share one entry: `count` of them.
struct DecisionEntry {
    Time at;
    std::string tenant;
    std::string surface;
    std::string type;
    std::optional<ClaimId> claim;
    std::optional<ClaimId> other_claim = {};  // of the same request: a guard, or its key
    std::string key;                          // full key of `claim`, or empty
    Decision decision = Decision::new_;
    std::string rule;    // the rule that decided, in one word
    Uuid effect_id;      // the resulting job, or nil
    std::string effect;  // without a job: the owner's name for the effect
    Token token = Token::none;
    bool replaced = false;
    std::int64_t count = 1;
    std::string source_type;              // entityType, if the payload has one
    std::string source_id;                // entityId
    std::string reason;                   // resolved: the operator's
    std::size_t diff_bytes = 0;           // conflict: size of the diff, for metrics (not stored)
    std::optional<Hash256> content = {};  // new: to find near misses (not stored)
};

// Returns true if the decision only repeats an earlier one. Entries of such decisions are summed.
[[nodiscard]] constexpr bool is_repeat(Decision decision) {
    return decision == Decision::duplicate || decision == Decision::in_flight ||
           decision == Decision::near_miss;
}

// The place of an entry in the decision log.
struct DecisionRef {
    std::string tenant;
    std::int64_t day = 0;  // on which it was written
    std::int64_t sequence = 0;

    bool operator==(const DecisionRef&) const = default;
};

// The command that a user's own transaction left in the outbox, to be decided after its commit.
enum class OutboxVerb { enqueue, complete, fail, start_chain, continue_with, seal };

struct OutboxEntry {
    std::int64_t id = 0;  // larger than the ids of all transactions that ended before
    OutboxVerb verb = OutboxVerb::enqueue;
    std::string tenant;
    Uuid subject;                        // the job, or the id of a new action or chain
    Token token = Token::none;           // complete, fail, continue_with, seal
    std::optional<std::string> content;  // the request as in HTTP, or output, error, receipt
    std::string fence = {};              // seal: the fence's key
    std::string effect_id = {};          // seal

    bool operator==(const OutboxEntry&) const = default;
};

// The result of an enqueued request. Users ask for it by the id.
struct OutboxResult {
    Uuid id;
    std::string json;

    bool operator==(const OutboxResult&) const = default;
};

// Returns the UTC day of a time, in days since 1970.
[[nodiscard]] constexpr std::int64_t day_of(Time time) {
    return to_ms(time) / std::chrono::milliseconds(std::chrono::hours(24)).count();
}

}  // namespace semel

template <>
struct std::hash<semel::SourceKey> {
    std::size_t operator()(const semel::SourceKey& key) const noexcept {
        const std::hash<std::string> hash_of;
        return (hash_of(key.tenant) * 31 + hash_of(key.type)) * 31 + hash_of(key.id);
    }
};

template <>
struct std::hash<semel::EdgeKey> {
    std::size_t operator()(const semel::EdgeKey& key) const noexcept {
        return std::hash<semel::Uuid>()(key.blocked) * 31 + static_cast<std::size_t>(key.position);
    }
};

template <>
struct std::hash<semel::GroupKey> {
    std::size_t operator()(const semel::GroupKey& key) const noexcept {
        return std::hash<std::string>()(key.tenant) * 31 + std::hash<std::string>()(key.name);
    }
};
