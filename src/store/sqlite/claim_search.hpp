// ClaimSearch: finds claims on a reading connection, which has no ClaimTable in memory. Slow,
// because it queries every segment. For reads by operators only.
//
// Errors are kept by the connection: check Connection::outcome().
// Threads: the connection's thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/keys/claim.hpp"
#include "store/sqlite/statement.hpp"

namespace semel::sqlite {

class ClaimSearch {
public:
    explicit ClaimSearch(Connection& connection);

    [[nodiscard]] std::optional<Claim> find(const ClaimId& id);
    // The newest claims whose key has the part `key` (core/keys/dedup_key.hpp). Scans all claims of
    // the store.
    [[nodiscard]] std::vector<Claim> named(const std::string& tenant,
                                           const std::optional<std::string>& space,
                                           const std::string& key, int limit);

private:
    [[nodiscard]] Claim read(Cursor& cursor);

    Statement in_tail_;
    Statement in_segments_;
    Statement named_;
    Statement receipt_;
};

}  // namespace semel::sqlite
