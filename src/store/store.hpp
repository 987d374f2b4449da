// Store: the seam between the engine and whatever keeps the rows. It knows rows, not rules.
//
// Threads: the engine calls a Committer on its one executor, and the Committer answers there, by
// the `post` it was opened with. Reads may be asked from any thread and answer on any thread.
#pragma once

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
#include "core/changes.hpp"
#include "core/commands.hpp"
#include "core/load_spec.hpp"

namespace semel {

template <typename T>
using Done = std::function<void(Result<T>)>;

// Asked now and then, on any thread, by what takes long.
using IsWanted = std::function<bool()>;

// Runs a function on the engine's executor, later. Thread-safe.
using Post = std::function<void(std::function<void()>)>;

// Statements of a caller's own. False: they are to be undone. Throws nothing.
using OwnWrites = std::function<bool(Tx&)>;

// What became of them.
struct Written {
    std::string error = {};  // why they are undone although they should not
    bool is_final = false;   // trying them again would be in vain
    bool is_lost = false;    // the transaction went with them: it is over, and changed nothing
};

// One stream of transactions: load, then save and commit, or roll back. Each step is answered
// before the next is asked for.
class Committer {
public:
    virtual ~Committer() = default;

    // Begins a transaction and climbs the ladder (core/load_spec.hpp). After an error the
    // transaction is over.
    virtual void load(LoadSpec spec, Done<Loaded> done) = 0;

    // Runs a caller's statements within the transaction, all of them or none: any number of times
    // between load and save. After an error the transaction is over and nothing was changed.
    virtual void write(std::shared_ptr<const OwnWrites> writes, Done<Written> done);

    // After an error the transaction is over and nothing was changed.
    virtual void save(std::shared_ptr<const Changes> changes, Done<void> done) = 0;

    // Success: durable, as far as the store's durability class goes. `commit_unknown`: neither
    // success nor failure. Any other error: nothing was changed.
    virtual void commit(Done<void> done) = 0;

    // Ends a transaction that changed nothing, or shall not. `busy`: what was loaded cannot be
    // relied upon; whoever decided by it is to decide again.
    virtual void roll_back(Done<void> done) = 0;
};

// ---- reads ------------------------------------------------------------------------------------

struct ActionDetails {
    ActionView view;
    std::vector<Attempt> history;     // ended attempts, oldest first; a running one is in the job
    std::optional<JobId> group_head;  // of its lock group
    std::vector<BlockerView> blockers = {};  // in the order in which they were given; no outputs
};

// One job of a chain.
struct StepView {
    ActionView view;
    std::vector<BlockerView> blockers = {};  // without their outputs
};

// A chain, or an action, of a tenant.
struct ChainRef {
    std::string tenant;
    JobId id;
};

// A claim of a tenant.
struct ClaimRef {
    std::string tenant;
    ClaimId id;
};

// Who has a claim for an effect; nothing: nobody does.
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
    // Newest first, by id, those before `before`. A row that matches during a whole walk appears
    // exactly once in it.
    virtual void list_actions(std::string tenant, ActionFilter filter, std::optional<JobId> before,
                              int limit, Done<std::vector<ActionView>> done) = 0;
    virtual void list_decisions(std::string tenant, std::optional<std::int64_t> before, int limit,
                                Done<std::vector<LoggedDecision>> done) = 0;
    // Ids of those that match, oldest first, between the two (exclusive).
    virtual void walk_actions(std::string tenant, ActionFilter filter, std::optional<JobId> after,
                              JobId before, int limit, Done<std::vector<JobId>> done) = 0;
    virtual void count_actions(std::string tenant, ActionFilter filter,
                               Done<MatchedActions> done) = 0;
    // Also a chain of one: an action.
    virtual void get_chain(std::string tenant, JobId id, Done<std::optional<ChainView>> done) = 0;
    // Of each its last job's, and nothing else of it; in their order. Nothing: there is no such
    // chain.
    virtual void get_chain_statuses(std::vector<ChainRef> chains,
                                    Done<std::vector<std::optional<Status>>> done) = 0;
    // Those that were started as chains. Newest first, by id, those before `before`.
    virtual void list_chains(std::string tenant, ChainFilter filter, std::optional<JobId> before,
                             int limit, Done<std::vector<ChainView>> done) = 0;
    // The jobs of a chain in order, from this index on.
    virtual void list_steps(std::string tenant, JobId chain, int from, int limit,
                            Done<std::vector<StepView>> done) = 0;
    virtual void get_schedule(ScheduleKey key, Done<std::optional<ScheduleView>> done) = 0;
    // Newest first, by id, those before `before`.
    virtual void list_schedules(std::string tenant, std::optional<Uuid> before, int limit,
                                Done<std::vector<ScheduleView>> done) = 0;
    virtual void get_bulk_run(std::string tenant, Uuid id, Done<std::optional<BulkRun>> done) = 0;
    // Of all tenants, oldest first.
    virtual void list_open_bulk_runs(Done<std::vector<BulkRun>> done) = 0;
    // Without its content.
    virtual void get_claim(std::string tenant, ClaimId id, Done<std::optional<Claim>> done) = 0;
    // Of each who has it, and until when, and nothing else of it; in their order. Also past the
    // lease, until somebody else has it.
    virtual void get_holds(std::vector<ClaimRef> claims,
                           Done<std::vector<std::optional<SourceHolder>>> done) = 0;
    // Claims of a space, or of every one, whose key has this part as the caller wrote it, in any
    // order; see core/dedup_key.hpp. Looks through all of them.
    virtual void find_claims(std::string tenant, std::optional<std::string> space, std::string key,
                             int limit, Done<std::vector<Claim>> done) = 0;
    virtual void list_api_tokens(Done<std::vector<ApiToken>> done) = 0;
    virtual void count_jobs(Done<std::vector<JobCount>> done) = 0;
};

