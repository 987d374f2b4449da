// CommitStream: group commit. It loads, decides and saves one batch of commands at a time, and
// answers them after the commit. Commands that arrive during a batch form the next one. So under
// load hundreds of callers share one fsync, and a single caller waits for no timer.
//
//   idle ─► loading ─► (decide) ─► committing ─► (answer) ─► idle, or loading again
//                        │  ▲
//                        ▼  │
//                       writing: a command's own statements, in the middle of the decisions
//
// On a shared store another node can have locked a row, or insert a key first. The command that
// meets this is postponed and decided again, first after 2 ms (see postponed.hpp). The Ledger keeps
// the streams of one node from using the same row at the same time.
//
// Errors: each command is answered with the error of its batch. After `busy` it is tried again for
// 5 s, after `commit_unknown` never.
// Threads: the engine's executor.
// Lifetime: all arguments of the constructor outlive it.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/settings.hpp"
#include "engine/env.hpp"
#include "engine/postponed.hpp"
#include "engine/task.hpp"
#include "store/store.hpp"

namespace semel {

class CommitStream {
public:
    // Called for every commit, unless it says otherwise.
    struct Listeners {
        std::function<void(const Changes&)> recorded;   // before its replies are sent
        std::function<void(const Changes&)> committed;  // after its replies were sent
        std::function<void()> postponed;  // not a commit: a command waits for entries of the outbox
        std::function<void()> unknown;    // a commit's result is unknown
        StoreRole store = StoreRole::main;  // the store of these commits
    };

    // `freed` is called when a batch has ended and its rows are no longer in flight, before the
    // next batch begins. It may submit more.
    CommitStream(Env& env, Store& store, const Settings& settings, Listeners listeners,
                 std::function<void()> freed = {});
    ~CommitStream();

    void submit(PendingTask entry);
    // Submits several commands, to one batch if they fit.
    void submit_all(std::vector<PendingTask> entries);

    // Returns the size of the submitted commands that are in no batch yet.
    [[nodiscard]] const TaskSize& waiting() const { return waiting_; }
    // Returns true while a batch is running, so that a submitted command must wait for its end.
    [[nodiscard]] bool is_busy() const { return batch_ != nullptr; }

    // Calls `done` when every submitted command is answered. Later commands are answered `stopped`.
    void close(std::function<void()> done);

private:
    struct Batch;
    using Entry = PendingTask;

    void enqueue(Entry entry);
    // Begins a batch, unless one is running. Without commands it sets the alarm for postponed ones.
    void begin();
    // Moves commands into the batch, up to its limits.
    void gather(Batch& batch);
    void loaded(Result<Loaded> rows);
    // Decides the remaining commands of the batch, then calls end().
    void decide();
    // Decides one command. Returns false if the store's thread must first answer.
    [[nodiscard]] bool decide_next();
    // Answers the command that was decided last with the error: it met a damaged row.
    void refuse(const Error& error);
    // Runs the task's statements on the store's thread; written() receives the result.
    void write(Task& task);
    void written(const Result<Written>& written);
    // Commits the decided batch, or rolls it back if it changed nothing.
    void end();
    void commit();
    // End a batch whose transaction was lost during the decisions. fail() answers its commands with
    // the error, requeue() puts them first into the next batch.
    void fail(const Error& error);
    void requeue();
    // Moves all commands of the batch, decided or not, back to its `entries`.
    static void gather_undecided(Batch& batch);
    // Puts commands at the front of the queue.
    void put_first(std::vector<Entry> entries);
    // Ends the batch: starts the next one, answers the commands, calls the listeners.
    void finish(const Result<void>& committed);
    // Returns true if the commands of the batch must be tried again after this error.
    [[nodiscard]] bool takes_another_try(const Error& error);
    // Postpones these commands, and answers `busy` to the ones that waited for more than 5 s.
    // Returns true if it answered one.
    bool try_again(std::vector<Entry> entries);
    void set_alarm();
    static void answer_all(Batch& batch, const Result<void>& committed);
    void check_closed();

    Env& env_;
    const Settings& settings_;
    Listeners listeners_;
    std::function<void()> freed_;
    std::function<std::uint64_t()> random_;
    UuidGenerator ids_;
    std::unique_ptr<Committer> committer_;

    std::deque<Entry> queue_;
    Postponed postponed_;                // have priority over the queue
    std::optional<Env::TimerId> alarm_;  // while idle: for the next postponed command
    std::unique_ptr<Batch> batch_;       // INVARIANT: null exactly while idle
    TaskSize waiting_;                   // in the queue, or postponed
    std::function<void()> closed_;       // INVARIANT: present exactly while closing
    bool is_closed_ = false;
};

}  // namespace semel
