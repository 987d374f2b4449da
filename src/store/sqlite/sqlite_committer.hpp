// SqliteCommitter: the engine's handle on the writer thread. A batch takes two hops there: load,
// and save with commit; and one for each caller with statements of its own.
#pragma once

#include "store/sqlite/sqlite_writer.hpp"
#include "store/store.hpp"
#include "store/task_thread.hpp"

namespace semel::sqlite {

class SqliteCommitter final : public Committer {
public:
    SqliteCommitter(SqliteWriter& writer, TaskThread& thread, Post post)
        : writer_(writer), thread_(thread), post_(std::move(post)) {}
    // An open transaction is rolled back.
    ~SqliteCommitter() override;
    SqliteCommitter(const SqliteCommitter&) = delete;
    SqliteCommitter& operator=(const SqliteCommitter&) = delete;

    void load(LoadSpec spec, Done<Loaded> done) override;
    void write(std::shared_ptr<const OwnWrites> writes, Done<Written> done) override;
    // Keeps the changes; what is wrong with them is reported by `commit`.
    void save(std::shared_ptr<const Changes> changes, Done<void> done) override;
    void commit(Done<void> done) override;
    void roll_back(Done<void> done) override;

private:
    SqliteWriter& writer_;
    TaskThread& thread_;
    const Post post_;
    std::shared_ptr<const Changes> changes_;
};

}  // namespace semel::sqlite
