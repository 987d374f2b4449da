// Tasks with statements of a caller's own. They are run in the middle of a batch, when it is
// decided that the caller may; what came of them is decided after that, in the same transaction.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <semel/handler.hpp>

#include "core/commands.hpp"
#include "engine/task.hpp"

namespace semel {

// A job that is ended by statements of its handler's own, and what is known of it between tries.
struct AtomicEnd {
    TakenJob job;
    std::function<HandlerResult(Tx&)> run;  // throws nothing
    std::optional<JobCall> call = {};       // what it came to when it was last run
};

// Ends the job with its statements, or fails the attempt without them.
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
    // What is said of the job before its statements have run.
    [[nodiscard]] JobCall plain_call() const;
    [[nodiscard]] JobCall failed_call(HandlerResult result) const;
    void settle(Workspace& workspace, const JobCall& call);
    void decide_run(Workspace& workspace);

    std::shared_ptr<AtomicEnd> end_;
    const Settings& settings_;
    Callback done_;

    Then then_ = Then::answer;
    // Filled where the statements run, and read here after that.
    std::shared_ptr<std::optional<JobCall>> ran_;  // null: not in this batch
    std::optional<JobCall> failure_;               // they are not run any more
    LoadSpec named_;                               // what this batch loaded for the continuation
    int namings_ = 0;
    std::optional<Item<JobAnswer>> reply_;
};

// An attempt that must still have its job.
struct Attempting {
    std::string tenant;
    JobId id;
    Token token = Token::none;
};

// Statements in a commit of their own.
class WriteTask final : public Task {
public:
    // Why it failed, if it did. Throws nothing.
    using Statements = std::function<std::optional<std::string>(Tx&)>;

    // `invalid`: the statements failed. `refused`: they were not run.
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
    std::shared_ptr<std::optional<std::string>> error_;  // null: they have not run in this batch
    std::optional<Error> failure_;                       // they are not run any more
};

}  // namespace semel
