// The contract's closed vocabularies, each with its one spelling in code, SQL, JSON and docs.
#pragma once

#include <optional>
#include <string_view>

namespace semel {

// What a request that meets a claim is told. The last two are told to nobody: they stand in the
// decision log where an owner was replaced, and where an operator resolved what was uncertain.
enum class Decision { new_, duplicate, in_flight, conflict, stale, takeover, resolved };

// What a job shows to its users.
enum class Status {
    blocked,
    pending,
    running,
    completed,
    failed,
    cancelled,
    superseded,
    uncertain
};

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
};

// The calls of a job's owner. Each names the token.
enum class Verb { complete, fail, heartbeat, release };

// How an attempt ended, as its history shows it.
enum class AttemptEnd { completed, failed, timeout, lost, released, cancelled };

// What an operator does to an action.
enum class Operation { run, retry, cancel };

// What an operator says became of an uncertain action.
enum class Resolution { completed, failed, retry };

enum class Scope { pending, incomplete, any };
enum class OnDuplicate { replace, keep, reject, debounce };

// What the next slot of a schedule is counted from: its slot, or its occurrence's end.
enum class RecurrenceType { fixed, rolling };
// What becomes of slots that went by while nothing ran.
enum class Missed { latest, skip, all };

[[nodiscard]] std::string_view to_string(Decision value);
[[nodiscard]] std::string_view to_string(Status value);
[[nodiscard]] std::string_view to_string(Verb value);
[[nodiscard]] std::string_view to_string(AttemptEnd value);
[[nodiscard]] std::string_view to_string(Operation value);
[[nodiscard]] std::string_view to_string(Resolution value);
[[nodiscard]] std::string_view to_string(Scope value);
[[nodiscard]] std::string_view to_string(OnDuplicate value);
[[nodiscard]] std::string_view to_string(RecurrenceType value);
[[nodiscard]] std::string_view to_string(Missed value);

[[nodiscard]] std::optional<Status> parse_status(std::string_view text);
[[nodiscard]] std::optional<Verb> parse_verb(std::string_view text);
[[nodiscard]] std::optional<Operation> parse_operation(std::string_view text);
[[nodiscard]] std::optional<Resolution> parse_resolution(std::string_view text);
[[nodiscard]] std::optional<Scope> parse_scope(std::string_view text);
[[nodiscard]] std::optional<OnDuplicate> parse_on_duplicate(std::string_view text);
[[nodiscard]] std::optional<RecurrenceType> parse_recurrence_type(std::string_view text);
[[nodiscard]] std::optional<Missed> parse_missed(std::string_view text);

// Terminal states absorb: only an operator's retry opens a new round.
[[nodiscard]] constexpr bool is_final(Status status) {
    return status == Status::completed || status == Status::failed || status == Status::cancelled ||
           status == Status::superseded;
}

}  // namespace semel
