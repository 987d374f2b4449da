// What a store keeps of a row beside the columns that it searches by: one run of bytes
// (packed.hpp). Every `unpack_` answers whether the bytes were whole.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/rows.hpp"

namespace semel {

// Everything but the id, the expiry, the first content, a receipt's body, and whether it is
// settling.
[[nodiscard]] std::string pack_claim(const Claim& claim);
[[nodiscard]] bool unpack_claim(std::string_view bytes, Claim& claim);
// What every packed claim of this tenant, and of this space where one is given, has behind its
// first kPackedClaimHead bytes, or one byte later. Hardly any other has, so that a store can leave
// others out before it unpacks them.
inline constexpr int kPackedClaimHead = 2;
[[nodiscard]] std::string packed_claim_names(const std::string& tenant,
                                             const std::optional<std::string>& space);

// Everything but the id, tenant, type, status, place, priority, scheduledAt, createdAt,
// completedAt, lock group, chain, and whether it is settling.
[[nodiscard]] std::string pack_job(const Job& job);
[[nodiscard]] bool unpack_job(std::string_view bytes, Job& job);

// Everything but the tenant.
[[nodiscard]] std::string pack_decision(const DecisionEntry& entry);
[[nodiscard]] bool unpack_decision(std::string_view bytes, DecisionEntry& entry);

// Everything but the id, the tenant and the end.
[[nodiscard]] std::string pack_bulk_run(const BulkRun& run);
[[nodiscard]] bool unpack_bulk_run(std::string_view bytes, BulkRun& run);

// Everything but the key and the id.
[[nodiscard]] std::string pack_schedule(const Schedule& schedule);
[[nodiscard]] bool unpack_schedule(std::string_view bytes, Schedule& schedule);

}  // namespace semel
