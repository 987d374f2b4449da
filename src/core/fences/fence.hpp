// The life of a claim that is held for an effect: owned, then sealed, uncertain or free again. All
// rules about its times and its source are here.
//
// A sealed claim is forgotten in two steps. At `expires_at` only its key and effect id remain.
// kTombstoneRetention (400 days) later these are forgotten too.
//
// Every function compares times with `now`, so no answer depends on whether upkeep has run. Errors:
// none. Threads: any for a claim, one per workspace.
#pragma once

#include <optional>
#include <string>

#include "core/batch/changes.hpp"
#include "core/batch/workspace.hpp"
#include "core/commands.hpp"

namespace semel {

// Returns the claim's state at `now`. An expired claim that was ever sealed becomes a free claim,
// which keeps the sealed effect id. Returns nullopt if the whole claim is forgotten.
[[nodiscard]] std::optional<Claim> as_of(const Claim& claim, Time now);

// Returns true while the owner's lease lasts. Until then no other caller can take over.
[[nodiscard]] bool is_leased(const Claim& claim, Time now);

// Returns after which time a caller should ask again for a claim that is leased until `until`: 1 s
// at most, because most owners end long before the end of their lease.
[[nodiscard]] Millis retry_after(Time until, Time now);

// Returns true if the change may end a hold, so that waiting callers must be woken. They wait for
// the key, or for another version of its source. A heartbeat counts only if it shortens the lease.
[[nodiscard]] bool may_end_hold(const Change<Claim>& change);

// Makes the row for a new owner of the key. `before` is the stored row, even if it has expired, or
// null. The new token is larger than its token.
[[nodiscard]] Claim new_hold(const Claim* before, const std::string& tenant,
                             const FenceRequest& request, Time now);

// Returns the call that frees a claim whose token no caller has received. After a takeover the call
// ends the lease instead, so that the next owner is answered as a takeover too.
// REQUIRES: the answer is `new`.
[[nodiscard]] FenceCall let_go(const FenceAnswer& answer);

// All three REQUIRE a claim with an effect. Without a `lease`, extend_lease uses the fence's own
// and does not shorten the present one.
void extend_lease(Claim& claim, std::optional<Millis> lease, Time now);
void seal_effect(Claim& claim, std::string effect_id, std::optional<std::string> receipt, Time now);
// Frees the claim. It keeps its token and the effect that was sealed last.
void free_effect(Claim& claim, Time now);

// ---- its source -------------------------------------------------------------------------------

// Returns the source of the claim's version, or nullopt if the claim has no version.
[[nodiscard]] std::optional<SourceKey> source_of(const Claim& claim);
// Returns the source's row. Returns null if it is absent, or if it has expired and has neither a
// lease nor a seal that is not applied yet.
[[nodiscard]] const Source* find_source(const Workspace& workspace, const SourceKey& key);

// Returns true if the claim has no version, or was the last to hold its source. Its lease may have
// ended.
[[nodiscard]] bool holds_source(const Workspace& workspace, const Claim& claim);
// Returns true if a higher version was sealed since the claim was made. An operator can do that by
// resolving an uncertain claim.
[[nodiscard]] bool is_outrun(const Workspace& workspace, const Claim& claim);
// Returns true if a seal of this source is committed in a user's transaction, but not yet applied.
[[nodiscard]] bool is_source_settling(const Workspace& workspace, const Claim& claim);
// Makes the claim the holder of its source. This and the next two do nothing for a claim without a
// version.
void hold_source(Workspace& workspace, const Claim& claim);
// Records the claim's version as sealed, so that every lower version is stale. Ends the hold.
void seal_source(Workspace& workspace, const Claim& claim);
// Ends the hold, if the claim still has it.
void free_source(Workspace& workspace, const Claim& claim);

}  // namespace semel
