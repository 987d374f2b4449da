// Ledger: chooses the commit stream that each command goes to. It opens as many streams as the
// store has committers.
//
// Two streams that work on one row at the same time refuse each other's commands, because no load
// waits for a lock. So a command that names a row goes to the stream that has this row in flight:
//   no stream has one of its rows    the stream of its key, or the stream that the caller wishes
//   one stream has some              that stream
//   several streams have some        it is parked, in memory
// A parked command goes when one stream at most has its rows. Later commands that share a row with
// it are parked behind it, so each parked command waits only for commands submitted before it.
// Postponed commands have nothing in flight: a parked command waits for batches, never for a lock.
//
// Threads: the engine's executor.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/commit_stream.hpp"
#include "engine/rows_in_flight.hpp"

namespace semel {

class Ledger {
public:
    Ledger(Env& env, Store& store, const Settings& settings,
           const CommitStream::Listeners& listeners);
    ~Ledger();
    Ledger(const Ledger&) = delete;
    Ledger& operator=(const Ledger&) = delete;

    void submit(std::unique_ptr<Task> task);

    // For callers that choose the stream of commands about no key. Of the streams that will do,
    // `idlest` returns the one that begins its next batch soonest.
    [[nodiscard]] std::size_t streams() const { return streams_.size(); }
    [[nodiscard]] std::size_t idlest(const std::function<bool(std::size_t)>& will_do) const;
    // A task whose rows are in flight elsewhere goes there instead.
    void submit_to(std::size_t stream, std::unique_ptr<Task> task);
    // In one batch, as far as there is room in it.
    void submit_all_to(std::size_t stream, std::vector<std::unique_ptr<Task>> tasks);

    // Whether callers must be turned away: the waiting commands are more than the store can answer
    // in time, or more than memory may hold.
    [[nodiscard]] bool is_full() const;

    // Answers every command that has been submitted, then calls back. A command that is submitted
    // later is answered `stopped`.
    void close(std::function<void()> done);

private:
    struct Parked {
        PendingTask entry;
        std::size_t otherwise = 0;  // the stream to take if none has its rows
    };
    using ByStream = std::vector<std::vector<PendingTask>>;

    void submit_one(std::unique_ptr<Task> task, std::optional<std::size_t> wished);
    // The task with the rows that it names, not yet in flight, and the stream for it.
    [[nodiscard]] Parked with_rows(std::unique_ptr<Task> task, std::optional<std::size_t> wished);
    // Null: the command has to be parked.
    [[nodiscard]] std::optional<std::size_t> stream_for(const Parked& command) const;
    // Adds the command to the entries of its stream.
    void send_or_park(Parked command, ByStream& entries);
    void park(Parked command);
    void send(ByStream entries);
    // A batch has ended: sends the parked commands that may go now.
    void send_parked();
    void close_streams();

    Env& env_;
    RowsInFlight rows_;                                   // outlives the streams
    std::vector<std::unique_ptr<CommitStream>> streams_;  // never empty
    std::deque<Parked> parked_;                           // in the order of their submission
    RowsInFlight::RowSet wanted_;                         // the rows of parked commands
    TaskSize parked_size_;
    bool is_closed_ = false;
    std::size_t closing_ = 0;     // streams that have not answered all yet
    std::function<void()> done_;  // present while closing
    std::shared_ptr<bool> is_alive_ = std::make_shared<bool>(true);
};

}  // namespace semel
