// Workspace: the rows, the store's time and the changes of one batch while it is decided.
//
// A later command of the batch sees the changes of the earlier ones. For each command the caller
//   1. calls savepoint(), then decide()
//   2. rolls back on a Problem, if met_locked() is true or if met_damage() is not null
//
// At the end take_changes() returns everything that the store must save.
//
// Errors: none. See met_locked() and met_damage().
// Threads: one at a time. Every function that takes a Workspace runs on that thread.
// Lifetime: the constructor's references must outlive the workspace.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "core/batch/changes.hpp"
#include "core/batch/load_spec.hpp"
#include "core/batch/table.hpp"
#include "core/problem.hpp"
#include "core/settings.hpp"

namespace semel {

class Workspace {
public:
    // `ids` makes the ids of new rows, and `random` returns 64 random bits per call. Both are
    // arguments, so that a decision depends only on its input.
    Workspace(Loaded loaded, const Settings& settings, UuidGenerator& ids,
              const std::function<std::uint64_t()>& random);

    [[nodiscard]] Time now() const { return now_; }
    [[nodiscard]] const Settings& settings() const { return settings_; }
    [[nodiscard]] JobId new_id() { return ids_.next(now_); }
    [[nodiscard]] JobId new_id_after(const JobId& other) {
        ids_.go_past(other);
        return new_id();
    }
    [[nodiscard]] std::uint64_t random() { return random_(); }

    // Returns the result of the batch's next query. Commands must fetch the results in the order in
    // which they named the queries.
    [[nodiscard]] QueryResult next_query_result();

    Table<JobId, Job> jobs;
    Table<JobId, JobBody> bodies;
    Table<JobId, JobResult> results;
    Table<ClaimId, Claim> claims;
    Table<ClaimId, Content> contents;
    Table<SourceKey, Source> sources;
    Table<GroupKey, LockGroup> groups;
    Table<EdgeKey, Edge> edges;
    Table<ScheduleKey, Schedule> schedules;
    Table<Uuid, BulkRun> bulk_runs;
    Table<Uuid, ApiToken> api_tokens;

    Job& edit_job(const JobId& id) { return jobs.edit(id); }
    Job& add_job(Job job, JobBody body);
    void remove_job(const JobId& id);
    // Makes a job a member of its lock group. Call it after a change of Job::lock_group.
    void enter_group(const JobId& id);

    void add_edge(const Edge& edge);
    // Return the edges of a waiting job, in order, and the edges that lead to a chain. Edges that
    // the batch has added are included.
    [[nodiscard]] std::vector<Edge> edges_of_job(const JobId& blocked) const;
    [[nodiscard]] std::vector<Edge> edges_to_chain(const JobId& blocker) const;

    // Returns a job of a chain by its index, or null. REQUIRES: the step was named in the LoadSpec.
    [[nodiscard]] const Job* find_step(const StepRef& step) const;
    // Returns true if a wanted id is in use. If its job was deleted earlier in this batch,
    // met_locked() becomes true too, because only the next load can say if the id is free.
    [[nodiscard]] bool is_taken(const JobId& id) const;
    // Returns true if the store has left the job to another load (JobRef::may_wait).
    [[nodiscard]] bool is_left_out(const JobId& id) const;
    // Returns which chain waited for which when the batch was loaded. Waits that the batch has
    // added are in the edges. See core/chains/cycle.hpp.
    [[nodiscard]] const std::vector<Wait>& waits() const { return waits_; }
    [[nodiscard]] bool waits_are_whole() const { return waits_are_whole_; }

    // Sets or deletes the result of the last attempt, and updates Job::has_result.
    void set_result(const JobId& id, std::optional<JobResult> result);

    // Returns true if a group's head runs, although its row is locked elsewhere.
    [[nodiscard]] bool runs_elsewhere(const JobId& head) const {
        return running_heads_.contains(head);
    }
    // Returns the first waiting member of a group in the order (scheduledAt, id), or null.
    [[nodiscard]] const Job* first_waiting(const GroupKey& key) const;

