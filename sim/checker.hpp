// Checker: watches decisions, commits, answers and handlers, and says which invariant broke.
//
// It sees each command's reply in the order of decision (they are rendered there), and which of
// the batches landed in the store. From these and from the plan's own words it keeps a model of
// what must be true. Takes and upkeep are seen only by the rows they change: where they share a
// batch with a request, either order is right.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/chain_waits.hpp"
#include "sim/context.hpp"
#include "sim/decided.hpp"
#include "sim/fence_checker.hpp"
#include "sim/invariants.hpp"
#include "sim/store_watcher.hpp"
#include "store/store.hpp"

namespace semel::sim {

class Checker final : public StoreWatcher {
public:
    explicit Checker(Context& context)
        : context_(context),
          fences_(context, [this](Invariant invariant, const std::string& message) {
              fail(invariant, message);
          }) {}

    // ---- the store ------------------------------------------------------------------------
    void clock_started(Time store_time);
    void process_started();
    [[nodiscard]] std::shared_ptr<Batch> loaded(Time now, ProcessId process,
                                                int began_after) override;
    void turn_to(std::shared_ptr<Batch> batch) override { batch_ = std::move(batch); }
    void landed(Time landed_at) override;
    void nothing_to_save() override;
    void commit_unknown() override { commit_was_unknown_ = true; }
    void process_crashed() { crashed_ = true; }
    void abandoned(const std::shared_ptr<Batch>& batch) override;  // null: no matter

    // ---- the engine -----------------------------------------------------------------------
    void decided(Decided decided);
    // The engine has answered. An error other than commit_unknown says that nothing happened.
    void answered(const Send& send, const std::optional<Error>& error);
    // … a request with an Idempotency-Key, carried out or from its receipt.
    void answered_under_key(const Send& send, const Receipt& receipt);
    void observed(const DecisionEntry& entry);
    // How many actions a bulk run is told to have met; the rows are those of the last commit.
    void counted(const StartBulk& command);

    // ---- chains ---------------------------------------------------------------------------
    // What somebody means to go on with: a job's owner, or who completes it without one.
    void continues(const JobId& job, const StepPlan& step);
    void continues(const StepRef& job, const StepPlan& step);
    // What is meant by this input.
    [[nodiscard]] const StepPlan& asked(const std::string& input) const;
    // Somebody waits for a chain's end, by a number, and hears of it.
    [[nodiscard]] int waits(const JobId& chain);
    void awaited(int wait, const Result<std::optional<AwaitedChain>>& heard);

    // ---- fences ---------------------------------------------------------------------------
    [[nodiscard]] FenceChecker& fences() { return fences_; }

    // ---- users' own transactions ------------------------------------------------------------
    [[nodiscard]] int user_commits() const { return user_commits_; }
    void user_committed(const LeftBehind& left);

    // ---- those who work -------------------------------------------------------------------
    // An attempt's handler starts.
    void started(const TakenJob& taken, const std::string& worker_tenant);
    // Its effect happens, outside.
    void effect(const TakenJob& taken);
    // A local handler says when its next attempt may come.
    void local_retry_after(const TakenJob& job, std::optional<Millis> retry_after);

    // ---- clients --------------------------------------------------------------------------
    void acknowledged(const ScheduledAction& answer);

    // ---- when faults have stopped -----------------------------------------------------------
    [[nodiscard]] bool all_finished() const;
    void check_live(Time store_now);
    void check_rest(Store& store);

    [[nodiscard]] const std::optional<Violation>& violation() const { return violation_; }
    void fail(Invariant invariant, const std::string& message) override;

