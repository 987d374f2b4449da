// What a claim that is held for an effect goes through: owned, then sealed, uncertain or free
// again; forgotten in two steps. Every rule about its times is here.
#pragma once

#include <optional>
#include <string>

#include "core/changes.hpp"
#include "core/commands.hpp"
#include "core/workspace.hpp"

namespace semel {

// The claim as `now` judges it, whether or not upkeep came by. Past its time, what was sealed
// leaves its key and effect id behind; empty: nothing is left.
[[nodiscard]] std::optional<Claim> as_of(const Claim& claim, Time now);

// Whether somebody may be at work under it: nobody takes over before the lease is over.
[[nodiscard]] bool is_leased(const Claim& claim, Time now);

// Whether whoever waits for the owner may go on, of this key or, if it has a version, of another
// one of its source. A heartbeat is not an end, unless it shortens the lease.
[[nodiscard]] bool may_end_hold(const Change<Claim>& change);

// A row for a new owner of the key. `before` is what stands there, or stood there.
[[nodiscard]] Claim new_hold(const Claim* before, const std::string& tenant,
                             const FenceRequest& request, Time now);

// What undoes a claim whose token nobody has, so that nothing was done under it.
// REQUIRES: it was new.
[[nodiscard]] FenceCall let_go(const FenceAnswer& answer);

// REQUIRES of each: an effect.
void extend_lease(Claim& claim, std::optional<Millis> lease, Time now);
void seal_effect(Claim& claim, std::string effect_id, std::optional<std::string> receipt, Time now);
// Forgets everything but what was sealed before it, or by it.
void free_effect(Claim& claim, Time now);

// ---- its source -------------------------------------------------------------------------------

// The source whose version it holds; nothing: it has no version.
[[nodiscard]] std::optional<SourceKey> source_of(const Claim& claim);
// What a source says now; null: nothing that counts any more.
[[nodiscard]] const Source* find_source(const Workspace& workspace, const SourceKey& key);

// Also after its lease, as long as nobody else has held the source since. True without a version.
[[nodiscard]] bool holds_source(const Workspace& workspace, const Claim& claim);
// A higher version was sealed since it was claimed: an operator said so of one that was uncertain.
[[nodiscard]] bool is_outrun(const Workspace& workspace, const Claim& claim);
// Another version's seal is committed and on its way.
[[nodiscard]] bool is_source_settling(const Workspace& workspace, const Claim& claim);
void hold_source(Workspace& workspace, const Claim& claim);
// Its version is sealed: no lower one follows. It is held no more.
void seal_source(Workspace& workspace, const Claim& claim);
void free_source(Workspace& workspace, const Claim& claim);

}  // namespace semel
