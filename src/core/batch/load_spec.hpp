// LoadSpec and Loaded: the rows that a batch of commands needs, and the rows that the store loaded.
//
// A command names only the rows that it knows. The store finds the rest on a fixed ladder. Each
// rung starts from the ids that the rungs above have found:
//
//   claims    named claims, and claims of jobs with JobRef::claim
//   outbox    entries, and the rows that each entry names
//   jobs      named jobs, jobs found by a query, owners of loaded claims; then the predecessors
//             and successors of all these
//   chains    the first job of the chain of each job that can end; the last job of each named
//             chain and of each owner
//   edges     of chains that can end, with the jobs that wait for these chains; of jobs with
//             JobRef::blockers, and of continuations with JobRef::outcome
//   schedules named schedules, and schedules of loaded occurrences
//   groups    named groups, and groups of loaded jobs and schedules, each with its head
//   sources   named sources, and sources whose version a loaded claim holds
//   waiting   the next members in the queue of each loaded group, one more than the batch can
//             take out, not counting occurrences that waited past their slot and can move back
//
// A decision that needs a row outside the ladder is a design error. The rows that a decision can
// change stay locked until the transaction ends. Rows locked elsewhere are in
// Loaded::locked_elsewhere instead. All types here are plain values.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/batch/rows.hpp"
#include "core/settings.hpp"

namespace semel {

// Due jobs with their payloads, in the order of work. Within a tenant that is by priority,
// scheduledAt and id, over all types. Between tenants it is round-robin after `after_tenant`.
struct ReadyQuery {
    std::optional<std::string> tenant;  // absent: all tenants
    std::vector<std::string> types;
    int limit = 1;
    std::string after_tenant = {};
};

// Jobs in Place::later that are due. Also returns the time at which the next one is due.
struct DueQuery {
    int limit = 500;
};

// Running jobs whose lease or time-out has ended, with their claims. Jobs with a committed result
// (`settling`) are left out. Also returns the time at which the next lease or time-out ends.
struct ExpiredQuery {
    int limit = 500;
};

// Chains that ended at least `age` ago, oldest first, each by its last job. With them come their
// claims, their earlier jobs (oldest first) and the chains that these jobs waited for. The amount
// is limited to the work of one command.
struct FinishedQuery {
    Millis age{0};
    int limit = 500;
};

// Jobs in Place::failing_dependants, with the dependants of their chains.
struct FailingDependantsQuery {
    int limit = 1;
};

// A chain with all its jobs and its dependants. With `cascade` also the chains that its jobs waited
// for, and recursively the chains that these waited for.
struct DeletionQuery {
    JobId chain;
    bool cascade = false;
};

// Claims whose retention has ended, or ends within `ahead`. On a shared store all queries of one
// load must have the same `ahead`.
struct ExpiredClaimsQuery {
    int limit = 500;
    Millis ahead{0};
};

// Sources whose retention has ended.
struct ExpiredSourcesQuery {
    int limit = 500;
};

// Bodies of kept answers whose retention has ended. Only their ids are loaded.
struct ExpiredResponsesQuery {
    int limit = 500;
};

// Bulk runs that finished at least `age` ago.
struct FinishedBulkRunsQuery {
    Millis age{0};
    int limit = 500;
};

// Entries of the decision log from the UTC days before the day of now - `age`.
struct OldDecisionsQuery {
    Millis age{0};
    int limit = 500;
};

// Entries of the outbox, oldest first, with the rows that each entry needs, and without the entries
// to skip. Only one node at a time gets entries. The others get none.
struct OutboxQuery {
    int limit = 250;
    Settings settings = {};  // to read the requests of the entries
    std::vector<std::int64_t> skip = {};
};

// Results of outbox entries that were written at least `age` ago.
struct OldOutboxResultsQuery {
    Millis age{0};
    int limit = 500;
};

using Query =
    std::variant<ReadyQuery, DueQuery, ExpiredQuery, FinishedQuery, FailingDependantsQuery,
                 DeletionQuery, ExpiredClaimsQuery, ExpiredSourcesQuery, ExpiredResponsesQuery,
                 FinishedBulkRunsQuery, OldDecisionsQuery, OutboxQuery, OldOutboxResultsQuery>;

// A chain that a job waited for, as the job's worker receives it.
struct BlockerView {
    JobId id;
    std::string type = {};
    std::optional<Status> status = {};  // absent: the chain's rows are deleted
    std::optional<std::string> output = {};
};

// A chain to prune.
struct FinishedChain {
    JobId last;
    std::vector<JobId> before = {};  // the chain's earlier jobs, oldest first
    bool is_whole = true;            // false: `before` has only some of them
};

// Chains to delete, each with its jobs in order.
struct ChainDeletion {
    std::vector<std::pair<JobId, std::vector<JobId>>> chains = {};
    std::size_t jobs = 0;
    std::size_t edges = 0;      // from and to these jobs
    bool is_too_large = false;  // over a limit, so that the lists are incomplete
};

struct QueryResult {
    std::vector<JobId> jobs;
    std::vector<FinishedChain> chains;
    std::vector<ClaimId> claims;
    std::vector<SourceKey> sources;
    std::vector<Uuid> responses;
    std::vector<Uuid> bulk_runs;
    std::vector<DecisionRef> decisions;
    std::vector<OutboxEntry> outbox;
    std::vector<Uuid> outbox_results;
    std::optional<ChainDeletion> deletion;
    std::map<JobId, std::vector<BlockerView>> blockers;  // ReadyQuery: of jobs with blockers
    // DueQuery, ExpiredQuery: the time of the first job that is not in the result. FinishedQuery:
    // present if more chains have ended.
    std::optional<Time> next_at;
};

// Asks for the content of a claim, unless its fingerprint equals `known`.
struct ContentRef {
    ClaimId claim;
    Hash256 known;
};

struct JobRef {
    JobId id;
    bool body = false;      // also its payload and result
    bool stays = false;     // without its queue and without the dependants of its chain
    bool claim = false;     // also its claim, or its chain's
    bool chain = false;     // also the last job of the chain that it begins, with its result
    bool outcome = false;   // once it has ended, also its result and its continuation, with edges
    bool blockers = false;  // also the first and last jobs of the chains that it waits for
    bool may_wait = false;  // left to another load if earlier jobs have very many edges
    // The command completes the attempt with this token, if no other call has ended it. A store
    // that remembers the row with this token can guess that it is unchanged, and check that at its
    // save.
    std::optional<Token> completed_by = std::nullopt;
};

// One step of a chain.
struct StepRef {
    JobId chain;
    int index = 0;

