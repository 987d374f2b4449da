// The closed vocabularies that only we see, and how all of them are read.
#pragma once

#include <optional>
#include <string_view>

#include <semel/words.hpp>

namespace semel {

// Where a job stands in line. Stored, never computed: taking due work is one index range.
enum class Place {
    later,        // due in the future
    ready,        // due; may be taken
    running,      // held by a lease
    waiting,      // its lock group has another head
    blocked,      // waits for other chains
    predecessor,  // a successor, until its predecessor's attempt has ended
    done,         // finished
    paused,       // its schedule is
    passed,       // finished, and kept: its chain went on, or another waits for its outcome
    telling,      // ended without completing; those who wait for its chain are yet to be told
};

// The calls of a job's owner. Each names the token.
enum class Verb { complete, fail, heartbeat, release };

enum class ClaimState {
    owned,      // a job or a chain holds the key, or whoever has its lease
    sealed,     // the answer is final and kept as the receipt
    uncertain,  // its effect may or may not have happened; somebody has to say
    free,       // nobody holds it: the next request is new
};

// The calls that change a fence after it was claimed. All but the last are its owner's, and name
// the token.
enum class FenceVerb { seal, release, heartbeat, uncertain, resolve };

// What an operator says became of an uncertain claim.
enum class ClaimOutcome { sealed, released };

// How an attempt ended, as its history shows it.
enum class AttemptEnd { completed, failed, timeout, lost, released, cancelled };

// What an operator does to an action.
enum class Operation { run, retry, cancel };

// What an operator says became of an uncertain action.
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
