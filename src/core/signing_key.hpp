// Where a store keeps the key that its receipts are signed with.
//
// It is a claim, because it needs what a claim has: of all nodes that make one at the same moment
// exactly one wins, and it goes wherever the store goes, into backups and into another store. It
// belongs to no tenant, so that no request can name it; its secret is its receipt.
#pragma once

#include "core/dedup_key.hpp"

namespace semel {

[[nodiscard]] Key signing_key_claim();

}  // namespace semel
