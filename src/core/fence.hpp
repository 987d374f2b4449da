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

// Whether whoever waits for the owner may go on. A heartbeat is not an end, unless it shortens the
// lease.
[[nodiscard]] bool may_end_hold(const Change<Claim>& change);

// A row for a new owner of the key. `before` is what stands there, or stood there.
[[nodiscard]] Claim new_hold(const Claim* before, const std::string& tenant,
                             const FenceRequest& request, Time now);

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
// Whether its version may be worked on and sealed: it holds its source, and nobody has sealed a
// higher one meanwhile, as an operator may who resolves what was uncertain.
[[nodiscard]] bool may_seal_version(const Workspace& workspace, const Claim& claim);
// Its source's holder has sealed in a transaction of its own, which is yet to be seen here.
[[nodiscard]] bool is_source_settling(const Workspace& workspace, const Claim& claim);
void hold_source(Workspace& workspace, const Claim& claim);
// Its version is sealed: no lower one follows. It is held no more.
void seal_source(Workspace& workspace, const Claim& claim);
void free_source(Workspace& workspace, const Claim& claim);

}  // namespace semel
