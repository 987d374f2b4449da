// ClaimSearch: finds claims on a reading connection, which has no ClaimTable in memory. Slow,
// because it queries every segment. For reads by operators only.
//
// Errors are kept by the connection: check Connection::outcome().
// Threads: the connection's thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/keys/uncertain_claims.hpp"
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

    // See Reads. These use the entries of uncertain claims and the index of expiring claims.
    [[nodiscard]] std::vector<Claim> uncertain(const UncertainQuery& query);
    [[nodiscard]] std::vector<SpaceCount> count_uncertain();

private:
    [[nodiscard]] Claim read(Cursor& cursor);
    void add_listed(const UncertainQuery& query, std::vector<Claim>& claims);
    // Adds sent requests whose lease is over, and that upkeep has not written yet.
    void add_silent(const UncertainQuery& query, std::vector<Claim>& claims);

    Statement in_tail_;
    Statement in_segments_;
    Statement named_;
    Statement listed_;
    Statement listed_in_space_;
    Statement expired_;
    Statement uncertain_counts_;
    Statement receipt_;
};

}  // namespace semel::sqlite
