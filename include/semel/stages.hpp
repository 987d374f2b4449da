// Stages: a job in three stages: prepare, work without a transaction, complete.
//
//   engine.handle_staged("order:charge", [](const semel::Work& work, semel::Stages& stages) {
//       std::string card;
//       stages.prepare([&](semel::Tx& tx) { card = card_of(tx, work.payload); });
//       const std::string receipt = bank.charge(card, work.id);
//       return stages.complete([=](semel::Tx& tx) {
//           tx.execute("insert into app_receipt values (?)", receipt);
//           return semel::continue_with("order:ship", work.payload);
//       });
//   });
#pragma once

#include <functional>

#include <semel/handler.hpp>
#include <semel/tx.hpp>

namespace semel {

// The stages of one attempt. For embedded stores: on PostgreSQL prepare() throws, and a job that
// ends with complete() fails permanently.
//
// Threads: only the thread that runs the handler.
// Lifetime: ends when the handler returns.
class Stages {
public:
    using Statements = std::function<void(Tx&)>;
    using Completion = std::function<HandlerResult(Tx&)>;

    Stages(const Stages&) = delete;
    Stages& operator=(const Stages&) = delete;

    // Runs the statements in a separate commit, if the attempt still has its job. Returns when that
    // commit is durable. The function can run several times. The statements of one run count.
    // Optional: at most once, and before complete().
    //
    // Throws std::runtime_error if a statement fails, the attempt has lost its job or the store
    // fails. Throws std::logic_error for a second call, or a call after complete(). An exception
    // that leaves the handler fails the attempt.
    void prepare(const Statements& statements);

    // Returns the result that the handler must return. The engine calls `statements` after that, in
    // the commit that ends the job. Their result ends the job, like that of an AtomicHandler.
    //
    // If the handler throws or returns failed() after this call, the statements do not run and the
    // attempt fails. If it returns another completed result, the job fails permanently.
    // Throws std::logic_error for a second call.
    // Lifetime: `statements` outlives the handler. Let it hold copies, not references.
    [[nodiscard]] HandlerResult complete(Completion statements);

protected:
    Stages() = default;
    ~Stages() = default;
    // Throws std::runtime_error if the statements are not committed.
    virtual void commit(const Statements& statements) = 0;

    bool has_prepared_ = false;
    bool has_completed_ = false;
};

// Does the work of one attempt in stages. Otherwise like Handler.
using StagedHandler = std::function<HandlerResult(const Work&, Stages&)>;

}  // namespace semel
