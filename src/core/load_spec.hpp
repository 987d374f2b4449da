// What a batch of commands asks the store to load, and what comes back.
//
// Loading climbs a fixed ladder, each rung from the ids of the one before:
//   claims    those named, and those of jobs that ask for theirs
//   outbox    entries, and the rows that each of them names
//   jobs      those named, those a query found, the claims' owners; then their predecessors and
//             successors
//   chains    of jobs that may end: the first job of their chain; of owners and of chains that are
//             named: the last
//   edges     of chains that may end, and the jobs that wait for them; of jobs that ask for theirs
//   schedules those named, and those of the loaded occurrences
//   groups    those named, and those of the loaded jobs and schedules, with each group's head
//   sources   those named, and those whose version a loaded claim holds
//   waiting   of every loaded group the next members in line, one more than the batch could take;
//             an occurrence that waited past its slot is not counted, because it may move back
// A decision that needs a row outside the ladder is a design error.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/rows.hpp"
#include "core/settings.hpp"

namespace semel {

// Due jobs with their payloads, in order of work: within a tenant by priority, scheduledAt, id over
// all types; between tenants in turn, beginning after `after_tenant`.
struct ReadyQuery {
    std::optional<std::string> tenant;  // absent: all tenants
    std::vector<std::string> types;
    int limit = 1;
    std::string after_tenant = {};
};

// Jobs in Place::later whose time has come. Also answers when the next one will be due.
struct DueQuery {
    int limit = 500;
};

// Running jobs whose lease or time-out has ended, and whose result is not on its way; they come
// with their claims. Also answers when the next one will.
struct ExpiredQuery {
    int limit = 500;
};

// Chains that ended at least `age` ago, oldest first, each by its last job. They come with their
// claims, with the jobs before the last, first the oldest, and with the chains that those waited
// for: as much of it as one command should take.
struct FinishedQuery {
    Millis age{0};
    int limit = 500;
};

// Jobs in Place::telling, with those who wait for their chains.
struct TellingQuery {
    int limit = 1;
};

// A chain with all its jobs, and those who wait for it; with `cascade` also the chains that its
// jobs waited for, and those in turn.
struct DeletionQuery {
    JobId chain;
    bool cascade = false;
};

// Claims whose retention has ended.
struct ExpiredClaimsQuery {
    int limit = 500;
};

// Sources whose retention has ended.
struct ExpiredSourcesQuery {
    int limit = 500;
};

// Bulk runs that finished at least `age` ago.
struct FinishedBulkRunsQuery {
    Millis age{0};
    int limit = 500;
};

// Lines of the decision log that are older than `age` by a day at most.
struct OldDecisionsQuery {
    Millis age{0};
    int limit = 500;
};

// What users' own transactions left behind, oldest first, but for the entries to skip; with the
// rows that each entry needs. One node is answered at a time: others get nothing.
struct OutboxQuery {
    int limit = 250;
    Settings settings = {};  // its requests are read by
    std::vector<std::int64_t> skip = {};
};

// Results of outbox entries that were written at least `age` ago.
struct OldOutboxResultsQuery {
    Millis age{0};
    int limit = 500;
};

using Query =
    std::variant<ReadyQuery, DueQuery, ExpiredQuery, FinishedQuery, TellingQuery, DeletionQuery,
                 ExpiredClaimsQuery, ExpiredSourcesQuery, FinishedBulkRunsQuery, OldDecisionsQuery,
                 OutboxQuery, OldOutboxResultsQuery>;

// What a worker is told of a chain that its job waited for.
struct BlockerView {
    JobId id;
    std::string type = {};
    std::optional<Status> status = {};  // absent: its rows are gone
    std::optional<std::string> output = {};
};

// A chain to prune.
struct FinishedChain {
    JobId last;
    std::vector<JobId> before = {};  // jobs of it, first the oldest
    bool is_whole = true;            // false: there are more of them
};

// Chains to delete, each with its jobs in order.
struct ChainDeletion {
    std::vector<std::pair<JobId, std::vector<JobId>>> chains = {};
    std::size_t jobs = 0;
    std::size_t edges = 0;      // from and to them
    bool is_too_large = false;  // there are more, or they reach further
};

struct QueryResult {
    std::vector<JobId> jobs;
    std::vector<FinishedChain> chains;
    std::vector<ClaimId> claims;
    std::vector<SourceKey> sources;
    std::vector<Uuid> bulk_runs;
    std::vector<DecisionRef> decisions;
    std::vector<OutboxEntry> outbox;
    std::vector<Uuid> outbox_results;
    std::optional<ChainDeletion> deletion;
    std::map<JobId, std::vector<BlockerView>> blockers;  // ReadyQuery: of those that had some
    // DueQuery, ExpiredQuery: the first one not found yet. FinishedQuery: there are more.
    std::optional<Time> next_at;
};

// The first content of a claim, unless its fingerprint is the one that is known.
struct ContentRef {
    ClaimId claim;
    Hash256 known;
};

struct JobRef {
    JobId id;
    bool body = false;      // also its payload and result
    bool stays = false;     // what it stands in, and who waits for it, does not matter
    bool claim = false;     // also its claim, or its chain's
    bool chain = false;     // also the last job of the chain that it begins, with its result
    bool outcome = false;   // once it has ended, also its result and its continuation, with edges
    bool blockers = false;  // also the chains that it waits for, as far as `chain` goes
    bool may_wait = false;  // for another load, where those before it have very many edges
    // Whoever names it completes the attempt with this token, if nobody ended it before: a store
    // that has seen the row with that token may guess that it still is so, and find out at its
    // save.
    std::optional<Token> completed_by = std::nullopt;
};

// One step of a chain.
struct StepRef {
    JobId chain;
    int index = 0;

