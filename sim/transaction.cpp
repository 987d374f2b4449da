#include "sim/transaction.hpp"

#include <algorithm>

#include "base/assert.hpp"
#include "sim/bugs/mutation.hpp"
#include "store/ladder/ladder.hpp"

namespace semel::sim {
namespace {

using Tables = memory::MemoryTables;

bool is_there(Tables& tables, const Claim& row) {
    return tables.claim(row.id).has_value();
}
bool is_there(Tables& tables, const Source& row) {
    return tables.source(row.key).has_value();
}
bool is_there(Tables& tables, const LockGroup& row) {
    return tables.group(row.key).has_value();
}
bool is_there(Tables& tables, const Schedule& row) {
    return tables.schedule(row.key).has_value();
}
bool is_there(Tables& tables, const BulkRun& row) {
    return tables.bulk_run(row.id).has_value();
}
bool is_there(Tables& tables, const ApiToken& row) {
    return tables.api_token(row.id).has_value();
}

bool is_there(Tables& tables, const Edge& row) {
    const auto edges = tables.edges_of_job(row.key.blocked);
    return std::any_of(edges.begin(), edges.end(),
                       [&](const Edge& edge) { return edge.key == row.key; });
}

bool is_there(Tables& tables, const Job& row) {
    return tables.job(row.id, false).has_value();
}

std::optional<RowName> slot_of(const std::optional<Job>& job) {
    if (!job || !job->occurrence || !job->occurrence->slot) {
        return std::nullopt;
    }
    return RowName::slot(job->occurrence->schedule, *job->occurrence->slot);
}

}  // namespace

Transaction::Transaction(Database& database) : database_(database), id_(database.begin()) {}

// ---- load -------------------------------------------------------------------------------------

void Transaction::load(LoadSpec spec, const RememberedJobs& remembered) {
    spec_ = std::move(spec);
    rows_.emplace(database_, id_, spec_.wait);
    rows_->guess(spec_, remembered, database_.now());
    began_ = database_.now();
    began_after_ = database_.commits();
    climb();
}

// The clock is read when what was wished for is locked.
void Transaction::climb() {
    const Time now = SEMEL_MUTATION(time_before_locks) ? *began_ : database_.now();
    Loaded climbed = climb_ladder(*rows_, spec_, now);
    if (rows_->has_wishes()) {
        statements_ = rows_->statements();
        return;
    }
    loaded_ = answer_of(std::move(climbed), *rows_);
    now_ = loaded_->now;
    was_interleaved_ = database_.commits() != began_after_;
}

Loaded Transaction::take_loaded() {
    SEMEL_ASSERT(loaded_);  // else a wish had no statement
    return std::move(*std::exchange(loaded_, std::nullopt));
}

Transaction::Progress Transaction::advance() {
    if (statements_.empty()) {
        return Progress::done;
    }
    if (!statements_.front()()) {
        return Progress::waiting;
    }
    statements_.pop_front();
    if (!saved_) {
        statements_.clear();  // the first that fails is the last
    }
    if (statements_.empty() && !changes_) {
        climb();
    }
    return statements_.empty() ? Progress::done : Progress::more;
}

// ---- save -------------------------------------------------------------------------------------

// What is there was locked by the load, and waits for nobody, but for what was guessed; inserts
// come last.
void Transaction::save(std::shared_ptr<const Changes> changes) {
    changes_ = std::make_shared<Changes>(*changes);
    queue_changes(changes_->claims);
    queue_changes(changes_->sources);
    queue_guesses();
    queue_changes(changes_->jobs);
    queue_changes(changes_->edges);
    queue_changes(changes_->schedules);
    queue_inserts(changes_->schedules);
    queue_changes(changes_->groups);
    queue_inserts(changes_->groups);
    queue_changes(changes_->bulk_runs);
    queue_inserts(changes_->bulk_runs);
    queue_changes(changes_->api_tokens);
    queue_inserts(changes_->api_tokens);
    queue_inserts(changes_->claims);
    queue_inserts(changes_->sources);
    queue_inserts(changes_->jobs);
    queue_slots();
    queue_steps();
    queue_inserts(changes_->edges);
    queue_attempts();
    queue_outbox();
}

void Transaction::fail(ErrorCode code, const std::string& message) {
    saved_ = Error(code, message);
}

template <typename Row>
void Transaction::queue_changes(const std::vector<Change<Row>>& changes) {
    const bool any = std::any_of(changes.begin(), changes.end(),
                                 [](const auto& change) { return change.before.has_value(); });
    if (!any) {
        return;
    }
    statements_.emplace_back([this, &changes] {
        for (const auto& change : changes) {
            if (!change.before) continue;
            if (!database_.lock(RowName::of(*change.before), id_)) {
                return false;
            }
            if (!is_there(database_.tables(), *change.before)) {
                fail(ErrorCode::invalid, "a change is not saved: its row is gone");
            }
        }
        return true;
    });
}

// Locks what the load did not. It must be as it was guessed, and none may stay a guess.
void Transaction::queue_guesses() {
    if (!has_guessed() || SEMEL_MUTATION(guess_not_tested)) {
        return;
    }
    statements_.emplace_back([this] {
        for (const auto& change : changes_->jobs) {
            if (!change.before || !guesses().contains(change.before->id)) continue;
            if (!database_.lock(RowName::of(*change.before), id_)) {
                return false;
            }
            const auto found = database_.tables().job(change.before->id, false);
            has_guessed_wrong_ |= !found || found->job != *change.before;
        }
        if (has_guessed_wrong_ || !tests_all(*changes_, guesses())) {
            fail(ErrorCode::busy, "what was guessed is not so, or may not be");
        }
        return true;
    });
}

// In the order of the keys, so that those who wait for each other wait in one direction.
template <typename Row>
void Transaction::queue_inserts(std::vector<Change<Row>>& changes) {
    const bool any = std::any_of(changes.begin(), changes.end(),
                                 [](const auto& change) { return !change.before; });
    if (!any) {
        return;
    }
    statements_.emplace_back([this, &changes] {
        std::map<RowName, const Row*> rows;
        for (const auto& change : changes) {
            if (!change.before) rows.emplace(RowName::of(*change.after), &*change.after);
        }
        for (const auto& [name, row] : rows) {
            if (!database_.lock(name, id_)) {
                return false;
            }
            if (is_there(database_.tables(), *row) && !SEMEL_MUTATION(lost_insert_ignored)) {
                fail(ErrorCode::busy, "somebody else has inserted this key");
                return true;
            }
        }
        std::erase_if(changes, [&](const auto& change) {
            return !change.before && is_there(database_.tables(), *change.after);
        });
        return true;
    });
}

// (schedule, slot) is unique. One that a job leaves is free when that is committed.
void Transaction::queue_slots() {
    std::set<RowName> left;
    std::set<RowName> taken;
    for (const auto& change : changes_->jobs) {
        const auto before = slot_of(change.before);
        const auto after = slot_of(change.after);
        if (before == after) continue;
        if (before) left.insert(*before);
        if (after) taken.insert(*after);
    }
    if (left.empty() && taken.empty()) {
        return;
    }
    statements_.emplace_back([this, left, taken] {
        for (const auto& slots : {left, taken}) {
            for (const RowName& slot : slots) {
                if (!database_.lock(slot, id_)) return false;
            }
        }
        const auto& jobs = changes_->jobs;
        const bool are_free = std::all_of(jobs.begin(), jobs.end(), [&](const auto& change) {
            const auto slot = slot_of(change.after);
            return !slot || !taken.contains(*slot) || left.contains(*slot) ||
                   !database_.tables().has_slot(*change.after->occurrence);
        });
        if (!are_free) fail(ErrorCode::busy, "somebody else has this slot of the schedule");
        return true;
    });
}

// (chain, chainIndex) is unique.
void Transaction::queue_steps() {
    std::map<RowName, StepRef> steps;
    for (const auto& change : changes_->jobs) {
        if (!change.before && !change.after->begins_chain()) {
            const StepRef step{change.after->chain, change.after->chain_index};
            steps.emplace(RowName::step(step.chain, step.index), step);
        }
    }
    if (steps.empty() || SEMEL_MUTATION(continuation_not_unique)) {
        return;
    }
    statements_.emplace_back([this, steps] {
        for (const auto& [name, step] : steps) {
            if (!database_.lock(name, id_)) return false;
            if (database_.tables().step(step)) {
                fail(ErrorCode::busy, "somebody else has continued this chain");
            }
        }
        return true;
    });
}

void Transaction::queue_attempts() {
    if (changes_->attempts.empty()) {
        return;
    }
    statements_.emplace_back([this] {
        for (const Attempt& attempt : changes_->attempts) {
            const auto history = database_.tables().history(attempt.job);
            const bool is_known =
                std::any_of(history.begin(), history.end(),
                            [&](const Attempt& one) { return one.token == attempt.token; });
            if (is_known) fail(ErrorCode::busy, "somebody else has ended this attempt");
        }
        return true;
    });
}

// An entry is deleted by the one who decides it, and told of once.
void Transaction::queue_outbox() {
    if (changes_->drained.empty() && changes_->outbox_results.empty()) {
        return;
    }
    statements_.emplace_back([this] {
        const auto& drained = changes_->drained;
        const bool are_there = std::all_of(drained.begin(), drained.end(), [&](std::int64_t id) {
            return database_.outbox().contains(id);
        });
        if (!are_there) fail(ErrorCode::invalid, "a change is not saved: its entry is gone");
        return true;
    });
}

// ---- the end ----------------------------------------------------------------------------------

Result<void> Transaction::commit() {
    auto committed = changes_ ? database_.commit(*changes_, now_) : Result<void>();
    database_.end(id_);
    return committed;
}

void Transaction::roll_back() {
    statements_.clear();
    database_.end(id_);
}

}  // namespace semel::sim
