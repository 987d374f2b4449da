// The contract's closed vocabularies, each with its one spelling in code, SQL, JSON and docs.
#pragma once

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

enum class Scope { pending, incomplete, any };
enum class OnDuplicate { replace, keep, reject, debounce };

// What becomes of a job when a chain that it waits for has failed or was cancelled.
enum class OnBlockerFailed { fail, wait };

// What the next slot of a schedule is counted from: its slot, or its occurrence's end.
enum class RecurrenceType { fixed, rolling };
// What becomes of slots that went by while nothing ran.
enum class Missed { latest, skip, all };

[[nodiscard]] std::string_view to_string(Decision value);
[[nodiscard]] std::string_view to_string(Status value);
[[nodiscard]] std::string_view to_string(Scope value);
[[nodiscard]] std::string_view to_string(OnDuplicate value);
[[nodiscard]] std::string_view to_string(OnBlockerFailed value);
[[nodiscard]] std::string_view to_string(RecurrenceType value);
[[nodiscard]] std::string_view to_string(Missed value);

// Terminal states absorb: only an operator's retry opens a new round.
[[nodiscard]] constexpr bool is_final(Status status) {
    return status == Status::completed || status == Status::failed || status == Status::cancelled ||
           status == Status::superseded;
}

}  // namespace semel
