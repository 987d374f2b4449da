// Stages: a job done in three: prepare, work without a transaction, complete.
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

// Of one attempt, for the handler that was given it. Errors are thrown: they fail the attempt.
class Stages {
public:
    using Statements = std::function<void(Tx&)>;
    using Completion = std::function<HandlerResult(Tx&)>;

    Stages(const Stages&) = delete;
    Stages& operator=(const Stages&) = delete;

    // Runs the statements in a commit of their own, if the attempt still has its job, and returns
    // when they are durable. Once, and before complete(). They may run again, after they were
    // undone.
    void prepare(const Statements& statements);

    // What the handler is to return. The statements run after that, in the commit that ends the
    // job (let them hold copies, not references): a handler that throws between the two has
    // completed nothing. Once.
    [[nodiscard]] HandlerResult complete(Completion statements);

protected:
    Stages() = default;
    ~Stages() = default;
    // Throws what stands against it.
    virtual void commit(const Statements& statements) = 0;

    bool has_prepared_ = false;
    bool has_completed_ = false;
};

using StagedHandler = std::function<HandlerResult(const Work&, Stages&)>;

}  // namespace semel
