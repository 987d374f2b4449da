// Save: writes what a batch decided, as a few statements that each hold a column per array.
//
// Rows that are there were locked by the load; changing them waits for nobody, but for jobs that
// were guessed. Inserts come last and in the order of their keys, so that two nodes which insert
// the same key wait in one direction; the second then finds the key taken, and decides again.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/changes.hpp"
#include "store/postgres/connection.hpp"
#include "store/remembered_jobs.hpp"

namespace semel::postgres {

// Where rows of the ready line lie that this transaction has locked, with their jobs.
using ReadyTids = std::unordered_map<JobId, Tid>;

class Save {
public:
    // `guesses`: these jobs must run as the change has it from before, or nothing is saved.
    explicit Save(Connection& connection, ReadyTids ready_tids = {}, Guesses guesses = {})
        : connection_(connection),
          ready_tids_(std::move(ready_tids)),
          guesses_(std::move(guesses)) {}

    // Queues the statements; what follows them, as a commit, is run when all went as it had to.
    // `mark` names the commit; `now` is when. An error: a change must not be saved, and nothing is
    // queued.
    [[nodiscard]] Result<void> queue(const Changes& changes, const Uuid& mark, Time now);

private:
    struct LineColumns;  // of rows of one line

    // Any number of rows. An insert makes all of them, or fails.
    void ask(const std::string& sql, const Params& params);
    // An update or a deletion. The server refuses it where it does not touch exactly so many rows.
    void touch(const std::string& sql, Params params, std::int64_t rows);

    void queue_claims(const Changes& changes);
    void queue_claim_inserts(const Changes& changes);
    void queue_fences(const Changes& changes);
    void queue_fence_inserts(const Changes& changes);
    void queue_contents(const Changes& changes);
    void queue_sources(const Changes& changes);
    void queue_source_inserts(const Changes& changes);
    [[nodiscard]] static Result<void> check_jobs(const Changes& changes);
    void queue_jobs(const Changes& changes);
    void queue_job_inserts(const Changes& changes);
    void queue_bodies(const Changes& changes);
    void queue_lines(const Changes& changes);
    void queue_taken(const Array& tids);
    void queue_left(Place place, const LineColumns& rows);
    void queue_entered(Place place, const LineColumns& rows);
    void queue_runs(const Changes& changes);
    void queue_results(const Changes& changes);
    void queue_attempts(const Changes& changes);
    void queue_counts(const Changes& changes);
    void queue_edges(const Changes& changes);
    void queue_edge_inserts(const Changes& changes);
    void queue_groups(const Changes& changes);
    void queue_schedules(const Changes& changes);
    void queue_bulk_runs(const Changes& changes);
    void queue_api_tokens(const Changes& changes);
    void queue_decisions(const Changes& changes, Time now);
    void queue_outbox(const Changes& changes, Time now);
    // All of them must be there.
    void delete_by_id(const std::string& table, const std::string& key, const Array& keys);
    // None of them need be there.
    void delete_any_by_id(const std::string& table, const std::string& key, const Array& keys);

    Connection& connection_;
    const ReadyTids ready_tids_;
    const Guesses guesses_;
};

}  // namespace semel::postgres