// ---- the store --------------------------------------------------------------------------------

struct StoreInfo {
    std::string kind;         // "sqlite", "memory"
    std::string location;     // a path, or a URL without its password
    std::string durability;   // one sentence on what survives what
    bool is_durable = false;  // an acknowledged commit survives a power cut
};

// What people should look after, though the store works.
struct StoreWarning {
    std::string name;    // of its kind
    std::string detail;  // who or what it is
    std::string fix;     // what to do
};

// Due work of one tenant and one type.
using Lane = std::pair<std::string, std::string>;
// Lanes that have a worker, and until when that is taken to be so. An empty tenant is all of them.
using KnownWorkers = std::map<Lane, Time>;

class Store {
public:
    virtual ~Store() = default;

    [[nodiscard]] virtual std::unique_ptr<Committer> open_committer(Post post) = 0;
    // How many of them beside one another are worth it.
    [[nodiscard]] virtual int committers() const { return 1; }
    [[nodiscard]] virtual Reads& reads() = 0;

    // Whether other processes may change it, now or later.
    [[nodiscard]] virtual bool is_shared() const { return true; }

    // Store time: never goes back. Thread-safe.
    [[nodiscard]] virtual Time now() const = 0;
    // How far the wall clock is ahead of store time, while a step of it is being slewed.
    [[nodiscard]] virtual Millis clock_offset() const = 0;
    [[nodiscard]] virtual StoreInfo info() const = 0;
    // As of a few seconds ago, the worst first. Thread-safe.
    [[nodiscard]] virtual std::vector<StoreWarning> warnings() const { return {}; }

    // Calls `look`, on any thread, whenever another node may have left something to do, and every
    // so often. Null: no more. A store that has one node needs none of it.
    virtual void watch(const std::function<void()>& /*look*/) {}
    // The same for chains that another node may have ended, and for effects. It is a hint, which
    // may be lost, and comes with nothing but an end.
    virtual void watch_ends(const std::function<void()>& /*look*/) {}

    // A consistent copy of a store that is one file, as of a moment after the call; the copy is a
    // file without a name. Writes go on meanwhile. May be asked from any thread and answers on any
    // thread; `refused`: this store is not one file; `stopped`: no longer wanted.
    virtual void copy(IsWanted is_wanted, Done<OpenFile> done);

    // Whose workers are known to whom: this node's for the others, within about a second, and
    // whether one of the others' is known for a lane. For people to look at. Thread-safe.
    virtual void tell_workers(const KnownWorkers& /*own*/) {}
    [[nodiscard]] virtual bool has_worker_elsewhere(const Lane& /*lane*/) const { return false; }
};

}  // namespace semel
