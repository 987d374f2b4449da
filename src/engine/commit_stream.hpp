// CommitStream: group commit. One batch is loaded, decided and saved at a time, and its replies
// leave after its commit. Commands that are submitted meanwhile are the next batch: under load
// hundreds of callers share one fsync, and a single caller never waits for others.
//
//   idle ─► loading ─► (decide) ─► committing ─► (answer) ─► idle, or loading again
//                        │  ▲
//                        ▼  │
//                       writing: statements of a command's own, in the middle of the decisions
//
// On a shared store another node may have locked a row, or may insert a key first. The command that
// meets this is postponed and decided again, within milliseconds at first (see postponed.hpp). The
// ledger keeps the streams of one node off each other's rows (see ledger.hpp).
//
// Errors: each command is answered with the error of its batch. After `busy` it is tried again for
// 5 s, after `commit_unknown` never.
// Threads: the engine's executor.
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
    // Told of every commit.
    struct Listeners {
        std::function<void(const Changes&)> recorded;   // before its replies leave: for counting
        std::function<void(const Changes&)> committed;  // after them: for what follows from it
        std::function<void()> postponed;                // a command waits for the outbox
        std::function<void()> unknown;                  // it may have happened, or not
        StoreRole store = StoreRole::main;              // whose commits these are
    };

    // `freed` is called when a batch has ended and its rows are no longer in flight, before the
    // next batch begins. It may submit more.
    CommitStream(Env& env, Store& store, const Settings& settings, Listeners listeners,
                 std::function<void()> freed = {});
    ~CommitStream();

    void submit(PendingTask entry);
    // In one batch, as far as there is room in it.
    void submit_all(std::vector<PendingTask> entries);

    // What has been submitted and is in no batch.
    [[nodiscard]] const TaskSize& waiting() const { return waiting_; }
    // Whether what is submitted waits for a batch that is under way.
    [[nodiscard]] bool is_busy() const { return batch_ != nullptr; }

    // Answers what has been submitted, then calls back. Whatever is submitted later is answered
    // `stopped`.
    void close(std::function<void()> done);

private:
    struct Batch;
    using Entry = PendingTask;

    void enqueue(Entry entry);
    // Unless a batch is on its way: begins one, or waits until there is something to do.
    void begin();
    // What goes into it.
    void gather(Batch& batch);
    void loaded(Result<Loaded> rows);
    // Decides what the batch has left to decide, then ends it.
    void decide();
    // False: the rest has to wait for the answer to something.
    [[nodiscard]] bool decide_next();
    // The command that was decided last met a damaged row.
    void refuse(const Error& error);
    void write(Task& task);
    void written(const Result<Written>& written);
    // Everything is decided.
    void end();
    void commit();
    // The batch's transaction is over and changed nothing, while decisions were being made. All of
    // it is answered so, or goes first again.
    void fail(const Error& error);
    void requeue();
    static void gather_undecided(Batch& batch);
    void put_first(std::vector<Entry> entries);
    void finish(const Result<void>& committed);
    // Whether the batch is to be decided again, after an error that says so.
    [[nodiscard]] bool takes_another_try(const Error& error);
    // Another try for those that met somebody else's rows; an answer for those that waited enough.
    // True: there were some of those.
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
    Postponed postponed_;                // they come before the queue
    std::optional<Env::TimerId> alarm_;  // while idle: for the next of them
    std::unique_ptr<Batch> batch_;       // INVARIANT: null exactly while idle
    TaskSize waiting_;                   // in the queue, or postponed
    std::function<void()> closed_;       // INVARIANT: present exactly while closing
    bool is_closed_ = false;
};

}  // namespace semel