    // A short name for a job, in the order of appearance.
    std::string name(const JobId& id);
    [[nodiscard]] bool is_running(const JobId& id) const;
    [[nodiscard]] bool anyone_runs() const;

private:
    struct Tracked {
        Job row;
        std::string stored_payload;
        bool deleted = false;
        // The model's own view.
        std::optional<ItemPlan> item;  // the request that made it, unless a schedule did
        std::optional<KeyTuple> tuple;
        std::string payload;             // of the last request that was folded into it
        Time not_before;                 // nothing may start it earlier
        bool waits_for_backoff = false;  // … because an attempt failed
        int attempts = 0;
        int lost_in_a_row = 0;
        Token highest = Token::none;  // of all its owners
        int completions = 0;
        std::optional<JobId> successor_of;
        Token predecessor_token = Token::none;  // of the attempt that it waits for
        int successor_since = 0;  // the commit that gave it one: it must not be run again; 0: none
        bool acknowledged = false;
        bool has_ended = false;  // at least once
        Time ready_since;
        int born_in = 0;  // which process
        int made_by = 0;  // the commit
    };
    // A schedule and its one current occurrence, by the plan's words.
    struct Line {
        Uuid id;
        SchedulePlan plan;
        std::string payload;  // as it was sent
        bool is_paused = false;
        JobId current;
        Time slot;       // of the current one
        PastSlots past;  // of those before it
        // In this batch:
        bool was_held = false;  // from its beginning on, and not let go
        bool was_put = false;
        int made_by = 0;  // the commit
    };
    struct Take {
        std::string payload;
        int attempts = 0;
        ProcessId by = kOutside;  // whose commit it was
        bool has_started = false;
    };
    // What an Idempotency-Key stands for: a request as it was carried out.
    struct Sealed {
        Time at;
        std::string body;
        Receipt receipt;
    };
    struct Terminal {
        Verb verb = Verb::complete;
        std::string content;
        Status status = Status::pending;
    };
    using AttemptId = std::pair<JobId, Token>;
    // Committed by a user, and not decided.
    struct OpenEntry {
        OutboxEntry entry;
        std::optional<ItemPlan> item;    // what it asks for,
        std::optional<ChainPlan> chain;  // or which chain it starts
        int began_after = 0;
        int commit = 0;  // whose it is
        Micros committed_at{0};
    };
    // What somebody meant to go on with, after this job.
    struct AskedStep {
        StepPlan step;
        std::optional<JobId> job;
        std::optional<StepRef> at;
    };
    struct OpenWait {
        JobId chain;
        bool counts = false;  // no fault can come between it and its answer
    };
    // Whether a request meets an owner of its key.
    enum class Match { no, maybe, yes };
    // What a request may be told.
    struct Allowed {
        bool fresh = false;
        bool successor = false;
        bool replaced = false;
        bool same = false;
        bool conflict = false;
        bool purged = false;
    };

    void check_all_decided();
    void check_one(const Decided& decided, const DecidedSchedule& what) {
        check_schedule(decided, what);
    }
    void check_one(const Decided& decided, const DecidedCalls& what) { check_calls(decided, what); }
    void check_one(const Decided& decided, const DecidedOperation& what) {
        check_operation(decided, what);
    }
    void check_one(const Decided& decided, const DecidedOrder& what) { check_order(decided, what); }
    void check_one(const Decided&, const DecidedBulk& what) { check_bulk(what); }
    void check_one(const Decided& decided, const DecidedStart& what) { check_start(decided, what); }
    void check_one(const Decided& decided, const DecidedCompletion& what) {
        check_completion(decided, what);
    }
    void check_one(const Decided& decided, const DecidedCancel& what) {
        check_cancel(decided, what);
    }
    void check_one(const Decided& decided, const DecidedRemoval& what) {
        check_removal(decided, what);
    }
    template <typename Command>
    void check_one(const Decided&, const DecidedFence<Command>& what) {
        fences_.check(what);
    }

    // ---- check_schedule.cpp
    void check_schedule(const Decided& decided, const DecidedSchedule& schedule);
    void check_item(const std::string& tenant, const ItemPlan& item,
                    const Item<ScheduledAction>& answer);
    void check_answer(const std::string& tenant, const ItemPlan& item,
                      const ScheduledAction& answer, const Allowed& allowed);
    [[nodiscard]] Allowed allowed_for(const ItemPlan& item, const std::string& tenant);
    [[nodiscard]] Allowed allowed_by(const ItemPlan& item, const std::string& tenant,
                                     const Owner& owner);
    void allow(Allowed& allowed, const KeyPlan& key, const Owner& owner, const Job& job) const;
    void allow_between(Allowed& allowed, const KeyPlan& key, const Owner& owner,
                       const Attempt& ended) const;
    void allow_purged(Allowed& allowed, const KeyPlan& key, const Owner& owner,
                      const Job& job) const;
    void learn_new(const std::string& tenant, const ItemPlan& item, const ScheduledAction& answer);
    void learn_predecessor(Tracked& successor, const JobId& id);
    [[nodiscard]] bool is_deleted_now(const JobId& id) const;
    [[nodiscard]] bool is_forgotten_now(const ClaimId& id) const;
    void learn_replaced(const std::string& tenant, const ItemPlan& item,
                        const ScheduledAction& answer);
    void count_edges(const KeyPlan& key, const Owner& owner);
    void own(const Tracked& job, bool is_successor);
    void count_decision(const std::string& tenant, Decision decision);
    // That a continuation was refused for an id is a decision; that a call said something else than
    // before is none.
    void count_refusal(const std::string& tenant, const Problem& problem);