    void record(Attempt attempt) { attempts_.push_back(std::move(attempt)); }
    void record(DecisionEntry entry) { decisions_.push_back(std::move(entry)); }
    // Records a refusal for an id or key, which is a decision too. The entry is kept when the
    // request is rolled back, unless the command is decided again later. Of several refusals in one
    // item only the first is kept.
    void record_refusal(DecisionEntry entry) {
        if (!refusal_) refusal_ = std::move(entry);
    }
    // Records summed repeats as an entry of the decision log.
    void record_sum(DecisionEntry entry) { sums_.push_back(std::move(entry)); }

    // Writes, keeps longer or deletes the body of a kept answer.
    void record(ResponseChange change) { responses_.push_back(std::move(change)); }

    // Deletes an entry of the decision log.
    void forget(DecisionRef ref) { forgotten_.push_back(std::move(ref)); }

    // Deletes a decided entry of the outbox, and records its result for the user.
    void drained(std::int64_t entry) { drained_.push_back(entry); }
    void record(OutboxResult result) { outbox_results_.push_back(std::move(result)); }
    void forget_outbox_result(const Uuid& id) { forgotten_outbox_results_.push_back(id); }

    // Begins a command. `roll_back` undoes the changes since then, and nothing else.
    void savepoint();
    void roll_back();
    // Do the same for one item of the command.
    void begin_item();
    void roll_back_item();

    // Returns true if the command since the last savepoint met a row locked elsewhere, or was
    // postponed. It must be rolled back and decided later, whatever its answer was.
    [[nodiscard]] bool met_locked() const;
    // Postpones the command, because a result for one of its rows is committed but not yet applied.
    void postpone() { postponed_ = true; }
    [[nodiscard]] bool is_postponed() const { return postponed_; }
    // Postpones the command to the next batch, because a row that it needs was made in this one.
    void wait_for_next_load() { needs_next_load_ = true; }

    // Returns the fault of a damaged row that the command met, or null. The command must then be
    // rolled back and refused with this text.
    [[nodiscard]] const std::string* met_damage() const;

    // Ends the postponing of a command with many items. Until the next savepoint, an item that
    // meets a row locked elsewhere is refused alone, and the other items are kept.
    void refuse_locked_items() { refuses_locked_items_ = true; }
    // Call it after each item. Rolls back and refuses an item that must be refused alone. Returns
    // nullopt if the item is kept, or if its whole command is decided later.
    [[nodiscard]] std::optional<Problem> refusal_of_locked_item();

    [[nodiscard]] Changes take_changes();

private:
    void mark_locked(const LockedElsewhere& locked_elsewhere);
    void damage(Damaged damaged);
    void note(const Edge& edge);

    Time now_;
    const Settings& settings_;
    UuidGenerator& ids_;
    const std::function<std::uint64_t()>& random_;

    std::vector<QueryResult> queries_;
    std::size_t queries_taken_ = 0;
    std::map<GroupKey, std::vector<JobId>>
        members_;  // loaded or added (Job::place says which of them wait)
    // Loaded or added. The table has them only if they exist.
    std::map<JobId, std::set<EdgeKey>> edges_of_job_;
    std::map<JobId, std::set<EdgeKey>> edges_to_chain_;
    std::vector<std::pair<StepRef, JobId>> steps_;
    std::vector<JobId> taken_ids_;
    std::vector<JobId> left_out_;
    std::vector<Wait> waits_;
    bool waits_are_whole_ = true;
    std::vector<Attempt> attempts_;
    std::vector<DecisionEntry> decisions_;
    std::vector<DecisionEntry> sums_;
    std::optional<DecisionEntry> refusal_;  // of the current item
    std::vector<DecisionRef> forgotten_;
    std::vector<std::int64_t> drained_;
    std::vector<OutboxResult> outbox_results_;
    std::vector<ResponseChange> responses_;
    std::vector<Uuid> forgotten_outbox_results_;
    std::set<JobId> running_heads_;
    bool postponed_ = false;
    bool refuses_locked_items_ = false;
    mutable bool needs_next_load_ = false;  // as Table::met_locked_

    // The sizes of the appended lists at a savepoint.
    struct Mark {
        std::size_t attempts = 0;
        std::size_t decisions = 0;
        std::size_t drained = 0;
        std::size_t outbox_results = 0;
        std::size_t responses = 0;
    };
    [[nodiscard]] Mark mark() const;
    void cut_to(const Mark& mark);
    void keep_refusal();
    Mark command_begin_;
    Mark item_begin_;
};

}  // namespace semel
