// Workspace: where a batch of commands is decided. It holds the loaded rows, the store's time, and
// what the commands so far have changed; a later command of the batch sees what an earlier one did.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "core/changes.hpp"
#include "core/load_spec.hpp"
#include "core/problem.hpp"
#include "core/settings.hpp"
#include "core/table.hpp"

namespace semel {

class Workspace {
public:
    // `ids` makes the ids of new rows and `random` gives 64 bits a call: both are arguments, so
    // that a decision is a function of what goes in.
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

    // The answer to the next query of the batch: commands take them in the order they asked.
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
    // After its lock group was changed.
    void enter_group(const JobId& id);

    void add_edge(const Edge& edge);
    // The edges of a job that waits, in order; and those that name a chain. Loaded or added.
    [[nodiscard]] std::vector<Edge> edges_of_job(const JobId& blocked) const;
    [[nodiscard]] std::vector<Edge> edges_to_chain(const JobId& blocker) const;

    // The step of a chain that was asked for; null: there is none.
    [[nodiscard]] const Job* find_step(const StepRef& step) const;
    // Whether a wanted id is had already. Where an earlier command of the batch has deleted what
    // had it, the next load tells whether something else is left of that: it counts as held.
    [[nodiscard]] bool is_taken(const JobId& id) const;
    // Whether a job that may wait for another load does.
    [[nodiscard]] bool is_left_out(const JobId& id) const;
    // Who waited for whom when the batch was loaded; what it has added since, the edges say. See
    // core/cycle.hpp.
    [[nodiscard]] const std::vector<Wait>& waits() const { return waits_; }
    [[nodiscard]] bool waits_are_whole() const { return waits_are_whole_; }

    // What the last attempt left behind. Keeps Job::has_result.
    void set_result(const JobId& id, std::optional<JobResult> result);

    // Whether a group's head runs, although its row is held and nothing else is known of it.
    [[nodiscard]] bool runs_elsewhere(const JobId& head) const {
        return running_heads_.contains(head);
    }
    // The member of a group that stands first among those that wait, in (scheduledAt, id) order.
    [[nodiscard]] const Job* first_waiting(const GroupKey& key) const;

    void record(Attempt attempt) { attempts_.push_back(std::move(attempt)); }
    void record(DecisionEntry entry) { decisions_.push_back(std::move(entry)); }
    // That a request was refused for its id or key is a decision too: it is recorded when what the
    // request did is undone, unless the command is decided again later. Of several, the first.
    void record_refusal(DecisionEntry entry) {
        if (!refusal_) refusal_ = std::move(entry);
    }
    // Repeats that have been summed: a row of the log.
    void record_sum(DecisionEntry entry) { sums_.push_back(std::move(entry)); }

    // Deletes a line of the log.
    void forget(DecisionRef line) { forgotten_.push_back(std::move(line)); }

    // An entry of the outbox is decided: it goes, and what became of it is kept where it is asked
    // for.
    void drained(std::int64_t entry) { drained_.push_back(entry); }
    void record(OutboxResult result) { outbox_results_.push_back(std::move(result)); }
    void forget_outbox_result(const Uuid& id) { forgotten_outbox_results_.push_back(id); }

    // Begins a command; `roll_back` undoes what was done since, and nothing else.
    void savepoint();
    void roll_back();
    // The same for one of a command's items.
    void begin_item();
    void roll_back_item();

    // Whether the command that began at the last savepoint met a row that somebody else holds: then
    // it must be rolled back and decided later, whatever it answered.
    [[nodiscard]] bool met_held() const;
    // The same for a row that is here, and that somebody else's result is on its way to.
    void postpone() { postponed_ = true; }
    [[nodiscard]] bool is_postponed() const { return postponed_; }

    // What is wrong with a damaged row that the command met: then it must be rolled back and
    // refused with these words. Null: it met none.
    [[nodiscard]] const std::string* met_damage() const;

    // A command of many items has waited long enough: until the next savepoint, those of them that
    // meet such a row are refused alone, and the others stand.
    void refuse_held_items() { refuses_held_items_ = true; }
    // To be asked after an item: its refusal, and it is undone. Nothing: it stands, or its whole
    // command is decided later.
    [[nodiscard]] std::optional<Problem> refusal_of_held_item();

    [[nodiscard]] Changes take_changes();

private:
    void hold(const Held& held);
    void damage(Damaged damaged);
    void note(const Edge& edge);

    Time now_;
    const Settings& settings_;
    UuidGenerator& ids_;
    const std::function<std::uint64_t()>& random_;

    std::vector<QueryResult> queries_;
    std::size_t queries_taken_ = 0;
    std::map<GroupKey, std::vector<JobId>>
        members_;  // loaded or added; their Place says if they wait
    // Loaded or added; the table says if they are there.
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
    std::optional<DecisionEntry> refusal_;  // of the item at hand
    std::vector<DecisionRef> forgotten_;
    std::vector<std::int64_t> drained_;
    std::vector<OutboxResult> outbox_results_;
    std::vector<Uuid> forgotten_outbox_results_;
    std::set<JobId> running_heads_;
    bool postponed_ = false;
    bool refuses_held_items_ = false;
    mutable bool met_freed_id_ = false;  // as Table::met_held_

    // How much of what is appended was there.
    struct Mark {
        std::size_t attempts = 0;
        std::size_t decisions = 0;
        std::size_t drained = 0;
        std::size_t outbox_results = 0;
    };
    [[nodiscard]] Mark mark() const;
    void cut_to(const Mark& mark);
    void keep_refusal();
    Mark command_begin_;
    Mark item_begin_;
};

}  // namespace semel