    // ---- check_receipts.cpp
    void check_sealed(const Send& send, const Receipt& receipt);
    // What the key of a request still stands for.
    [[nodiscard]] const Sealed* sealed_for(int request) const;

    // ---- check_calls.cpp
    void check_calls(const Decided& decided, const DecidedCalls& calls);
    void check_call(const std::string& tenant, const JobCall& call, const Item<JobAnswer>& answer);
    void check_accepted(const JobCall& call, const JobAnswer& answer, const Tracked& job);
    void check_refused(const JobCall& call, const Problem& problem, const Tracked& job);
    void learn_settled(const OutboxEntry& entry);
    void check_operation(const Decided& decided, const DecidedOperation& operation);
    [[nodiscard]] bool is_unfinished(const JobId& id) const;
    [[nodiscard]] bool is_operated_on(const JobId& id) const;
    void learn_operation(const OperateAction& command, Tracked& job);
    void return_key(const Tracked& cancelled);

    // ---- check_jobs.cpp
    void check_time(Time now);
    void apply_rows();
    void check_change(const Change<Job>& change);
    void check_inserted(const Job& job);
    void check_deleted(Tracked& job);
    void check_changed(Tracked& job, const Job& after);
    void check_kept_fields(const Job& before, const Job& after);
    void check_take(Tracked& job, const Job& after);
    void check_successor_waits(const Tracked& job);
    void check_attempt(const Attempt& attempt);
    void wait_after(Tracked& job, const Attempt& attempt);
    void check_groups();
    void check_claims();
    void settle_unclear_keys();
    [[nodiscard]] std::string owners_text(const std::vector<Owner>& owners);
    void check_rows();
    void count_rare_rows();

    // ---- check_lines.cpp
    void begin_lines();
    void end_lines();
    void check_order(const Decided& decided, const DecidedOrder& order);
    void check_put(const ScheduleKey& key, const ScheduleOrder& order,
                   const Reply<PutSchedule>& reply);
    void make_line(const ScheduleKey& key, const ScheduleOrder& order, const ScheduleView& view);
    void edit_line(Line& line, const ScheduleOrder& order, const Job& current);
    void check_pause(const ScheduleKey& key, bool pause, const Reply<PutSchedule>& reply);
    void check_trigger(const ScheduleKey& key, const Reply<TriggerSchedule>& reply);
    void check_remove(const ScheduleKey& key, const Reply<DeleteSchedule>& reply);
    [[nodiscard]] Line* line_for(const ScheduleKey& key, const Problem* problem);
    void catch_up(Line& line, const JobId& current);
    void follow(Line& line, const JobId& next);
    void end_slot(Line& line, const Job& ended);
    void count_end(const Line& line, const Job& ended);
    void see_slot(Line& line, const Job& current);
    void move_slot(Line& line, Time slot);
    void learn_occurrence(const JobId& id, const Line& line, Time not_before);
    void check_lines();
    void check_line(const ScheduleKey& key, Line& line);
    void check_removed();
    void check_made_from(const SchedulePlan& plan, const JobId& id);
    void apply_schedules();

    // ---- check_bulk.cpp
    void begin_bulk();
    void check_bulk(const DecidedBulk& bulk);
    void check_step(const BulkRun& before, const BulkRun& after);
    void check_counts(const BulkRun& before, const BulkRun& after, const std::vector<JobId>& meant);
    [[nodiscard]] std::vector<JobId> meant_by(const BulkRun& before, const BulkRun& after);
    [[nodiscard]] bool may_match(const ActionFilter& filter, const Tracked& job) const;
    enum class BulkTrace { none, unclear, shown };
    BulkTrace learn_bulk(const BulkRun& run, Tracked& job);
    void apply_bulk();

