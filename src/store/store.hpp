// Store: the engine's interface to a database. A store reads and writes rows, and the core decides
// what changes.
//
// Errors: every callback receives a Result. Committer says which errors change nothing.
// Threads: a Committer is called on the engine's executor and answers there, through the `post` it
// was opened with. Reads are called on any thread and answer on any thread, possibly before the
// call returns. Members of Store say which of them are thread-safe.
// Lifetime: a store outlives its Committers and its Reads.
#pragma once

#include <compare>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <semel/tx.hpp>

#include "base/file.hpp"
#include "base/result.hpp"
#include "core/batch/changes.hpp"
#include "core/batch/load_spec.hpp"
#include "core/commands.hpp"
#include "core/keys/uncertain_claims.hpp"

namespace semel {

template <typename T>
using Done = std::function<void(Result<T>)>;

// A long operation calls it repeatedly, on any thread. If it returns false, the operation ends.
using IsWanted = std::function<bool()>;

// Runs a function later on the engine's executor. Thread-safe.
using Post = std::function<void(std::function<void()>)>;

// Runs a caller's own statements. Returns false to undo them. Throws nothing.
using OwnWrites = std::function<bool(Tx&)>;

// The result of a caller's own statements.
struct Written {
    std::string error = {};  // not empty: the reason for which the store has undone them
    bool is_final = false;   // the same statements would fail again
    bool is_lost = false;    // the whole transaction has ended and changed nothing
};

// One stream of transactions. Each is a load, any number of writes, and an end: a commit or a
// rollback. The engine calls the next step after the answer to the step before. A Committer that is
// destroyed rolls back its open transaction.
class Committer {
public:
    virtual ~Committer() = default;

    // Begins a transaction and climbs the ladder (core/batch/load_spec.hpp). After an error the
    // transaction is over.
    virtual void load(LoadSpec spec, Done<Loaded> done) = 0;

    // Runs a caller's statements within the transaction, all of them or none. After an error the
    // transaction is over and nothing was changed.
    virtual void write(std::shared_ptr<const OwnWrites> writes, Done<Written> done);

    // Saves the changes and commits them, together with the writes. The transaction is over.
    // - Success: the commit is durable, as StoreInfo::durability says.
    // - `commit_unknown`: the commit might have happened.
    // - `busy`: nothing was changed. Decide the batch again.
    // - Any other error: nothing was changed.
    virtual void commit(std::shared_ptr<const Changes> changes, Done<void> done) = 0;

    // Ends the transaction without a change. `busy`: the loaded rows might be outdated. Decide the
    // batch again.
    virtual void roll_back(Done<void> done) = 0;
};

// ---- reads ------------------------------------------------------------------------------------

struct ActionDetails {
    ActionView view;
    std::vector<Attempt> history;     // ended attempts, oldest first; a running one is in the job
    std::optional<JobId> group_head;  // the head of its lock group
    std::vector<BlockerView> blockers = {};  // in the order of the request; without outputs
};

// One job of a chain.
struct StepView {
    ActionView view;
    std::vector<BlockerView> blockers = {};  // without their outputs
};

// A chain or an action of a tenant.
struct ChainRef {
    std::string tenant;
    JobId id;
};

// A claim of a tenant.
struct ClaimRef {
    std::string tenant;
    ClaimId id;

    auto operator<=>(const ClaimRef&) const = default;
};

// Returns the owner of a fence's claim. nullopt if the claim has no owner now.
[[nodiscard]] std::optional<SourceHolder> holder_of(const Claim& claim);

struct LoggedDecision {
    std::int64_t sequence = 0;
    DecisionEntry entry;
};

struct JobCount {
    Status status = Status::pending;
    std::string type;
    std::int64_t count = 0;
};

class Reads {
public:
    virtual ~Reads() = default;

