// Ledger: the entrance for all commands of a node. It opens as many commit streams as the store has
// committers, and chooses the stream of each command.
//
// Two streams that work on one row at the same time would refuse each other's commands, because no
// load waits for a lock. So a command goes to the stream that has one of its rows in flight:
//   no stream has one of its rows    the stream of its key, or the stream that the caller chose
//   one stream has some              that stream
//   several streams have some        no stream yet: it is parked, in memory
// A parked command is sent when at most one stream has its rows. Later commands that share a row
// with it are parked behind it. So each parked command waits only for commands submitted before it.
// Postponed commands have no row in flight: a parked command waits for batches, never for a lock.
//
// Errors: a command's callback receives them. `stopped` after close(), otherwise those of
// CommitStream.
// Threads: the engine's executor.
// Lifetime: all arguments of the constructor outlive it.
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

    // For callers that choose the stream, because their command names no key. Of the streams for
    // which `will_do` is true, idlest() returns the one with the fewest waiting commands.
    [[nodiscard]] std::size_t streams() const { return streams_.size(); }
    [[nodiscard]] std::size_t idlest(const std::function<bool(std::size_t)>& will_do) const;
    // Submits a task to this stream, or to the stream that has its rows in flight.
    void submit_to(std::size_t stream, std::unique_ptr<Task> task);
    // Does the same for several tasks, in one batch if they fit.
    void submit_all_to(std::size_t stream, std::vector<std::unique_ptr<Task>> tasks);

    // Returns true at 10 000 waiting items or 256 MiB. Node then answers new commands `overloaded`.
    [[nodiscard]] bool is_full() const;

    // Calls `done` when every submitted command is answered. A later command is answered `stopped`.
    void close(std::function<void()> done);

private:
    struct Parked {
        PendingTask entry;
        std::size_t otherwise = 0;  // its stream if no stream has its rows in flight
    };
    using ByStream = std::vector<std::vector<PendingTask>>;

    void submit_one(std::unique_ptr<Task> task, std::optional<std::size_t> wished);
    // Returns the task with the rows that it names, which are not yet in flight.
    [[nodiscard]] Parked with_rows(std::unique_ptr<Task> task, std::optional<std::size_t> wished);
    // Returns the stream for the command, or nullopt if it must be parked.
    [[nodiscard]] std::optional<std::size_t> stream_for(const Parked& command) const;
    // Adds the command to the entries of its stream.
    void send_or_park(Parked command, ByStream& entries);
    void park(Parked command);
    void send(ByStream entries);
    // Called when a batch has ended. Sends the parked commands that need not wait any longer.
    void send_parked();
    void close_streams();

    Env& env_;
    RowsInFlight rows_;                                   // outlives the streams
    std::vector<std::unique_ptr<CommitStream>> streams_;  // never empty
    std::deque<Parked> parked_;                           // in the order of their submission
    RowsInFlight::RowSet wanted_;                         // the rows of parked commands
    TaskSize parked_size_;
    bool is_closed_ = false;
    std::size_t closing_ = 0;     // streams with unanswered commands
    std::function<void()> done_;  // present while closing
    std::shared_ptr<bool> is_alive_ = std::make_shared<bool>(true);
};

}  // namespace semel
