// UncertainQuery: one page of the list of uncertain claims, newest first.
//
// The list has every claim that readers see as `uncertain`: fences that their owner has marked, and
// passes (requests of the gateway). A sent pass whose lease has ended is in the list also before
// upkeep changes its row.
//
// Errors: none. Pure. Threads: any.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <vector>

#include "core/keys/claim.hpp"

namespace semel {

// The place of a claim in the list. It does not change while the claim is uncertain.
struct ClaimPosition {
    Time created_at;
    ClaimId id;

    auto operator<=>(const ClaimPosition&) const = default;
};
[[nodiscard]] ClaimPosition position_of(const Claim& claim);

struct UncertainQuery {
    std::string tenant;
    std::optional<std::string> space = {};     // nullopt: all spaces
    std::optional<ClaimPosition> before = {};  // nullopt: from the newest
    int limit = 0;
    Time now;

    // Returns true if the claim belongs on this page or a later one.
    [[nodiscard]] bool matches(const Claim& claim) const;
    // Sorts claims that match, and drops the claims after the page.
    [[nodiscard]] std::vector<Claim> page_of(std::vector<Claim> claims) const;
};

// How many of the claims that expired last a store reads, to find sent passes whose lease has ended
// and whose rows upkeep has not changed yet. Upkeep changes them within 2 s.
inline constexpr int kSilentClaimsMax = 1000;

// Returns true if readers see the claim as `uncertain` at `now`.
[[nodiscard]] bool is_uncertain(const Claim& claim, Time now);

// The number of uncertain claims of one space, over all tenants.
struct SpaceCount {
    std::string space;
    std::int64_t count = 0;

    bool operator==(const SpaceCount&) const = default;
};

// ---- the entry that a store keeps for each of them ----------------------------------------------

// What a change does to the claim's entry. A store keeps an entry for each claim whose row is in
// the state `uncertain`, so that the list needs no scan.
struct EntryChange {
    bool erases = false;
    bool makes = false;  // after the deletion, if both
};
[[nodiscard]] EntryChange entry_change(const std::optional<Claim>& before,
                                       const std::optional<Claim>& after);

}  // namespace semel
