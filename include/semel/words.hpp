// The contract's closed vocabularies, each with its one spelling in code, SQL, JSON and docs.
#pragma once

#include <string_view>

namespace semel {

// What a request that meets a claim is told, and what else stands in the decision log.
enum class Decision {
    new_,
    duplicate,
    in_flight,
    conflict,
    stale,
    takeover,   // in the log alone: an owner was replaced
    resolved,   // in the log alone: an operator said what became of it, or freed it
    uncertain,  // its effect may or may not have happened; who asks is refused
    near_miss,  // in the log alone: another key had the same content
};

// What a fence guards. It sets the usual lease, and how long a sealed key is remembered.
enum class FenceClass { webhook, api, batch };

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
[[nodiscard]] std::string_view to_string(FenceClass value);
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
