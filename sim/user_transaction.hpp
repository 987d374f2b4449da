// UserTransaction: a user's own transaction on the shared database, with the functions that
// 0003_outbox.sql gives it. What it leaves is seen when it commits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/database.hpp"

namespace semel::sim {

class UserTransaction {
public:
    explicit UserTransaction(Database& database) : database_(database), id_(database.begin()) {}

    // Each is one statement.
    // For an action or a chain.
    void enqueue(OutboxVerb verb, const std::string& tenant, const Uuid& subject,
                 std::string request);
    enum class Settled {
        waiting,  // for somebody else's end: to be run again
        stale,    // it raises an error: nothing of this transaction may be committed
        done,
    };
    [[nodiscard]] Settled settle(const JobId& job, Token token, OutboxVerb verb,
                                 std::optional<std::string> content);

    // Both end it.
    void commit();
    void roll_back() { database_.end(id_); }

    [[nodiscard]] const std::vector<OutboxEntry>& entries() const { return entries_; }

private:
    Database& database_;
    const TransactionId id_;
    std::vector<OutboxEntry> entries_;
};

}  // namespace semel::sim
