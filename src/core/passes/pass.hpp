// The states of one claim of a pass: held, sent, then sealed, uncertain or free. All rules about
// its times are here.
//
// While a pass is owned, its `expires_at` is the end of its lease. So upkeep finds passes of silent
// owners by the index of expiring claims. Afterwards `expires_at` is `remembered_until`. An
// uncertain key has no expiry. Passes leave no tombstones.
//
// Errors: none. Pure. Threads: any.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/commands.hpp"
#include "core/keys/claim.hpp"

namespace semel {

// The state of a pass's claim at a time.
enum class PassState {
    nothing,    // free or forgotten: the next request is `new`
    held,       // owned, and nothing was sent
    lapsed,     // the owner's lease is over, and nothing was sent: the next request takes over
    sent,       // owned, and the request may have left
    uncertain,  // sent, and the lease is over or the owner does not know the outcome
    sealed,     // its answer is final
};

// Returns the state of a claim in a space of the gateway. This is the one reading of time: it does
// not depend on whether upkeep has run.
[[nodiscard]] PassState judge(const Claim& claim, Time now);

// Returns true if the next request can own a claim in this state.
[[nodiscard]] bool can_be_owned(PassState state);

// Returns the claim at `now` as readers must see it, or nullopt if nothing is left of it.
// REQUIRES: the claim has a pass.
[[nodiscard]] std::optional<Claim> pass_as_of(const Claim& claim, Time now);

[[nodiscard]] std::string key_space(std::string_view route);
[[nodiscard]] std::string guard_space(std::string_view route);
[[nodiscard]] bool is_guard(const Claim& claim);
// Returns the route that the claim's space names.
[[nodiscard]] std::string route_of(const Claim& claim);
// Returns the route that a space names, or "" for a space of another surface.
[[nodiscard]] std::string route_of_space(std::string_view space);

// Returns true if the owner of this pass came with this request, so that an admission of unknown
// fate can be repeated.
[[nodiscard]] bool is_admitted_by(const Claim& claim, const Uuid& effect, Time now);

// Returns true if the request is another one than the first under this claim.
[[nodiscard]] bool has_other_content(const PassRequest& request, const Claim& claim);

// Returns true if both claims belong to one pass, also if it has ended.
[[nodiscard]] bool are_twins(const Claim& one, const Claim& other);

// ---- changes of one claim ---------------------------------------------------------------------
// Each REQUIRES a claim with a pass, except admit_pass.

// Makes the row of a claim that the request owns from now on. `retried` is the uncertain claim of
// the pass that this request repeats: it keeps effect id, sent key and times of the first claim.
// So a retry that is never sent becomes uncertain again.
[[nodiscard]] Claim admit_pass(const std::string& tenant, std::string space,
                               const AskedClaim& asked, const PassRequest& request,
                               const Claim* retried, Token token, Time now);

// Records that the request may leave from now on, and renews the lease. A repeat keeps the time of
// the first call.
void dispatch_pass(Claim& claim, Time now);
void beat_pass(Claim& claim, Time now);

// Keeps the answer. A key that was uncertain past its ttl is remembered for another ttl.
void seal_pass(Claim& claim, KeptAnswer answer, Time now);
// Leaves it open whether the request was executed.
void doubt_pass(Claim& claim);
// Frees the claim until `until`. It keeps its token, so that a late owner's call is stale.
void free_pass(Claim& claim, Time until);

// Returns the duplicate message for a request that meets a guard's answer: the request's text with
// the time since the answered request was sent. REQUIRES: `guard` is sealed.
[[nodiscard]] std::string note_about(const Claim& guard, const PassRequest& request, Time now);

// Makes a key's row that answers with a guard's answer. REQUIRES: `guard` is sealed.
[[nodiscard]] Claim borrow_answer(const std::string& tenant, const PassRequest& request,
                                  const Claim& guard, Token token, Time now);

// ---- the owner's calls ------------------------------------------------------------------------

// What an owner's call to end its pass does to one claim.
enum class SettleEffect {
    applied,   // the call ends the hold
    repeated,  // the same call has ended it already
    stale,     // the claim has another owner, was resolved or freed, or was never dispatched
};
[[nodiscard]] SettleEffect settle_effect(const Claim& claim, const PassCall& call,
                                         const Hash256& content);

// Returns the verb under which a claim records the call.
[[nodiscard]] FenceVerb verb_of(PassEnd end);
// Returns what tells a repeat of the call from another call.
[[nodiscard]] Hash256 content_of(PassEnd end, const std::optional<KeptAnswer>& answer);

}  // namespace semel