    // ---- check_outbox.cpp
    using Told = std::map<Uuid, std::string>::node_type;
    void user_settled(const OutboxEntry& entry);
    void check_outbox();
    void check_turn(const OpenEntry& decided);
    [[nodiscard]] static std::optional<KeyTuple> key_of(const OpenEntry& entry);
    void check_settled(const OutboxEntry& entry);
    void check_enqueued(const OpenEntry& open, const Told& told);
    void check_chain_entry(const OpenEntry& open, const Told& told);
    [[nodiscard]] bool is_refused(const OutboxEntry& entry) const;
    [[nodiscard]] ScheduledAction made_by(const OutboxEntry& entry);
    [[nodiscard]] std::optional<JobId> frozen_before(const Job& successor);
    [[nodiscard]] ScheduledAction met_by(const OpenEntry& open, const JobId& id);
    void find_shared_keys();
    void settle_shared_payloads();
    void check_outbox_live(Millis allowance);

    // ---- check_chains.cpp
    void begin_chains();
    void end_chains();
    void learn_made(const Job& job);
    void explain_step(const JobId& id);
    void check_inherited(const Job& job, const Job& before, const StepPlan& step);
    void explain_chain(const ChainPlan& plan, const JobId& id, bool is_ordered);
    void explain_blockers(const JobId& id, const StepPlan& step, bool is_ordered);
    void explain_blockers_of_deleted(const StepPlan& step);
    [[nodiscard]] bool follows_deleted(const AskedStep& asked) const;
    void check_start(const Decided& decided, const DecidedStart& start);
    void check_started(const std::string& tenant, const ChainPlan& plan,
                       const Item<StartedChain>& answer);
    void check_key(const std::string& tenant, const ChainPlan& plan,
                   const std::optional<JobId>& met);
    [[nodiscard]] Match judge(const ChainKeyPlan& key, const JobId& owner, bool is_newest) const;
    [[nodiscard]] Match judge(const ChainKeyPlan& key, const Job& last) const;
    void check_chain_claim(const Change<Claim>& change);
    [[nodiscard]] bool is_justified(const Problem& problem, const std::string& tenant,
                                    const StepPlan& step, const std::optional<JobId>& chain) const;
    [[nodiscard]] bool is_chain(const std::string& tenant, const JobId& id) const;

    // ---- check_chain_ends.cpp
    void check_completion(const Decided& decided, const DecidedCompletion& completion);
    void check_completed(const Decided& decided, const JobAnswer& answer);
    void check_not_completed(const Decided& decided, const Problem& problem);
    [[nodiscard]] bool says_the_same(const ChainOrder& order, const Job& completed,
                                     const std::string& tenant) const;
    void check_said();
    void check_cancel(const Decided& decided, const DecidedCancel& cancel);
    void check_removal(const Decided& decided, const DecidedRemoval& removal);
    void check_removed_chains(const ChainOrder& order, const DeleteChain::Outcome& gone);
    [[nodiscard]] std::set<JobId> dependants_outside(const std::set<JobId>& chains) const;
    void check_pruned_step(const Tracked& job);

    // ---- check_blockers.cpp
    void apply_edges();
    void check_blockers();
    void check_blocked(const Job& job);
    void check_dependants(const JobId& chain);
    void check_unblocked(Tracked& job, const Job& after);
    void check_failed_by_blocker(const Job& job);
    void check_ring(const JobId& chain);
    void check_blockers_told(const TakenJob& taken);
    void count_rare_chains();
    [[nodiscard]] std::vector<Edge> edges_of(const JobId& job) const;
    // The chains that a chain waits for; `now`: as its last job's row has it.
    [[nodiscard]] std::vector<JobId> waits_of(const JobId& chain, bool now) const;
    [[nodiscard]] bool reaches(std::vector<JobId> open, const JobId& chain, bool now) const;
    // As they were before this batch, or are after it. Null: its rows are gone.
    [[nodiscard]] const Job* last_before(const JobId& chain) const;
    [[nodiscard]] const Job* last_after(const JobId& chain) const;
    // In this batch, any of its jobs; those that are retried, also later in it.
    [[nodiscard]] bool was_operated(const JobId& chain) const;
    [[nodiscard]] const Job* row_now(const JobId& id) const;
    [[nodiscard]] bool waits_for_ever(const JobId& id) const;
    void check_chains_live(Time store_now, Millis allowance);

    // ---- check_rest.cpp
    void check_finished(Store& store);
    void check_schedules_and_runs(Store& store);
    [[nodiscard]] bool group_lives(const Job& member) const;
    [[nodiscard]] bool follows(const JobId& successor, const JobId& predecessor) const;
    void check_decisions(Store& store);

