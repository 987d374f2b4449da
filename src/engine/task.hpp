// Task: a command on its way through the ledger, with whoever waits for its answer.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <variant>

#include "base/result.hpp"
#include "core/decide.hpp"
#include "core/idempotency.hpp"

namespace semel {

class Task {
public:
    virtual ~Task() = default;

    virtual void name_rows(LoadSpec& spec) const = 0;
    // May be called again after a batch was rolled back.
    virtual void decide(Workspace& workspace) = 0;
    // Called once: after the commit, or with the reason why there was none.
    virtual void answer(const Result<void>& committed) = 0;
};

// Answers the command's own outcome.
template <typename Command>
class CommandTask final : public Task {
public:
    using Callback = std::function<void(Result<Reply<Command>>)>;

    CommandTask(Command command, Callback done)
        : command_(std::move(command)), done_(std::move(done)) {}

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
        }
        const Reply<Command> reply = semel::decide(command_, workspace);
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
