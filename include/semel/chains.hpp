// Chains: jobs that follow one another. A job names the next one when it completes.
// docs/guides/chains.md is the guide.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <semel/handler.hpp>
#include <semel/problem.hpp>
#include <semel/result.hpp>
#include <semel/time.hpp>
#include <semel/uuid.hpp>
#include <semel/words.hpp>

namespace semel {

class Host;
struct ChainSpec;

// A chain that must complete before a job starts: the id of a chain or an action that exists, or a
// chain to start in the same commit.
class BlockerSpec {
public:
    BlockerSpec(const Uuid& id) : id_(id) {}
    BlockerSpec(ChainSpec chain);

    // Absent for a chain to start.
    [[nodiscard]] const std::optional<Uuid>& id() const { return id_; }
    // Null for a chain that exists. Lives as long as this object or a copy of it.
    [[nodiscard]] const ChainSpec* chain() const { return chain_.get(); }

private:
    std::optional<Uuid> id_;
    std::shared_ptr<const ChainSpec> chain_;  // INVARIANT: null exactly if `id_` has a value
};

// The key of a chain. A start with the key of a chain that matches returns that chain.
struct ChainKey {
    // The key, per type of the first job and tenant: 1 byte to 64 KiB.
    std::string key;
    // `incomplete` matches a chain until its last job has ended, `any` also after that. `pending`
    // is refused.
    Scope scope = Scope::incomplete;
    // A chain matches for this time after its start. At most EngineOptions::key_retention. Absent:
    // as long as its key is remembered.
    std::optional<Millis> window = {};
    // Chains that do not match, at most 100: a chain that starts its own successor excludes itself.
    std::vector<Uuid> exclude = {};
};

// A request for a chain. Members that ActionSpec has too mean the same, for the first job. The jobs
// that follow inherit lock group, priority, backoff, retries and timeout: see NextStep::options.
struct ChainSpec {
    // Type and input of the first job.
    std::string type = {};
    std::string input = "{}";
    // The id of the chain, a UUID of version 7. A repeat with the same type and input returns the
    // chain. A repeat with others is refused with `conflict`. Absent: Semel makes one.
    std::optional<Uuid> id = {};
    std::optional<Time> scheduled_at = {};
    std::optional<Millis> delay = {};
    // The chains that must complete before the first job starts, at most 1 000.
    std::vector<BlockerSpec> blockers = {};
    OnBlockerFailed on_blocker_failed = OnBlockerFailed::fail;
    // Absent: every start without an `id` makes a chain.
    std::optional<ChainKey> deduplication = {};
    std::string lock_group = {};
    // Total attempts of each job. Absent: no limit, except that five lost leases in a row fail it.
    std::optional<int> max_retries = {};
    // Empty: 10 s after the first attempt, then twice as long each time, up to 5 minutes.
    std::string backoff = {};
    std::optional<Millis> timeout = {};
    int priority = 0;
    // Ignored in a BlockerSpec: that chain belongs to the tenant of the job that waits.
    std::string tenant = "default";
};

inline BlockerSpec::BlockerSpec(ChainSpec chain)
    : chain_(std::make_shared<const ChainSpec>(std::move(chain))) {}

// The answer to a start. The engine returns it only after the chain is durable.
struct ChainAnswer {
    // The new chain, or the existing one. Nil if the start was refused.
    Uuid id;
    // Whether the chain existed: this start made no job and no blocker.
    bool deduplicated = false;
    // Whether the existing chain has an input other than that of this request.
    bool input_differs = false;
    // Why the start was refused. A refused start changed nothing.
    std::optional<Problem> problem = {};

    // False if the start was refused.
    explicit operator bool() const { return !problem; }
};

// A chain as a read finds it. An action is a chain of one job.
struct ChainInfo {
    Uuid id;
    // Type and input of the first job.
    std::string type;
    std::string input;
    // Status, output (JSON), error and position of the last job.
    Status status = Status::pending;
    std::optional<std::string> output;
    std::optional<std::string> error_message;
    int chain_index = 0;
};

// The chains of an engine: Engine::chains().
//
// Threads and errors: as for Engine. Each call blocks until its answer is durable.
class Chains {
public:
    explicit Chains(Host& host) : host_(host) {}  // for Engine

    // Starts a chain with its first job, or finds the chain that has its key or id.
    //
    // Returns an answer without a Problem if the chain exists now. Its Problem is:
    // - `invalid` or `unknown_member` for a request that breaks a limit,
    // - `conflict` if `id` belongs to another chain or input,
    // - `not_found` or `cycle` for a blocker that does not exist or waits for this chain,
    // - `uncertain` if the effect of the chain with this key is uncertain,
    // - `too_large` if the key has 100 unfinished chains, or a blocker 1 000 jobs that wait for it.
    // Example: auto r = engine.chains().start({.type = "order:charge", .input = R"({"id":17})"});
    [[nodiscard]] Result<ChainAnswer> start(const ChainSpec& chain);

    // Starts chains of one tenant in one commit. Returns one answer per chain, in their order. A
    // refused chain does not affect the others. Its Problem can be `store_unavailable` too, if
    // another transaction holds a row that it needs.
    //
    // Errors: `invalid` if the chains name several tenants.
    [[nodiscard]] Result<std::vector<ChainAnswer>> start_all(const std::vector<ChainSpec>& chains);

    // Reads a chain, or an action. Returns nullopt if the tenant has none with this id, for example
    // after its retention. The id is that of the first job.
    [[nodiscard]] Result<std::optional<ChainInfo>> get(const Uuid& id,
                                                       const std::string& tenant = "default");

    // Waits for the end of a chain, at most for `patience`, and reads it. Returns nullopt like
    // get(). After `patience` the status is not final: check it with is_final().
    //
    // Errors: `stopped` if the engine stops meanwhile.
    [[nodiscard]] Result<std::optional<ChainInfo>> wait(const Uuid& id, Millis patience,
                                                        const std::string& tenant = "default");

    // Completes the current job of a chain without a worker, with the output or the next job of
    // `result`. A worker that runs the job loses it. `chain_index` names the job, so that a repeat
    // cannot complete the next one. A repeat with the same content changes nothing and succeeds.
    //
    // Returns nullopt on success. Otherwise returns the Problem:
    // - `not_found` if the chain does not exist,
    // - `invalid` or `too_large` if the result breaks a limit, or is not a completed one,
    // - `wrong_state` if another job is the current one,
    // - `wrong_state` if the job ended otherwise, is uncertain or waits for a predecessor,
    // - `conflict` if the job was completed with other content,
    // - those of start() for the next job.
    // Example: chains.complete(id, 0, semel::done(R"({"approved":true})"));
    [[nodiscard]] Result<std::optional<Problem>> complete(const Uuid& id, int chain_index,
                                                          const HandlerResult& result,
                                                          const std::string& tenant = "default");

    // Cancels the current job of a chain, and so the chain. A worker that runs the job loses it.
    // Jobs of other chains that wait for this one fail, unless they have `OnBlockerFailed::wait`.
    //
    // Returns nullopt on success. Otherwise returns the Problem: `not_found`, or `wrong_state` if
    // the chain has ended or is uncertain.
    [[nodiscard]] Result<std::optional<Problem>> cancel(const Uuid& id,
                                                        const std::string& tenant = "default");

private:
    Host& host_;
};

}  // namespace semel
