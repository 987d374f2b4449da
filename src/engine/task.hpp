// Task: a command in the ledger, with the callback for its answer. CommitStream calls its members
// in this order:
//
//   begin ─► name_rows ─► decide (─► own_writes ─► written ─► decide) ─► commit ─► answer
//
// After a rollback the task starts again with begin(), in a later batch. answer() is called once.
//
// Errors: answer() receives them.
// Threads: the engine's executor. Only the statements of own_writes() run on the store's thread.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "base/result.hpp"
#include "core/decide.hpp"
#include "core/keys/idempotency.hpp"
#include "store/store.hpp"

namespace semel {

// The work and memory of a task. One request can have a thousand items.
struct TaskSize {
    std::size_t items = 0;
    std::size_t bytes = 0;

    TaskSize& operator+=(const TaskSize& other) {
        items += other.items;
        bytes += other.bytes;
        return *this;
    }
    TaskSize& operator-=(const TaskSize& other) {
        items -= other.items;
        bytes -= other.bytes;
        return *this;
    }
};

template <typename Command>
[[nodiscard]] TaskSize size_of(const Command&) {
    return {.items = 1, .bytes = 0};
}
[[nodiscard]] inline TaskSize size_of(const ScheduleActions& command) {
    TaskSize size{.items = command.items.size(), .bytes = 0};
    for (const auto& item : command.items) {
        const auto* request = std::get_if<ActionRequest>(&item);
        size.bytes += request != nullptr ? request->payload.size() : 0;
    }
    return size;
}

// A job, and the chains that start with it.
[[nodiscard]] inline TaskSize size_of(const StepRequest& step) {
    TaskSize size{.items = 1, .bytes = step.input.size()};
    for (const BlockerRequest& blocker : step.blockers) {
        if (const auto* chain = std::get_if<std::shared_ptr<const ChainRequest>>(&blocker)) {
            size += size_of((*chain)->first);
        } else {
            ++size.items;  // rows of the blocker change too
        }
    }
    return size;
}
[[nodiscard]] inline TaskSize size_of(const StartChains& command) {
    TaskSize size;
    for (const auto& item : command.items) {
        const auto* request = std::get_if<ChainRequest>(&item);
        size += request != nullptr ? size_of(request->first) : TaskSize{.items = 1};
    }
    return size;
}
// The end of a job: its output, or the job that continues its chain.
template <typename Call>
[[nodiscard]] TaskSize size_of_completion(const Call& call) {
    TaskSize size{.items = 1, .bytes = call.output ? call.output->size() : 0};
    if (call.continue_with) {
        size += size_of(call.continue_with->step);
    }
    return size;
}
[[nodiscard]] inline TaskSize size_of(const CompleteChain& command) {
    return size_of_completion(command);
}
[[nodiscard]] inline TaskSize size_of(const SettleJobs& command) {
    TaskSize size;
    for (const auto& item : command.calls) {
        const auto* call = std::get_if<JobCall>(&item);
        size += call != nullptr ? size_of_completion(*call) : TaskSize{.items = 1};
    }
    return size;
}

[[nodiscard]] inline TaskSize size_of(const ClaimFence& command) {
    const auto& content = command.request.content;
    return {.items = 1, .bytes = content ? content->size() : 0};
}
[[nodiscard]] inline TaskSize size_of(const CallFence& command) {
    const auto& receipt = command.call.receipt;
    return {.items = 1, .bytes = receipt ? receipt->size() : 0};
}
[[nodiscard]] inline TaskSize size_of(const ResolveClaim& command) {
    const auto& body = command.answer ? command.answer->body : nullptr;
    return {.items = 1,
            .bytes = (command.receipt ? command.receipt->size() : 0) + (body ? body->size() : 0)};
}
[[nodiscard]] inline TaskSize size_of(const AdmitPass& command) {
    const auto& content = command.request.content;
    return {.items = 1, .bytes = content ? content->size() : 0};
}
[[nodiscard]] inline TaskSize size_of(const BeatPasses& command) {
    return {.items = command.claims.size(), .bytes = 0};
}
[[nodiscard]] inline TaskSize size_of(const SettlePass& command) {
    return {.items = 1, .bytes = command.body ? command.body->size() : 0};
}
[[nodiscard]] inline TaskSize size_of(const CountRepeats& command) {
    return {.items = 1 + command.counts.size(), .bytes = 0};
}
// Log entries count as memory rather than work. A busy second leaves ten thousand of them, and
// these must not turn callers away.
[[nodiscard]] inline TaskSize size_of(const RecordDecisions& command) {
    TaskSize size{.items = 1, .bytes = command.entries.size() * sizeof(DecisionEntry)};
    for (const DecisionEntry& entry : command.entries) {
        size.bytes += entry.tenant.size() + entry.type.size() + entry.key.size() +
                      entry.effect.size() + entry.source_type.size() + entry.source_id.size() +
                      entry.reason.size();
    }
    return size;
}

[[nodiscard]] inline TaskSize size_of(const PutSchedule& command) {
    return {.items = 1, .bytes = command.spec.payload.size()};
}
[[nodiscard]] inline TaskSize size_of(const StepBulk& command) {
    return {.items = 1 + command.actions.size(), .bytes = 0};
}
[[nodiscard]] inline TaskSize size_of(const DrainOutbox& command) {
    return {.items = static_cast<std::size_t>(command.limit), .bytes = 0};
}

// Returns true if the command has several items, which are accepted or refused one by one.
template <typename Command>
[[nodiscard]] bool has_many_items(const Command&) {
    return false;
}
[[nodiscard]] inline bool has_many_items(const ScheduleActions& command) {
    return command.items.size() > 1;
}
[[nodiscard]] inline bool has_many_items(const StartChains& command) {
    return command.items.size() > 1;
}
[[nodiscard]] inline bool has_many_items(const SettleJobs& command) {
    return command.calls.size() > 1;
}
[[nodiscard]] inline bool has_many_items(const BeatPasses& command) {
    return command.claims.size() > 1;
}
[[nodiscard]] inline bool has_many_items(const StepBulk&) {
    return true;
}

// The next step for a task after decide().
enum class Then {
    answer,       // only the commit is left
    write,        // run its statements, then decide it again
    begin_again,  // begin the batch again: other rows are needed, or statements must be undone
};

class Task {
public:
    virtual ~Task() = default;

