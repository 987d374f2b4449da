// ClaimSearch: claims as readers find them, who do not have what the writer knows of them in memory
// (claim_table.hpp). Every segment is asked: slower, and for people.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/claim.hpp"
#include "store/sqlite/statement.hpp"

namespace semel::sqlite {

class ClaimSearch {
public:
    explicit ClaimSearch(Connection& connection);

    [[nodiscard]] std::optional<Claim> find(const ClaimId& id);
    // The newest first. Looks through every claim; core/dedup_key.hpp says what names a key.
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
