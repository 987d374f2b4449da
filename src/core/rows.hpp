// The remaining rows: lock groups, bulk runs, API tokens, the decision log.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/action_filter.hpp"
#include "core/claim.hpp"
#include "core/schedule.hpp"

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

// That a job waits for a chain, or waited: one row for each blocker that it was given. It lives as
// long as the job.
struct EdgeKey {
    JobId blocked;
    int position = 0;  // in the order in which blockers were given

    auto operator<=>(const EdgeKey&) const = default;
};

struct Edge {
    EdgeKey key;
    JobId blocker;      // a chain
    bool done = false;  // it has completed

    bool operator==(const Edge&) const = default;
};

// Where a fence's parts say that something comes from.
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
    Time until;  // its lease

    bool operator==(const SourceHolder&) const = default;
};

// A source whose versions are fenced: effects of a lower version never follow those of a higher.
struct Source {
    SourceKey key;
    std::optional<std::int64_t> highest = {};  // version that was sealed
    // The last to hold it, also when the lease is over: until somebody else holds it, it does.
    std::optional<SourceHolder> holder = {};
    Time expires_at = {};   // unless somebody holds it
    bool settling = false;  // its holder's seal is committed and on its way

    bool operator==(const Source&) const = default;
};

// The first content that a claim was asked for with: JSON bytes as they came. Empty: none.
struct Content {
    std::string json;

    bool operator==(const Content&) const = default;
};

// An operation on all actions that match a filter: a walk over them in steps, oldest first. Each
// step is one commit with its cursor, so that a crash neither repeats nor forgets a part of it.
struct BulkRun {
    Uuid id;  // actions made after it are not meant
    std::string tenant;
    Operation operation = Operation::run;
    ActionFilter filter;
    bool dry_run = false;  // counts what it would do
    Time created_at;
    std::int64_t matched = 0;  // when it was asked for
    std::int64_t done = 0;
    std::map<std::string, std::int64_t> skipped;  // by reason
    std::optional<JobId> cursor;                  // the last action that was looked at
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

// One line of the decision log. Repeats of an unchanged answer are summed: `count` of them.
struct DecisionEntry {
    Time at;
    std::string tenant;
    std::string surface;
    std::string type;
    std::optional<ClaimId> claim;
    std::string key;  // full key, empty where there is none
    Decision decision = Decision::new_;
    std::string rule;    // which rule decided, in one word
    Uuid effect_id;      // the job it led to
    std::string effect;  // or, where it led to no job, as its owner calls it
    Token token = Token::none;
    bool replaced = false;
    std::int64_t count = 1;
    std::string source_type;     // entityType, where the payload names one
    std::string source_id;       // entityId
    std::string reason;          // resolved: the operator's
    std::size_t diff_bytes = 0;  // conflict: of what the caller was shown; counted, not kept
    std::optional<Hash256> content = {};  // new: what it is about; compared, not kept
};

// Whether it only says again what was said before: such lines are summed.
[[nodiscard]] constexpr bool is_repeat(Decision decision) {
    return decision == Decision::duplicate || decision == Decision::in_flight ||
           decision == Decision::near_miss;
}

// Where a line of the log stands.
struct DecisionRef {
    std::string tenant;
    std::int64_t day = 0;  // on which it was written
    std::int64_t sequence = 0;

    bool operator==(const DecisionRef&) const = default;
};

// What a user's own transaction left to be decided after its commit.
enum class OutboxVerb { enqueue, complete, fail, start_chain, continue_with, seal };

struct OutboxEntry {
    std::int64_t id = 0;  // larger than those of every transaction that ended before it was made
    OutboxVerb verb = OutboxVerb::enqueue;
    std::string tenant;
    Uuid subject;                        // the action's or chain's id if it is new; or the job
    Token token = Token::none;           // complete, fail, continue_with, seal
    std::optional<std::string> content;  // the request as HTTP takes it; output, error, receipt
    std::string fence = {};              // seal: its key
    std::string effect_id = {};          // seal

    bool operator==(const OutboxEntry&) const = default;
};

// What became of an enqueued request, for whoever asks by its id.
struct OutboxResult {
    Uuid id;
    std::string json;

    bool operator==(const OutboxResult&) const = default;
};

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