    bool operator==(const StepRef&) const = default;
};

// That a chain waits for another at this moment.
struct Wait {
    JobId chain;
    JobId blocker;

    bool operator==(const Wait&) const = default;
};

// Rows that exist, and that somebody else is changing at this moment. A command that meets one is
// decided later: there is no telling what the row will say.
struct Held {
    std::vector<ClaimId> claims = {};
    std::vector<JobId> jobs = {};
    std::vector<GroupKey> groups = {};
    std::vector<ScheduleKey> schedules = {};
    std::vector<Uuid> bulk_runs = {};
    std::vector<Uuid> api_tokens = {};
    std::vector<SourceKey> sources = {};

    [[nodiscard]] bool empty() const {
        return claims.empty() && sources.empty() && jobs.empty() && groups.empty() &&
               schedules.empty() && bulk_runs.empty() && api_tokens.empty();
    }
};

// Rows that exist, and whose bytes say nothing; with what is wrong, and what to do about it. A
// command that meets one is refused with these words, and no other.
struct Damaged {
    std::vector<std::pair<ClaimId, std::string>> claims = {};
    std::vector<std::pair<SourceKey, std::string>> sources = {};
};

struct LoadSpec {
    std::vector<ClaimId> claims = {};       // owners come with payload and result
    std::vector<ContentRef> contents = {};  // of claims that are named too
    std::vector<SourceKey> sources = {};
    std::vector<JobRef> jobs = {};
    std::vector<StepRef> steps = {};              // with payload and result
    std::vector<JobId> wanted_ids = {};           // which new jobs shall have
    std::vector<JobId> waits_from = {};           // chains: for whom they wait, and those in turn
    std::vector<ClaimId> waits_from_owners = {};  // the same for those that own these
    std::vector<GroupKey> groups = {};  // named again by each command that may take a member out
    std::vector<ScheduleKey> schedules = {};  // with their current occurrences
    std::vector<Uuid> bulk_runs = {};
    std::vector<Uuid> api_tokens = {};
    std::vector<Query> queries = {};  // answered in order; no job is found by two of them
    bool wait = false;  // for rows that somebody else holds, a little; nothing is held then
};

struct Loaded {
    Time now;  // the store's clock, read after the rows were locked
    std::vector<Claim> claims;
    std::vector<std::pair<ClaimId, Content>> contents;
    std::vector<Source> sources;
    std::vector<Job> jobs;
    std::vector<std::pair<JobId, JobBody>> bodies;
    std::vector<std::pair<JobId, JobResult>> results;
    std::vector<Edge> edges;
    std::vector<std::pair<StepRef, JobId>> steps;  // those named that exist
    std::vector<JobId> taken_ids;                  // of those that are wanted
    std::vector<JobId> left_out;                   // of those that may wait
    std::vector<Wait> waits;                       // read without locks: see core/cycle.hpp
    bool waits_are_whole = true;                   // false: there are more than can be searched
    std::vector<LockGroup> groups;
    std::vector<Schedule> schedules;
    std::vector<BulkRun> bulk_runs;
    std::vector<ApiToken> api_tokens;
    std::vector<QueryResult> queries;
    Held held;  // never on a store that has one writer
    Damaged damaged;
    // Heads of loaded groups that are held themselves, and that run for as long as their group's
    // row is ours: whatever ends an attempt needs that row too.
    std::vector<JobId> running_heads;
};

}  // namespace semel
