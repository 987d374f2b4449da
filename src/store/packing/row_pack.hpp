// Packs the fields of a row that no query searches by, into one column of bytes (packed.hpp).
//
// Every `pack_` writes the oldest format that fits the row, so that an older node can read it.
// Every `unpack_` reads all formats. It returns false if the bytes are damaged: then do not use the
// row. Pure. Threads: any.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/batch/rows.hpp"

namespace semel {

// All fields except the id, the expiry, the first content, a receipt's body, and `settling`.
[[nodiscard]] std::string pack_claim(const Claim& claim);
[[nodiscard]] bool unpack_claim(std::string_view bytes, Claim& claim);
// The bytes of a tenant, and optionally a space, in a packed claim. They begin after the first
// kPackedClaimHead bytes, or one byte later. A store can use them to skip other claims before
// unpacking, but must check the tenant after it.
inline constexpr int kPackedClaimHead = 2;
[[nodiscard]] std::string packed_claim_names(const std::string& tenant,
                                             const std::optional<std::string>& space);

// All fields except the id, tenant, type, status, place, priority, scheduledAt, createdAt,
// completedAt, lock group, chain, and `settling`.
[[nodiscard]] std::string pack_job(const Job& job);
[[nodiscard]] bool unpack_job(std::string_view bytes, Job& job);

// All fields except the tenant.
[[nodiscard]] std::string pack_decision(const DecisionEntry& entry);
[[nodiscard]] bool unpack_decision(std::string_view bytes, DecisionEntry& entry);

// All fields except the id, the tenant and the end.
[[nodiscard]] std::string pack_bulk_run(const BulkRun& bulk_run);
[[nodiscard]] bool unpack_bulk_run(std::string_view bytes, BulkRun& bulk_run);

// All fields except the key and the id.
[[nodiscard]] std::string pack_schedule(const Schedule& schedule);
[[nodiscard]] bool unpack_schedule(std::string_view bytes, Schedule& schedule);

}  // namespace semel
