#include "store/postgres/read_session.hpp"

namespace semel::postgres {

Result<void> ReadSession::begin() {
    if (connection_ == nullptr || !connection_->is_alive()) {
        connection_.reset();
        SEMEL_TRY(opened, Connection::open(options_));
        connection_ = std::move(opened);
    }
    connection_->queue("begin isolation level repeatable read read only");
    // The same settings as in writer.cpp, for tables that were empty at their last analysis.
    connection_->queue(
        "select set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)");
    auto begun = connection_->flush();
    if (!begun) {
        connection_.reset();
        return begun.error();
    }
    return {};
}

void ReadSession::end() {
    connection_->queue("rollback");
    if (!connection_->flush()) {
        connection_.reset();
    }
}

}  // namespace semel::postgres
