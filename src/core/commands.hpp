// Commands: every change of a row, as plain data that can be queued, repeated and simulated.
//
// core/decide.hpp has two functions for each command: name_rows() and decide(). decide() returns
// the command's Outcome, or a Problem if nothing changes. A command with a list of items is one
// commit. The rules also hold between its items. Each item has its own answer, and a refused item
// changes nothing. Plain values. Lifetime: a command owns all its data.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/actions/work_options.hpp"
#include "core/batch/load_spec.hpp"
#include "core/batch/rows.hpp"
#include "core/limits.hpp"
#include "core/passes/pass_commands.hpp"
#include "core/reply.hpp"

namespace semel {

// ---- scheduling -----------------------------------------------------------------------------

struct Deduplication {
    ClaimId claim;
    std::string full_key;
    Millis window{0};  // above zero
    Scope scope = Scope::pending;
    OnDuplicate on_duplicate = OnDuplicate::replace;
    Millis max_wait{0};  // debounce
};

// A checked request for one action. An omitted option stays empty, because a duplicate reports the
// given options that it ignores.
struct ActionRequest {
    std::string type;
    std::string payload = "{}";    // JSON, the bytes of the request
    std::optional<JobId> id = {};  // for a new action; absent: a generated id
    std::optional<Time> scheduled_at = {};
    std::optional<Millis> delay = {};
    std::optional<std::string> lock_group = {};
    std::optional<int> max_retries = {};
    std::optional<Backoff> backoff = {};
    std::optional<Millis> timeout = {};
    std::optional<int> priority = {};
    std::optional<Deduplication> deduplication = {};
    std::string source_type = {};  // entityType and entityId, for the decision log
    std::string source_id = {};
};

// A job with everything that users see of it.
struct ActionView {
    Job job;
    JobBody body;
    JobResult result;
};

struct ScheduledAction {
    Decision decision = Decision::new_;
    ActionView action;
    bool replaced = false;
    bool payload_differs = false;
    bool purged = false;  // only id and status of `action` are known
    std::vector<std::string> ignored = {};
    std::optional<JobId> successor_of = {};
};

struct ScheduleActions {
    using Outcome = std::vector<Item<ScheduledAction>>;
    std::string tenant;
    std::vector<Item<ActionRequest>> items;
};

// ---- chains ---------------------------------------------------------------------------------

struct ChainRequest;
// An existing chain, or a chain that is started together with the job that waits for it.
using BlockerRequest = std::variant<JobId, std::shared_ptr<const ChainRequest>>;

// A checked request for one job of a chain.
struct StepRequest {
    std::string type;
    std::string input = "{}";      // JSON, the bytes of the request
    std::optional<JobId> id = {};  // absent: a generated id
    std::optional<Time> scheduled_at = {};
    std::optional<Millis> delay = {};
    WorkOptions options = {};
    std::vector<BlockerRequest> blockers = {};
    OnBlockerFailed on_blocker_failed = OnBlockerFailed::fail;
    std::string pointer = {};  // the place in the request, for Problems found by decide()
};

struct ChainDeduplication {
    ClaimId claim;
    std::string full_key;
    Scope scope = Scope::incomplete;  // or any
    std::optional<Millis> window = {};
    std::vector<JobId> excluded = {};
};

struct ChainRequest {
    StepRequest first;
    std::optional<ChainDeduplication> deduplication = {};
};

// The request for the job that follows another one.
struct Continuation {
    StepRequest step;
    Hash256 fingerprint;  // of the request, without options that can be inherited
};

// A chain with everything that users see of it. It has the status of its last job.
struct ChainView {
    Job first;
    JobBody input;
    Job last;
    JobResult result;
};

struct StartedChain {
    ChainView chain;
    bool deduplicated = false;
    bool input_differs = false;
    bool purged = false;  // only id and status are known
};

struct StartChains {
    using Outcome = std::vector<Item<StartedChain>>;
    std::string tenant;
    std::vector<Item<ChainRequest>> items;
};

// ---- workers --------------------------------------------------------------------------------

struct TakenJob {
    Job job;
    std::string payload;
    std::vector<BlockerView> blockers = {};  // in the order of the request
};

// Claims due jobs for a worker.
struct TakeJobs {
    using Outcome = std::vector<TakenJob>;
    ReadyQuery query;
    std::string worker;
    Millis lease{0};
    // In-process handlers only: by type, the time-out of a job that has none.
    std::map<std::string, Millis> timeouts = {};
};

// One call of a job's owner.
struct JobCall {
    JobId id;
    Token token = Token::none;
    Verb verb = Verb::complete;
    std::optional<std::string> output = {};          // complete: JSON bytes
    std::optional<Continuation> continue_with = {};  // complete
    std::string error = {};                          // fail
    std::optional<Millis> retry_after = {};          // fail: replaces the backoff
    bool final = false;                              // fail: no further attempt
    std::optional<Millis> lease = {};  // heartbeat (absent: 15 s, or the rest if longer)
};

struct JobAnswer {
    JobId id;
    Status status = Status::running;
    Token token = Token::none;
    std::optional<Time> lease_until = {};
    std::optional<JobId> next = {};  // the job's continuation
};

// Applies calls of jobs' owners: complete, fail, heartbeat, release.
struct SettleJobs {
    using Outcome = std::vector<Item<JobAnswer>>;
    std::string tenant;
    std::vector<Item<JobCall>> calls;
};

// Completes a chain's current job without a worker. The index names the job, so that a repeat does
// not complete the next job.
struct CompleteChain {
    using Outcome = JobAnswer;
    std::string tenant;
    JobId chain;
    int chain_index = 0;
    std::optional<std::string> output = {};
    std::optional<Continuation> continue_with = {};
};

struct CancelChain {
    using Outcome = ChainView;
    std::string tenant;
    JobId chain;
};

// Deletes a chain, unless an unfinished job waits for it. With `cascade` also deletes the chains
// that it waited for, recursively. Its key stays remembered.
struct DeleteChain {
    using Outcome = std::vector<JobId>;  // the deleted chains
    std::string tenant;
    JobId chain;
    bool cascade = false;
};

// ---- operators ------------------------------------------------------------------------------

struct OperateAction {
    using Outcome = ActionView;
    std::string tenant;
    JobId id;
    Operation operation = Operation::run_now;
    bool force = false;  // retry although the key has a newer owner
};

// Ends an uncertain action by an operator's finding.
struct ResolveAction {
    using Outcome = ActionView;
    std::string tenant;
    JobId id;
    Resolution resolution = Resolution::completed;
    std::string reason;
};

// ---- schedules --------------------------------------------------------------------------------

struct ScheduleView {
    Schedule schedule;
    std::optional<Job> current = {};
    bool is_new = false;
};

// Makes or changes a schedule. An equal request changes nothing.
struct PutSchedule {
    using Outcome = ScheduleView;
    ScheduleKey key;
    ScheduleSpec spec;
};

struct PauseSchedule {
    using Outcome = ScheduleView;
    ScheduleKey key;
    bool pause = true;  // or resume
};

// Makes an extra action, without a slot.
struct TriggerSchedule {
    using Outcome = ActionView;
    ScheduleKey key;
};

struct DeleteSchedule {
    using Outcome = Schedule;
    ScheduleKey key;
};

// ---- many actions at once ---------------------------------------------------------------------

struct StartBulk {
    using Outcome = BulkRun;
    std::string tenant;
    Operation operation = Operation::run_now;
    ActionFilter filter = {};
    bool dry_run = false;
    MatchedActions matched = {};  // the run ends after the newest, even if another node made it
};

// The next step of a run: actions that matched when they were read, oldest first.
struct StepBulk {
    using Outcome = BulkRun;
    Uuid bulk_run;
    std::vector<JobId> actions;
    bool is_last = false;
    // The run's tenant if the run retries. Retried jobs can close a ring (core/chains/cycle.hpp).
    std::optional<std::string> reopens_in = {};
};

// ---- fences -----------------------------------------------------------------------------------

// A checked request: a caller is about to cause an effect and asks for the right to do so.
struct FenceRequest {
    std::string key;  // as written, or made of its parts
    ClaimId claim;
    std::string full_key;
    FenceClass fence_class = FenceClass::api;
    Millis lease{0};
    Millis ttl{0};
    std::optional<Hash256> fingerprint = {};  // absent: nothing is compared
    std::optional<std::string> content = {};  // JSON, the bytes of the request
    std::string source_type = {};             // of its parts
    std::string source_id = {};
    std::string action = {};
    std::optional<std::int64_t> version = {};  // of its source
    // Above zero: the caller waits and asks again if an owner holds the key. This request's answer
    // `in_flight` is then not sent and not recorded.
    Millis wait{0};
};

struct FenceAnswer {
    Decision decision = Decision::new_;
    // Absent if the answer is stale, or if another claim holds the source. Shared, because many
    // callers receive one receipt.
    std::shared_ptr<const Claim> claim = {};
    bool takeover = false;                          // new: from an owner whose lease ran out
    std::optional<Millis> retry_after = {};         // in_flight
    std::optional<SourceHolder> holder = {};        // in_flight: of the key, or of its source
    std::optional<std::int64_t> last_version = {};  // stale
};

// Claims a fence. A conflict is an Outcome too: it changes nothing but the decision log.
struct ClaimFence {
    using Outcome = Item<FenceAnswer>;
    std::string tenant;
    FenceRequest request;
};

// One call of a fence's owner.
struct FenceCall {
    ClaimId claim = {};
    Token token = Token::none;
    FenceVerb verb = FenceVerb::seal;
    std::string effect_id = {};               // seal
    std::optional<std::string> receipt = {};  // seal: JSON bytes; absent: null
    std::optional<Millis> lease = {};  // heartbeat (absent: the fence's, or the rest if longer)
    std::string reason = {};           // uncertain
};

struct CallFence {
    using Outcome = Claim;  // after the call
    std::string tenant;
    FenceCall call;
};

// Ends an uncertain claim, or both claims of a pass, by an operator's finding.
struct ResolveClaim {
    using Outcome = Claim;
    std::string tenant;
    ClaimId claim;
    // The other claim of a pass, as the caller has read it. A pass that has another one by now is
    // refused with `conflict`: read the claim again.
    std::optional<ClaimId> twin = {};
    ClaimOutcome outcome = ClaimOutcome::sealed;
    std::string effect_id = {};
    std::optional<std::string> receipt = {};
    std::optional<FoundAnswer> answer = {};  // of a pass
    std::string reason;
};

// Frees a claim of any space, so that the next request is `new`. A larger token fences its owner.
// The body of a pass's answer is deleted too, unless its twin still has it.
struct DeleteClaim {
    using Outcome = Claim;
    std::string tenant;
    ClaimId claim;
    std::string reason;
    std::optional<ClaimId> twin = {};  // of a pass; absent: the body of its answer stays
    // The fence's key. Needed only for a damaged row, from which the key cannot be read.
    std::string key = {};
};

// ---- upkeep, by the engine itself -------------------------------------------------------------

struct UpkeepOutcome {
    int count = 0;                     // changed rows
    bool more = false;                 // the limit was reached: repeat the command
    std::optional<Time> next_at = {};  // when the next row is due
};

// Moves due jobs from Place::later to the ready queue.
struct PromoteDue {
    using Outcome = UpkeepOutcome;
    int limit = 500;
};

// Ends attempts whose lease or time-out has ended. A larger token fences their owners.
struct RescueExpired {
    using Outcome = UpkeepOutcome;
    int limit = 500;
};

// Fails the jobs that wait for chains that have failed or were cancelled.
struct FailDependants {
    using Outcome = UpkeepOutcome;
    int limit = 1;  // of chains, each with at most 1 000 dependants
};

// Deletes finished chains after their retention. Their keys stay remembered.
struct PruneJobs {
    using Outcome = UpkeepOutcome;
    Millis retention{0};
    int limit = 500;
};

// Deletes expired claims. Key and effect id of a sealed fence stay for another 400 days. A pass
// that was sent and whose lease has ended becomes uncertain.
struct PruneClaims {
    using Outcome = UpkeepOutcome;
    int limit = 500;
};

// Deletes expired sources.
struct PruneSources {
    using Outcome = UpkeepOutcome;
    int limit = 500;
};

// Deletes bodies of kept answers whose retention has ended.
struct PruneResponses {
    using Outcome = UpkeepOutcome;
    int limit = 500;
};

// The number of requests that received a claim's stored answer. The token names the owner that gave
// the answer, because the key can have another owner by now.
struct RepeatCount {
    ClaimId claim;
    Token token = Token::none;
    std::int64_t count = 0;
};

// Adds summed repeats to their claims. A claim that is deleted, has expired or has another owner
// now is left unchanged.
struct CountRepeats {
    using Outcome = UpkeepOutcome;
    std::vector<RepeatCount> counts;
};

// Deletes bulk runs after their retention.
struct PruneBulkRuns {
    using Outcome = UpkeepOutcome;
    Millis retention{0};
    int limit = 500;
};

// Deletes entries of the decision log after their retention, by whole days.
struct PruneDecisions {
    using Outcome = UpkeepOutcome;
    Millis retention{0};
    int limit = 500;
};

// Outbox entries that met a row locked elsewhere. They stay, and so do later entries with the same
// key, because the entries of one key are decided in order.
struct OutboxSkips {
    std::vector<std::int64_t> entries = {};
    std::vector<ClaimId> keys = {};
};

struct DrainOutcome {
    int count = 0;      // decided entries
    bool more = false;  // entries were found: repeat the command
    OutboxSkips skipped = {};
};

// Decides the outbox entries that users' own transactions left.
struct DrainOutbox {
    using Outcome = DrainOutcome;
    Settings settings = {};
    OutboxSkips skipped = {};  // by earlier commands of this round
    int limit = 250;
};

// Deletes the results of decided entries after their retention.
struct PruneOutboxResults {
    using Outcome = UpkeepOutcome;
    Millis retention = kOutboxResultRetention;
    int limit = 500;
};

// Offers a key for signing receipts (core/fences/signing_key.hpp). The store keeps the first key
// permanently.
struct KeepSigningKey {
    using Outcome = std::string;  // the stored secret, in hex
    std::string secret;           // in hex
};

// Writes summed repeats to the decision log.
struct RecordDecisions {
    using Outcome = UpkeepOutcome;
    std::vector<DecisionEntry> entries;
};

// ---- API tokens -----------------------------------------------------------------------------

struct CreateApiToken {
    using Outcome = ApiToken;
    std::string tenant;
    std::string name;
    unsigned scopes = 0;
    Hash256 secret_hash;
    std::optional<Time> expires_at = {};
};

struct DeleteApiToken {
    using Outcome = ApiToken;
    Uuid id;
};

}  // namespace semel
