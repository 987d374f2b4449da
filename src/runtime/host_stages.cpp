#include "runtime/host_stages.hpp"

#include <stdexcept>

#include "runtime/in_commit.hpp"

namespace semel {

void Stages::prepare(const Statements& statements) {
    if (has_completed_) {
        throw std::logic_error("prepare comes before complete");
    }
    if (has_prepared_) {
        throw std::logic_error("prepare can only be called once");
    }
    has_prepared_ = true;
    commit(statements);
}

HandlerResult Stages::complete(Completion statements) {
    if (has_completed_) {
        throw std::logic_error("complete can only be called once");
    }
    has_completed_ = true;
    HandlerResult result;
    result.in_commit = std::move(statements);
    return result;
}

void HostStages::commit(const Statements& statements) {
    const auto committed =
        host_.write(attempt_, [statements](Tx& tx) { return run_in_commit(statements, tx); });
    if (!committed) {
        throw std::runtime_error("prepare: " + committed.error().message());
    }
}

}  // namespace semel