    bool operator==(const StepRef&) const = default;
};

// One wait between chains: `chain` waits for `blocker` now.
struct Wait {
    JobId chain;
    JobId blocker;

    bool operator==(const Wait&) const = default;
};

// Rows that another transaction has locked. A command that meets one of them is decided later,
// because the row's new content is not known yet.
struct LockedElsewhere {
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

// Rows that exist but cannot be read, each with a text that says the fault and the remedy. A
// command that meets one of them is refused with this text. Other commands are decided.
struct Damaged {
    std::vector<std::pair<ClaimId, std::string>> claims = {};
    std::vector<std::pair<SourceKey, std::string>> sources = {};
};

struct LoadSpec {
    std::vector<ClaimId> claims = {};       // owners come with payload and result
    std::vector<ContentRef> contents = {};  // of claims that are also in `claims`
    std::vector<SourceKey> sources = {};
    std::vector<JobRef> jobs = {};
    std::vector<StepRef> steps = {};              // with payload and result
    std::vector<JobId> wanted_ids = {};           // requested for new jobs
    std::vector<JobId> waits_from = {};           // chains to follow from wait to wait
    std::vector<ClaimId> waits_from_owners = {};  // likewise the chains that own these claims
    std::vector<GroupKey> groups = {};        // once for each command that can take a member out
    std::vector<ScheduleKey> schedules = {};  // with their current occurrences
    std::vector<Uuid> bulk_runs = {};
    std::vector<Uuid> api_tokens = {};
    std::vector<Query> queries = {};  // answered in order, and no job is found twice
    bool wait =
        false;  // waits briefly for rows locked elsewhere: Loaded::locked_elsewhere is empty then
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
    std::vector<std::pair<StepRef, JobId>> steps;  // the named steps that exist
    std::vector<JobId> taken_ids;                  // the wanted ids that are in use
    std::vector<JobId> left_out;                   // the jobs left to another load (may_wait)
    std::vector<Wait> waits;                       // read without locks: see core/chains/cycle.hpp
    bool waits_are_whole = true;                   // false: more than kWaitsMax exist
    std::vector<LockGroup> groups;
    std::vector<Schedule> schedules;
    std::vector<BulkRun> bulk_runs;
    std::vector<ApiToken> api_tokens;
    std::vector<QueryResult> queries;
    LockedElsewhere locked_elsewhere;  // empty on a store that has one writer
    Damaged damaged;
    // Heads of loaded groups that are locked elsewhere but known to run. They run at least until
    // this transaction unlocks the group's row, because the end of an attempt needs that row too.
    std::vector<JobId> running_heads;
};

}  // namespace semel