    virtual void get_action(std::string tenant, JobId id,
                            Done<std::optional<ActionDetails>> done) = 0;
    // Newest first by id, only ids before `before`. A row that matches during a whole walk is in it
    // exactly once.
    virtual void list_actions(std::string tenant, ActionFilter filter, std::optional<JobId> before,
                              int limit, Done<std::vector<ActionView>> done) = 0;
    virtual void list_decisions(std::string tenant, std::optional<std::int64_t> before, int limit,
                                Done<std::vector<LoggedDecision>> done) = 0;
    // The ids of matching actions, oldest first, between `after` and `before` (both exclusive).
    virtual void walk_actions(std::string tenant, ActionFilter filter, std::optional<JobId> after,
                              JobId before, int limit, Done<std::vector<JobId>> done) = 0;
    virtual void count_actions(std::string tenant, ActionFilter filter,
                               Done<MatchedActions> done) = 0;
    // Also finds an action, as a chain of one job.
    virtual void get_chain(std::string tenant, JobId id, Done<std::optional<ChainView>> done) = 0;
    // The status of each chain's last job, in the order of `chains`. nullopt: no such chain.
    virtual void get_chain_statuses(std::vector<ChainRef> chains,
                                    Done<std::vector<std::optional<Status>>> done) = 0;
    // Chains that were started as chains, newest first by id, only ids before `before`.
    virtual void list_chains(std::string tenant, ChainFilter filter, std::optional<JobId> before,
                             int limit, Done<std::vector<ChainView>> done) = 0;
    // The jobs of a chain in order, starting at index `from`.
    virtual void list_steps(std::string tenant, JobId chain, int from, int limit,
                            Done<std::vector<StepView>> done) = 0;
    virtual void get_schedule(ScheduleKey key, Done<std::optional<ScheduleView>> done) = 0;
    // Newest first by id, only ids before `before`.
    virtual void list_schedules(std::string tenant, std::optional<Uuid> before, int limit,
                                Done<std::vector<ScheduleView>> done) = 0;
    virtual void get_bulk_run(std::string tenant, Uuid id, Done<std::optional<BulkRun>> done) = 0;
    // The open runs of all tenants, oldest first.
    virtual void list_open_bulk_runs(Done<std::vector<BulkRun>> done) = 0;
    // The claim without its content.
    virtual void get_claim(std::string tenant, ClaimId id, Done<std::optional<Claim>> done) = 0;
    // The owner of each claim and the end of its lease, in the order of `claims`. An owner stays
    // after its lease until another caller owns the claim.
    virtual void get_holds(std::vector<ClaimRef> claims,
                           Done<std::vector<std::optional<SourceHolder>>> done) = 0;
    // Claims of one space or of all, whose key has `key` as a part (see core/keys/dedup_key.hpp),
    // in any order. Slow: scans the claims.
    virtual void find_claims(std::string tenant, std::optional<std::string> space, std::string key,
                             int limit, Done<std::vector<Claim>> done) = 0;
    // Claims that are uncertain, newest first. Reads at most a page of them, and kSilentClaimsMax
    // expired claims. A claim that matches during a whole walk is in it exactly once.
    virtual void list_uncertain_claims(UncertainQuery query, Done<std::vector<Claim>> done) = 0;
    // Uncertain claims of all tenants by space, in any order. Spaces without any are left out.
    virtual void count_uncertain_claims(Done<std::vector<SpaceCount>> done) = 0;
    // The body of a kept answer. nullopt: it has expired, or was deleted.
    virtual void get_response(Uuid id, Done<std::optional<std::string>> done) = 0;
    virtual void list_api_tokens(Done<std::vector<ApiToken>> done) = 0;
    virtual void count_jobs(Done<std::vector<JobCount>> done) = 0;
};

// ---- the store --------------------------------------------------------------------------------

struct StoreInfo {
    std::string kind;         // "sqlite", "memory", …
    std::string location;     // a path, or a URL without its password
    std::string durability;   // one sentence: which failures a commit survives
    bool is_durable = false;  // an acknowledged commit survives a power cut
};

// A problem for the operator to solve, although the store works.
struct StoreWarning {
    std::string name;    // of this kind of warning
    std::string detail;  // the problem and its place
    std::string fix;     // the remedy
};

// A lane: the jobs of one tenant and one type.
using Lane = std::pair<std::string, std::string>;
// Lanes with a worker, and until when that is assumed. An empty tenant means all tenants.
using KnownWorkers = std::map<Lane, Time>;

class Store {
public:
    virtual ~Store() = default;

    [[nodiscard]] virtual std::unique_ptr<Committer> open_committer(Post post) = 0;
    // The number of Committers that are useful at the same time.
    [[nodiscard]] virtual int committers() const { return 1; }
    [[nodiscard]] virtual Reads& reads() = 0;

    // Returns true if other processes can change the store, now or later.
    [[nodiscard]] virtual bool is_shared() const { return true; }

    // Store time. Never goes back. Thread-safe.
    [[nodiscard]] virtual Time now() const = 0;
    // The wall clock minus store time, while store time follows a step of the wall clock.
    [[nodiscard]] virtual Millis clock_offset() const = 0;
    [[nodiscard]] virtual StoreInfo info() const = 0;
    // Warnings found within the last few seconds, the worst first. Thread-safe.
    [[nodiscard]] virtual std::vector<StoreWarning> warnings() const { return {}; }

    // Sets a function to call on any thread when another node might have left work, and
    // periodically. Null ends that. A store without other nodes never calls it.
    virtual void watch(const std::function<void()>& /*poll*/) {}
    // Does the same for chains and effects that another node might have ended. The function is
    // called only at a hint of such an end, and hints can be lost.
    virtual void watch_ends(const std::function<void()>& /*poll*/) {}

    // Answers a consistent copy of a store that is one file, as an open file without a name. The
    // copy has all commits before the call. Writes continue meanwhile.
    // Errors: `refused` if the store is not one file, `stopped` if no longer wanted.
    // Threads: any, and `done` runs on any thread.
    virtual void copy(IsWanted is_wanted, Done<OpenFile> done);

    // Publishes this node's workers to the other nodes within about 1 s, and returns whether
    // another node has a worker for a lane. For information only. Thread-safe.
    virtual void tell_workers(const KnownWorkers& /*own*/) {}
    [[nodiscard]] virtual bool has_worker_elsewhere(const Lane& /*lane*/) const { return false; }
};

}  // namespace semel
