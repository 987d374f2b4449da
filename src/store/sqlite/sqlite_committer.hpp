// SqliteCommitter: the Committer of the embedded store. It passes each call to the writer thread. A
// batch takes two switches to that thread, load and commit, and one for each write().
//
// Errors: see Committer.
// Threads: the engine's executor. Callbacks run there too, through `post`.
// Lifetime: `writer` and `thread` outlive it. The destructor rolls back an open transaction.
#pragma once

#include "store/sqlite/sqlite_writer.hpp"
#include "store/store.hpp"
#include "store/threads/task_thread.hpp"

namespace semel::sqlite {

class SqliteCommitter final : public Committer {
public:
    SqliteCommitter(SqliteWriter& writer, TaskThread& thread, Post post)
        : writer_(writer), thread_(thread), post_(std::move(post)) {}
    ~SqliteCommitter() override;
    SqliteCommitter(const SqliteCommitter&) = delete;
    SqliteCommitter& operator=(const SqliteCommitter&) = delete;

    void load(LoadSpec spec, Done<Loaded> done) override;
    void write(std::shared_ptr<const OwnWrites> writes, Done<Written> done) override;
    void commit(std::shared_ptr<const Changes> changes, Done<void> done) override;
    void roll_back(Done<void> done) override;

private:
    SqliteWriter& writer_;
    TaskThread& thread_;
    const Post post_;
};

}  // namespace semel::sqlite
