// AtomicTask and WriteTask: tasks that run a caller's own SQL statements in their commit. The
// statements run in the middle of a batch, after the task has decided that the caller may run them.
// Their result is decided after that, in the same transaction.
//
// Errors: `done` receives them.
// Threads: the engine's executor, except that the statements run on the store's thread. They must
// not throw, and may run again after a rollback.
// Lifetime: `settings` outlives the task.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <semel/handler.hpp>

#include "core/commands.hpp"
#include "engine/task.hpp"

namespace semel {

// A job that ends with statements of its handler, and its state between tries.
struct AtomicEnd {
    TakenJob job;
    std::function<HandlerResult(Tx&)> run;  // throws nothing
    std::optional<JobCall> call = {};       // the call that the last run of the statements led to
};

// Completes the job in the commit of its statements, or fails the attempt without them.
class AtomicTask final : public Task {
public:
    using Callback = std::function<void(Result<Item<JobAnswer>>)>;

    AtomicTask(std::shared_ptr<AtomicEnd> end, const Settings& settings, Callback done)
        : end_(std::move(end)), settings_(settings), done_(std::move(done)) {}

    [[nodiscard]] TaskSize size() const override { return {.items = 1, .bytes = 0}; }
    void begin() override;
    void name_rows(LoadSpec& spec) const override;
    void decide(Workspace& workspace) override;
    [[nodiscard]] Then then() const override { return then_; }
    [[nodiscard]] std::shared_ptr<const OwnWrites> own_writes() override;
    void written(const Written& written) override;
    void answer(const Result<void>& committed) override;

private:
    // The call that ends the job before its statements have run.
    [[nodiscard]] JobCall plain_call() const;
    [[nodiscard]] JobCall failed_call(HandlerResult result) const;
    void settle(Workspace& workspace, const JobCall& call);
    void decide_run(Workspace& workspace);

    std::shared_ptr<AtomicEnd> end_;
    const Settings& settings_;
    Callback done_;

    Then then_ = Then::answer;
    // Filled on the store's thread, and read here after written().
    std::shared_ptr<std::optional<JobCall>> ran_;  // null: not run in this batch
    std::optional<JobCall> failure_;               // set: the statements do not run again
    LoadSpec named_;  // the rows that this batch loaded for the continuation
    int namings_ = 0;
    std::optional<Item<JobAnswer>> reply_;
};

// An attempt that must still have its job.
struct Attempting {
    std::string tenant;
    JobId id;
    Token token = Token::none;
};

// Runs statements in a separate commit.
class WriteTask final : public Task {
public:
    // Returns the error if the statements failed. Must not throw.
    using Statements = std::function<std::optional<std::string>(Tx&)>;

    // Error of `done`: `invalid` if the statements failed, `refused` if they did not run or would
    // fail again.
    WriteTask(std::optional<Attempting> attempt, Statements statements, Done<void> done)
        : attempt_(std::move(attempt)),
          statements_(std::move(statements)),
          done_(std::move(done)) {}

    [[nodiscard]] TaskSize size() const override { return {.items = 1, .bytes = 0}; }
    void begin() override;
    void name_rows(LoadSpec& spec) const override;
    void decide(Workspace& workspace) override;
    [[nodiscard]] Then then() const override { return then_; }
    [[nodiscard]] std::shared_ptr<const OwnWrites> own_writes() override;
    void written(const Written& written) override;
    void answer(const Result<void>& committed) override;

private:
    std::optional<Attempting> attempt_;
    Statements statements_;
    Done<void> done_;

    Then then_ = Then::answer;
    std::shared_ptr<std::optional<std::string>> error_;  // null: not run in this batch
    std::optional<Error> failure_;                       // set: the statements do not run again
};

}  // namespace semel
