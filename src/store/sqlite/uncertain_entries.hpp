// UncertainEntries: writes the entries of the list of uncertain claims
// (core/keys/uncertain_claims.hpp). ClaimSearch reads them.
//
// Errors are kept by the connection: check Connection::outcome() after the batch.
// Threads: the connection's thread.
#pragma once

#include "core/keys/uncertain_claims.hpp"
#include "store/sqlite/statement.hpp"

namespace semel::sqlite {

class UncertainEntries {
public:
    explicit UncertainEntries(Connection& connection);

    // Brings the entry of the claim with this number up to date after a change of its row.
    // REQUIRES: a transaction is open.
    void save(std::int64_t number, const std::optional<Claim>& before,
              const std::optional<Claim>& after);

    // Makes the entries of all claims, which have none. For the migration that adds them. Reads
    // every claim. REQUIRES: a transaction is open.
    static Result<void> make_all(Connection& connection);

private:
    Statement put_;
    Statement erase_;
};

}  // namespace semel::sqlite