    // The row of a job as the current batch leaves it, where it changes it.
    [[nodiscard]] const Job* row_after(const JobId& id) const;
    [[nodiscard]] Tracked* find(const JobId& id);
    // The number of the request or schedule that made it.
    [[nodiscard]] static std::string label(const Tracked& job);
    // One that ended in this batch.
    [[nodiscard]] const Attempt* ended_attempt(const JobId& id) const;
    [[nodiscard]] Time now() const { return batch_->now; }

    Context& context_;
    FenceChecker fences_;
    std::optional<Violation> violation_;
    std::map<JobId, int> names_;

    std::shared_ptr<Batch> batch_;             // the one that something happens to
    std::map<JobId, const Job*> batch_after_;  // its rows, while it lands
    std::set<JobId> retried_;                  // by operators, in this batch
    std::set<JobId> operated_;                 // the same, whatever was done
    std::set<KeyTuple> unclear_keys_;          // in this batch either order is right
    std::set<JobId> reopened_;                 // will be retried in this batch
    std::set<JobId> edited_;                   // by a put, in this batch
    std::vector<JobId> removed_;               // the current ones of schedules that it deletes
    std::set<JobId> settled_;                  // by entries of the outbox, in this batch
    std::set<KeyTuple> shared_keys_;           // in this batch any answer may be right
    std::set<std::string> shared_payloads_;    // that came with one of them

    std::set<JobId> made_;            // jobs of chains, in this batch …
    std::set<JobId> unexplained_;     // … of which nobody has been found to want them
    std::set<JobId> removed_chains_;  // deleted by command, in this batch
    std::set<JobId> completed_;       // without a worker, in this batch
    std::vector<std::pair<JobId, const Decided*>> said_;  // what they shall say by then
    std::set<ChainTuple> shared_chain_keys_;              // in this batch any answer may be right

    // Rows as committed, and the model's words on them. Jobs that were deleted stay.
    std::map<JobId, Tracked> jobs_;
    std::map<ClaimId, Claim> claims_;
    std::map<ClaimId, KeyTuple> tuples_;
    std::map<GroupKey, LockGroup> groups_;
    std::map<JobId, JobResult> results_;
    std::map<ScheduleKey, Schedule> schedules_;
    std::map<ScheduleKey, Line> lines_;
    std::map<ScheduleKey, Line> made_since_;  // by others, and not seen by this batch
    std::map<Uuid, BulkRun> bulk_runs_;
    std::map<Uuid, StartBulk> bulk_asked_;
    std::map<Uuid, int> bulk_process_;             // that made its latest step
    std::map<int, Sealed> sealed_;                 // by request, those with an Idempotency-Key
    std::map<KeyTuple, std::vector<Owner>> keys_;  // who holds each key, the newest last
    std::map<EdgeKey, Edge> edges_;
    std::map<JobId, std::set<EdgeKey>> edges_to_;            // by the chain that is waited for
    std::map<std::pair<JobId, int>, JobId> steps_;           // of each chain, the first too
    std::map<int, AskedStep> asked_steps_;                   // by number
    std::map<ChainTuple, std::vector<JobId>> chain_owners_;  // the newest last
    std::map<ClaimId, ChainTuple> chain_tuples_;
    std::map<int, OpenWait> waits_;
    int last_wait_ = 0;
    std::map<AttemptId, Take> takes_;
    std::map<AttemptId, AttemptEnd> ends_;
    std::map<AttemptId, Terminal> terminals_;
    std::map<AttemptId, std::optional<Millis>> retry_after_;
    std::map<std::int64_t, OpenEntry> open_entries_;
    std::int64_t last_decided_ = 0;  // the highest entry
    int user_commits_ = 0;
    std::map<JobId, Token> effects_;  // the highest token that took effect outside

    std::map<std::pair<std::string, Decision>, std::int64_t> decided_count_;
    std::map<std::pair<std::string, Decision>, std::int64_t> observed_count_;
    std::map<std::pair<std::string, Decision>, std::int64_t> unseen_count_;  // may have been, too
    bool crashed_ = false;
    int processes_ = 0;
    bool commit_was_unknown_ = false;

    Time last_now_;
    Time clock_time_;  // store time when its clock was started …
    Micros clock_began_{0};
    int commits_ = 0;
};

}  // namespace semel::sim
