// Save: writes the changes of a batch with a few statements, each with one array per column.
//
// The load has locked existing rows, so changing these waits for no lock, except for guessed jobs.
// Inserts come last and in the order of their keys. So if two nodes insert the same key, one of
// them waits, finds the key taken and decides again. They cannot deadlock.
//
// Errors: see queue(). Errors of the statements are in the answer to the flush.
// Threads: the connection's thread.
// Lifetime: `connection` outlives the object. One object per transaction.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/batch/changes.hpp"
#include "store/caches/remembered_jobs.hpp"
#include "store/postgres/connection.hpp"

namespace semel::postgres {

// The positions of the rows in the ready queue that this transaction has locked.
using ReadyTids = std::unordered_map<JobId, Tid>;

class Save {
public:
    // `guesses`: jobs that must still be running as in the change's `before`. Otherwise nothing is
    // saved.
    explicit Save(Connection& connection, ReadyTids ready_tids = {}, Guesses guesses = {})
        : connection_(connection),
          ready_tids_(std::move(ready_tids)),
          guesses_(std::move(guesses)) {}

    // Queues the statements on the connection. If one fails, the server does not run the statements
    // after it, such as the commit. `mark` identifies the commit, and `now` is its time. After an
    // error a change must not be saved, and the transaction must be rolled back.
    [[nodiscard]] Result<void> queue(const Changes& changes, const Uuid& mark, Time now);

private:
    struct QueueColumns;  // of rows in one queue

    // Queues a statement that affects any number of rows. An insert makes all its rows, or fails.
    void ask(const std::string& sql, const Params& params);
    // Queues an update or deletion. It fails on the server if it affects another number of rows.
    void touch(const std::string& sql, Params params, std::int64_t rows);

    void queue_claims(const Changes& changes);
    void queue_claim_inserts(const Changes& changes);
    void queue_fences(const Changes& changes);
    void queue_fence_inserts(const Changes& changes);
    void queue_contents(const Changes& changes);
    void queue_sources(const Changes& changes);
    void queue_responses(const Changes& changes);
    void queue_source_inserts(const Changes& changes);
    [[nodiscard]] static Result<void> check_jobs(const Changes& changes);
    void queue_jobs(const Changes& changes);
    void queue_job_inserts(const Changes& changes);
    void queue_bodies(const Changes& changes);
    void queue_places(const Changes& changes);
    void queue_taken(const Array& tids);
    void queue_left(Place place, const QueueColumns& rows);
    void queue_entered(Place place, const QueueColumns& rows);
    void queue_running(const Changes& changes);
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
    // Queues a deletion. Fails on the server if a row does not exist.
    void delete_by_id(const std::string& table, const std::string& key, const Array& keys);
    // Queues a deletion that skips rows that do not exist.
    void delete_any_by_id(const std::string& table, const std::string& key, const Array& keys);

    Connection& connection_;
    const ReadyTids ready_tids_;
    const Guesses guesses_;
};

}  // namespace semel::postgres
