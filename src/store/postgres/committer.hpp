// PostgresCommitter: the engine's handle on a writer and its thread.
#pragma once

#include "store/postgres/writer.hpp"
#include "store/store.hpp"
#include "store/task_thread.hpp"

namespace semel::postgres {

class PostgresCommitter final : public Committer {
public:
    PostgresCommitter(std::unique_ptr<Writer> writer, Post post);

    void load(LoadSpec spec, Done<Loaded> done) override;
    void save(std::shared_ptr<const Changes> changes, Done<void> done) override;
    void commit(Done<void> done) override;
    void roll_back(Done<void> done) override;

private:
    // Runs a step on the writer's thread, and answers it on the engine's executor.
    template <typename T, typename Step>
    void run(Done<T> done, Step step);

    const Post post_;
    const std::unique_ptr<Writer> writer_;  // used on thread_ alone
    TaskThread thread_;                     // last: ends first
};

}  // namespace semel::postgres
