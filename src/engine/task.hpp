// Task: a command on its way through the ledger, with whoever waits for its answer.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "base/result.hpp"
#include "core/decide.hpp"
#include "core/idempotency.hpp"
#include "store/store.hpp"

namespace semel {

// How much work and memory a task is. One request may hold a thousand items.
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

// A job, and the chains that are started with it.
[[nodiscard]] inline TaskSize size_of(const StepRequest& step) {
    TaskSize size{.items = 1, .bytes = step.input.size()};
    for (const BlockerRequest& blocker : step.blockers) {
        if (const auto* chain = std::get_if<std::shared_ptr<const ChainRequest>>(&blocker)) {
            size += size_of((*chain)->first);
        } else {
            ++size.items;  // whose rows change too
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
// What completes a job: its output, or what follows it.
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
    return {.items = 1, .bytes = command.receipt ? command.receipt->size() : 0};
}
[[nodiscard]] inline TaskSize size_of(const CountRepeats& command) {
    return {.items = 1 + command.counts.size(), .bytes = 0};
}
// Lines are memory rather than work: ten thousand of them at once, as a busy second leaves, must
// not turn callers away.
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

// Whether it has items of its own fate: one that cannot be decided is refused, and the others
// stand.
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
[[nodiscard]] inline bool has_many_items(const StepBulk&) {
    return true;
}

// What a task wants after it was decided.
enum class Then {
    answer,       // nothing more than the commit
    write,        // its own statements are run, and it is decided again
    begin_again,  // it needs other rows, or what it wrote undone: the batch begins anew
};

class Task {
public:
    virtual ~Task() = default;

    // The same each time it is asked.
    [[nodiscard]] virtual TaskSize size() const = 0;
    // Whether its items may be refused one by one, as Workspace::refuse_held_items says.
    [[nodiscard]] virtual bool has_many_items() const { return false; }

    virtual void name_rows(LoadSpec& spec) const = 0;
    // A batch with it begins: whatever an earlier one had done is undone.
    virtual void begin() {}
    // May be called again after a batch was rolled back.
    virtual void decide(Workspace& workspace) = 0;
    // Asked after `decide`, unless it met a row that somebody else holds.
    [[nodiscard]] virtual Then then() const { return Then::answer; }
    // Of one that wants to write. They are run elsewhere; the task waits for `written`.
    [[nodiscard]] virtual std::shared_ptr<const OwnWrites> own_writes() { return nullptr; }
    virtual void written(const Written& /*written*/) {}
    // Called once: after the commit, or with the reason why there was none.
    virtual void answer(const Result<void>& committed) = 0;
};

// Answers the command's own outcome.
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
    // For one that says it anew when a batch begins.
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

// Answers the bytes that a caller gets. They are made while the command is decided, because with an
// Idempotency-Key they are sealed in the same commit.
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
    // What is sealed under a key is told for a day: an item that could not be decided just now must
    // not be in it. Under a key all items share their fate.
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
            if (workspace.met_held()) {
                return;  // it may have an answer: no item may be refused before that is known
            }
        }
        const Reply<Command> reply = semel::decide(command_, workspace);
        if (workspace.met_held()) {
            return;  // it is decided again
        }
        if (std::holds_alternative<Problem>(reply)) {
            workspace.roll_back();
        }
        rendered_ = Rendered{render_(reply), false};
        // A refusal changed nothing and may turn out otherwise next time: only answers are sealed.
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
