// Commands: everything that can change a row, as plain data. Each names the rows it needs
// (name_rows) and is decided by one pure function (decide), which answers an Outcome, or the
// Problem that says why nothing was changed.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/limits.hpp"
#include "core/load_spec.hpp"
#include "core/problem.hpp"
#include "core/rows.hpp"
#include "core/work_options.hpp"

namespace semel {

template <typename Command>
using Reply = std::variant<typename Command::Outcome, Problem>;

// An item of a list that is answered item by item: checked, or already refused.
template <typename T>
using Item = std::variant<T, Problem>;

// ---- scheduling -----------------------------------------------------------------------------

struct Deduplication {
    ClaimId claim;
    std::string full_key;
    Millis window{0};  // above zero
    Scope scope = Scope::pending;
    OnDuplicate on_duplicate = OnDuplicate::replace;
    Millis max_wait{0};  // debounce
};

// A checked request for one action. Options that were not given stay empty: a duplicate reports
// those that were given and are ignored.
struct ActionRequest {
    std::string type;
    std::string payload = "{}";    // JSON bytes as they came
    std::optional<JobId> id = {};  // of the action, if it is a new one; absent: any
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

// A job with everything that is shown of it.
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

// One commit; the rules hold between its own items, and a bad item undoes itself only.
struct ScheduleActions {
    using Outcome = std::vector<Item<ScheduledAction>>;
    std::string tenant;
    std::vector<Item<ActionRequest>> items;
};

// ---- chains ---------------------------------------------------------------------------------

struct ChainRequest;
// A chain that exists, or one that is started with the job that waits for it.
using BlockerRequest = std::variant<JobId, std::shared_ptr<const ChainRequest>>;

// A checked request for one job of a chain.
struct StepRequest {
    std::string type;
    std::string input = "{}";      // JSON bytes as they came
    std::optional<JobId> id = {};  // absent: any
    std::optional<Time> scheduled_at = {};
    std::optional<Millis> delay = {};
    WorkOptions options = {};
    std::vector<BlockerRequest> blockers = {};
    OnBlockerFailed on_blocker_failed = OnBlockerFailed::fail;
    std::string pointer = {};  // where it stands in the request, for what is found out later
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

// What a job is followed by.
struct Continuation {
    StepRequest step;
    Hash256 fingerprint;  // of all that was asked for, but for what is inherited
};

// A chain with everything that is shown of it. Its state is its last job's.
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

// One commit; the rules hold between its own items, and a bad item undoes itself only.
struct StartChains {
    using Outcome = std::vector<Item<StartedChain>>;
    std::string tenant;
    std::vector<Item<ChainRequest>> items;
};

// ---- workers --------------------------------------------------------------------------------

struct TakenJob {
    Job job;
    std::string payload;
    std::vector<BlockerView> blockers = {};  // in the order in which they were given
};

struct TakeJobs {
    using Outcome = std::vector<TakenJob>;
    ReadyQuery query;
    std::string worker;
    Millis lease{0};
    // In-process handlers only: the time-out of a job that brings none, by type.
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
    std::optional<Millis> lease = {};  // heartbeat; absent: the default, and not shorter
};

struct JobAnswer {
    JobId id;
    Status status = Status::running;
    Token token = Token::none;
    std::optional<Time> lease_until = {};
    std::optional<JobId> next = {};  // what it was continued with
};

struct SettleJobs {
    using Outcome = std::vector<Item<JobAnswer>>;
    std::string tenant;
    std::vector<Item<JobCall>> calls;
};

// Completes a chain's current job without a worker. The index says which is meant, so that a repeat
// does not complete the next one.
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

// Deletes a chain, unless somebody waits for it; with `cascade` also the chains that it waited for,
// and those in turn. Its key is remembered.
struct DeleteChain {
    using Outcome = std::vector<JobId>;  // the chains that are gone
    std::string tenant;
    JobId chain;
    bool cascade = false;
};

// ---- operators ------------------------------------------------------------------------------

struct OperateAction {
    using Outcome = ActionView;
    std::string tenant;
    JobId id;
    Operation operation = Operation::run;
    bool force = false;  // retry, although the key has a newer owner
};

// An uncertain action: what an operator found out.
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

// Makes a schedule, or changes it; an equal one stays as it is.
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

// Makes an extra action outside the line.
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
    Operation operation = Operation::run;
    ActionFilter filter = {};
    bool dry_run = false;
    MatchedActions matched = {};  // the run ends behind the newest, whichever node made it
};

// The next part of a run: actions that matched when they were read, oldest first.
struct StepBulk {
    using Outcome = BulkRun;
    Uuid run;
    std::vector<JobId> actions;
    bool is_last = false;
    // The tenant of a run that retries: its jobs may come to wait for one another again.
    std::optional<std::string> reopens_in = {};
};

// ---- fences -----------------------------------------------------------------------------------

// A checked request: somebody is about to do something, and asks whether it may.
struct FenceRequest {
    std::string key;  // as it was written, or made of its parts
    ClaimId claim;
    std::string full_key;
    FenceClass fence_class = FenceClass::api;
    Millis lease{0};
    Millis ttl{0};
    std::optional<Hash256> fingerprint = {};  // absent: nothing is compared
    std::optional<std::string> content = {};  // JSON bytes as they came
    std::string source_type = {};             // of its parts
    std::string source_id = {};
    std::string action = {};
    std::optional<std::int64_t> version = {};  // of its source
    // For an owner that is at work: above zero, whoever asks will ask again instead of being told
    // so, and no trace is left of it.
    Millis wait{0};
};

struct FenceAnswer {
    Decision decision = Decision::new_;
    // Absent: stale, or another has the source. Shared, because one receipt is told to many.
    std::shared_ptr<const Claim> claim = {};
    bool takeover = false;                          // new: from an owner whose lease ran out
    std::optional<Millis> retry_after = {};         // in_flight
    std::optional<SourceHolder> holder = {};        // in_flight: of the key, or of its source
    std::optional<std::int64_t> last_version = {};  // stale
};

// A conflict is an item too: it is logged, although nothing else is changed.
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
    std::optional<Millis> lease = {};         // heartbeat; absent: the fence's, and not shorter
    std::string reason = {};                  // uncertain
};

struct CallFence {
    using Outcome = Claim;  // as it stands then
    std::string tenant;
    FenceCall call;
};

// An uncertain claim: what an operator found out.
struct ResolveClaim {
    using Outcome = Claim;
    std::string tenant;
    ClaimId claim;
    ClaimOutcome outcome = ClaimOutcome::sealed;
    std::string effect_id = {};
    std::optional<std::string> receipt = {};
    std::string reason;
};

// Frees a claim of any space: the next request is new. Whoever holds it is fenced.
struct DeleteClaim {
    using Outcome = Claim;
    std::string tenant;
    ClaimId claim;
    std::string reason;
    // Of a fence; only a row that is damaged needs it, because it cannot say whose it is.
    std::string key = {};
};

// ---- upkeep, by the engine itself -------------------------------------------------------------

struct UpkeepOutcome {
    int count = 0;                     // rows that were changed
    bool more = false;                 // the limit was reached: ask again
    std::optional<Time> next_at = {};  // when the next row will be due
};

// Moves jobs whose time has come to the ready line.
struct PromoteDue {
    using Outcome = UpkeepOutcome;
    int limit = 500;
};

// Takes over from owners whose lease has run out, and ends attempts that timed out.
struct RescueExpired {
    using Outcome = UpkeepOutcome;
    int limit = 500;
};

// Fails those who wait for chains that have failed or were cancelled.
struct TellDependants {
    using Outcome = UpkeepOutcome;
    int limit = 1;  // chains; each blocks 1 000 jobs at most
};

// Deletes finished chains after their retention; their keys live on.
struct PruneJobs {
    using Outcome = UpkeepOutcome;
    Millis retention{0};
    int limit = 500;
};

// Deletes claims after theirs. Of what was sealed, key and effect id stay for a while.
struct PruneClaims {
    using Outcome = UpkeepOutcome;
    int limit = 500;
};

// Deletes sources after theirs.
struct PruneSources {
    using Outcome = UpkeepOutcome;
    int limit = 500;
};

// Requests that were told what a claim says. The token says which owner's answer it was: whoever
// has the key by now may be another.
struct RepeatCount {
    ClaimId claim;
    Token token = Token::none;
    std::int64_t count = 0;
};

// Adds repeats that have been summed to their claims. A claim that is gone, that has had another
// owner since, or whose time is over, counts nothing.
struct CountRepeats {
    using Outcome = UpkeepOutcome;
    std::vector<RepeatCount> counts;
};

// Deletes bulk runs that finished a while ago.
struct PruneBulkRuns {
    using Outcome = UpkeepOutcome;
    Millis retention{0};
    int limit = 500;
};

// Deletes lines of the decision log after their retention, by whole days.
struct PruneDecisions {
    using Outcome = UpkeepOutcome;
    Millis retention{0};
    int limit = 500;
};

// Entries of the outbox that met a row which somebody else holds; they stay. Those behind them with
// the same key stay too: one key is decided in order.
struct OutboxSkips {
    std::vector<std::int64_t> entries = {};
    std::vector<ClaimId> keys = {};
};

struct DrainOutcome {
    int count = 0;      // entries that were decided
    bool more = false;  // some were found: ask again
    OutboxSkips skipped = {};
};

// Decides what users' own transactions left in the outbox.
struct DrainOutbox {
    using Outcome = DrainOutcome;
    Settings settings = {};
    OutboxSkips skipped = {};  // by those before it in this round
    int limit = 250;
};

// Deletes what is told of decided entries after its retention.
struct PruneOutboxResults {
    using Outcome = UpkeepOutcome;
    Millis retention = kOutboxResultRetention;
    int limit = 500;
};

// The key that receipts are signed with (core/signing_key.hpp). The first that is offered is kept
// for ever, whichever node offers it.
struct KeepSigningKey {
    using Outcome = std::string;  // the secret that is kept, in hex
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
