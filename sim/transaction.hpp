// Transaction: load, save, and an end, as one node has them on the shared database. Each is made of
// statements that others may come between.
#pragma once

#include <memory>
#include <optional>

#include "sim/fetched_rows.hpp"

namespace semel::sim {

class Transaction {
public:
    explicit Transaction(Database& database);

    // Begin to load, or to save: `advance` does it.
    void load(LoadSpec spec, const RememberedJobs& remembered);
    void save(std::shared_ptr<const Changes> changes);

    enum class Progress {
        more,
        waiting,  // for somebody else's end. The one who waits may give up with `roll_back`.
        done,
    };
    // Runs the next statement.
    [[nodiscard]] Progress advance();

    // What came of it. REQUIRES: done.
    [[nodiscard]] Loaded take_loaded();
    // An error: nothing of it may be committed.
    [[nodiscard]] const Result<void>& saved() const { return saved_; }

    // Both end it. It is not ended by its destruction: a node may be gone, and its transaction
    // not yet.
    [[nodiscard]] Result<void> commit();
    void roll_back();

    // Jobs that are not known but by guessing.
    [[nodiscard]] const Guesses& guesses() const { return rows_->guesses(); }
    [[nodiscard]] bool has_guessed() const { return !guesses().empty(); }
    [[nodiscard]] bool has_guessed_wrong() const { return has_guessed_wrong_; }
    // Whether somebody committed between the first and the last statement of the load.
    [[nodiscard]] bool was_interleaved() const { return was_interleaved_; }
    [[nodiscard]] bool met_another_drainer() const { return rows_->met_another_drainer(); }
    // How many commits there had been when it began.
    [[nodiscard]] int began_after() const { return began_after_; }

private:
    void climb();
    void queue_guesses();
    template <typename Row>
    void queue_changes(const std::vector<Change<Row>>& changes);
    template <typename Row>
    void queue_inserts(std::vector<Change<Row>>& changes);
    void queue_slots();
    void queue_steps();
    void queue_attempts();
    void queue_outbox();
    void fail(ErrorCode code, const std::string& message);

    Database& database_;
    const TransactionId id_;
    LoadSpec spec_;
    std::optional<FetchedRows> rows_;
    std::deque<Statement> statements_;
    std::optional<Loaded> loaded_;
    std::shared_ptr<Changes> changes_;
    Result<void> saved_;
    Time now_;                   // that its rows were loaded at
    std::optional<Time> began_;  // the clock, before there was a lock
    int began_after_ = 0;
    bool was_interleaved_ = false;
    bool has_guessed_wrong_ = false;
};

}  // namespace semel::sim
