// signing_key_claim: the key of the one claim that stores the key for signing receipts.
//
// The secret is the claim's receipt. If several nodes offer a secret at once, exactly one wins. The
// claim belongs to the store, so backups and transfers to another database include it. Its tenant
// is empty, so no request can name it. Pure. Threads: any.
#pragma once

#include "core/keys/dedup_key.hpp"

namespace semel {

[[nodiscard]] Key signing_key_claim();

}  // namespace semel