    // Returns the same size at each call.
    [[nodiscard]] virtual TaskSize size() const = 0;
    // Returns true if its items can be refused one by one. See Workspace::refuse_locked_items().
    [[nodiscard]] virtual bool has_many_items() const { return false; }

    // Adds the rows that decide() needs.
    virtual void name_rows(LoadSpec& spec) const = 0;
    // Starts a try. Results of an earlier try were rolled back.
    virtual void begin() {}
    // Decides the command. Called again after a rollback.
    virtual void decide(Workspace& workspace) = 0;
    // The step after decide(). Not called if decide() met a row that is locked elsewhere.
    [[nodiscard]] virtual Then then() const { return Then::answer; }
    // The statements of a task that answered Then::write. They run on the store's thread, and
    // written() receives the result.
    [[nodiscard]] virtual std::shared_ptr<const OwnWrites> own_writes() { return nullptr; }
    virtual void written(const Written& /*written*/) {}
    // Called once, after the commit or with the error.
    virtual void answer(const Result<void>& committed) = 0;
};

// Calls back with the reply to the command.
template <typename Command>
class CommandTask : public Task {
public:
    using Callback = std::function<void(Result<Reply<Command>>)>;

    CommandTask(Command command, Callback done)
        : command_(std::move(command)), done_(std::move(done)) {}

    [[nodiscard]] TaskSize size() const override { return size_of(command_); }
    [[nodiscard]] bool has_many_items() const override { return semel::has_many_items(command_); }

    void name_rows(LoadSpec& spec) const override { semel::name_rows(command_, spec); }

    void decide(Workspace& workspace) override {
        reply_ = semel::decide(command_, workspace);
        if (std::holds_alternative<Problem>(*reply_)) {
            workspace.roll_back();
        }
    }

    void answer(const Result<void>& committed) override {
        if (committed) {
            done_(std::move(*reply_));
        } else {
            done_(committed.error());
        }
    }

protected:
    // For a subclass that changes the command in begin().
    [[nodiscard]] Command& command() { return command_; }

private:
    Command command_;
    Callback done_;
    std::optional<Reply<Command>> reply_;
};

struct Rendered {
    Receipt receipt;
    bool replayed = false;
};

// Calls back with the bytes for the caller. Rendering is part of decide(): with an Idempotency-Key
// the same commit seals the bytes.
template <typename Command>
class RenderedTask final : public Task {
public:
    using Render = std::function<Receipt(const Reply<Command>&)>;
    using Callback = std::function<void(Result<Rendered>)>;

    RenderedTask(Command command, std::optional<IdempotencyGuard> guard, Render render,
                 Callback done)
        : command_(std::move(command)),
          guard_(std::move(guard)),
          render_(std::move(render)),
          done_(std::move(done)) {}

    [[nodiscard]] TaskSize size() const override { return size_of(command_); }
    // With a key all items succeed or fail together. The sealed answer is returned for a day, so it
    // must not contain an item that was refused because of a passing lock.
    [[nodiscard]] bool has_many_items() const override {
        return !guard_ && semel::has_many_items(command_);
    }

    void name_rows(LoadSpec& spec) const override {
        if (guard_) {
            spec.claims.push_back(guard_->claim);
        }
        semel::name_rows(command_, spec);
    }

    void decide(Workspace& workspace) override {
        if (guard_) {
            if (auto found = find_answer(workspace, *guard_)) {
                replay(std::move(*found));
                return;
            }
            if (workspace.met_locked()) {
                return;  // the locked claim might have an answer, so no item is refused yet
            }
        }
        const Reply<Command> reply = semel::decide(command_, workspace);
        if (workspace.met_locked()) {
            return;  // it will be decided again
        }
        if (std::holds_alternative<Problem>(reply)) {
            workspace.roll_back();
        }
        rendered_ = Rendered{render_(reply), false};
        // Only answers are sealed. A refusal changed nothing, and a later try can succeed.
        if (guard_ && rendered_.receipt.status < 400) {
            seal(workspace, *guard_, rendered_.receipt);
        }
    }

    void answer(const Result<void>& committed) override {
        if (committed) {
            done_(std::move(rendered_));
        } else {
            done_(committed.error());
        }
    }

private:
    void replay(std::variant<Receipt, Problem> found) {
        if (auto* receipt = std::get_if<Receipt>(&found)) {
            rendered_ = Rendered{std::move(*receipt), true};
        } else {
            rendered_ = Rendered{render_(std::get<Problem>(std::move(found))), false};
        }
    }

    Command command_;
    std::optional<IdempotencyGuard> guard_;
    Render render_;
    Callback done_;
    Rendered rendered_;
};

}  // namespace semel
