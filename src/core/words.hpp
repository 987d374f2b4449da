// Closed vocabularies of the core, and the functions that read and write the words of all
// vocabularies. The public ones are in <semel/words.hpp>.
//
// to_string() returns the spelling that JSON and logs use. A parse function returns nullopt for any
// other text. Pure. Threads: any.
#pragma once

#include <optional>
#include <string_view>

#include <semel/words.hpp>

namespace semel {

// The queue that a job is in. It is stored, not computed, so that claiming due jobs reads one index
// range. Stores save its number.
enum class Place {
    later,        // due in the future
    ready,        // due; may be taken
    running,      // held by a lease
    waiting,      // in a lock group with another head
    blocked,      // waits for other chains
    predecessor,  // a successor, until its predecessor's attempt has ended
    done,         // finished; can be pruned
    paused,       // held because its schedule is paused
    retained,     // finished, and retained: its chain continues, or a job waits for its outcome
    failing_dependants,  // ended without completing, and the chain's dependants are not failed yet
};

// The calls of a job's owner. Each has the token.
enum class Verb { complete, fail, heartbeat, release };

enum class ClaimState {
    owned,      // a job, a chain or the owner of a lease holds the key
    sealed,     // the answer is final and stored as the receipt
    uncertain,  // the effect might have happened, or not: an operator must resolve it
    free,       // without an owner: the next request is `new`
};

// The calls that change a fence after it was claimed. The owner makes them, with the token, except
// `resolve`, which is an operator's.
enum class FenceVerb { seal, release, heartbeat, uncertain, resolve };

// An operator's finding about an uncertain claim.
enum class ClaimOutcome { sealed, released };

// The end of an attempt, as the history shows it.
enum class AttemptEnd { completed, failed, timeout, lost, released, cancelled };

// An operator's act on an action.
enum class Operation { run_now, retry, cancel };

// An operator's finding about an uncertain action.
enum class Resolution { completed, failed, retry };

[[nodiscard]] std::string_view to_string(Verb value);
[[nodiscard]] std::string_view to_string(ClaimState value);
[[nodiscard]] std::string_view to_string(FenceVerb value);
[[nodiscard]] std::string_view to_string(ClaimOutcome value);
[[nodiscard]] std::string_view to_string(AttemptEnd value);
[[nodiscard]] std::string_view to_string(Operation value);
[[nodiscard]] std::string_view to_string(Resolution value);

[[nodiscard]] std::optional<Status> parse_status(std::string_view text);
[[nodiscard]] std::optional<Verb> parse_verb(std::string_view text);
[[nodiscard]] std::optional<FenceClass> parse_fence_class(std::string_view text);
[[nodiscard]] std::optional<ClaimOutcome> parse_claim_outcome(std::string_view text);
[[nodiscard]] std::optional<Operation> parse_operation(std::string_view text);
[[nodiscard]] std::optional<Resolution> parse_resolution(std::string_view text);
[[nodiscard]] std::optional<Scope> parse_scope(std::string_view text);
[[nodiscard]] std::optional<OnDuplicate> parse_on_duplicate(std::string_view text);
[[nodiscard]] std::optional<OnBlockerFailed> parse_on_blocker_failed(std::string_view text);
[[nodiscard]] std::optional<RecurrenceType> parse_recurrence_type(std::string_view text);
[[nodiscard]] std::optional<Missed> parse_missed(std::string_view text);

}  // namespace semel
