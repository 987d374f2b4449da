// Words of the API: enumerations with one spelling in C++, SQL, JSON and docs. `to_string` returns
// that spelling, which is the enumerator's name without a trailing underscore.
#pragma once

#include <string_view>

namespace semel {

// The decision about a request. Some values occur only in the decision log.
enum class Decision {
    new_,       // the action or chain was made, or the caller now owns the key
    duplicate,  // the work is done, or scheduled: the caller receives the original
    in_flight,  // another caller owns the key and has not finished
    conflict,   // the key belongs to other content; nothing was changed
    stale,      // a newer version of the same source is sealed
    takeover,   // log only: the lease of the owner ran out, and it lost the key
    resolved,   // log only: an operator resolved or freed the key
    uncertain,  // it is unknown whether the effect happened; requests are refused
    near_miss,  // log only: the same content came under another key
};

// The kind of effect that a fence guards. It sets the default lease and the default time for which
// a sealed key is remembered. The policy file of a server can change these times.
enum class FenceClass {
    webhook,  // lease 60 s, remembered 14 days
    api,      // lease 60 s, remembered 48 hours
    batch     // lease 10 min, remembered 3 days
};

// The state of a job. Actions and the steps of chains are jobs.
enum class Status {
    blocked,     // waits for other chains
    pending,     // waits for its first or its next attempt
    running,     // one attempt is at work
    completed,   // final
    failed,      // final: no attempt is left, or the handler failed it permanently
    cancelled,   // final
    superseded,  // final: a newer action has its key
    uncertain    // it is unknown whether the effect happened; an operator must resolve it
};

// The states in which the owner of a key makes a new request a duplicate.
enum class Scope {
    pending,     // it waits and no worker has ever claimed it
    incomplete,  // it has not ended
    any          // also after its end, inside the window
};

// The effect of a duplicate on the existing action. A started action never changes.
enum class OnDuplicate {
    replace,  // the action receives the new payload
    keep,     // the action keeps its payload
    reject,   // another payload is refused with `conflict`
    debounce  // the action receives the new payload, and its time moves to now + window
};

// The effect on a job if a chain that it waits for fails or is cancelled: the job fails, or
// continues to wait until the chain is retried and completes.
enum class OnBlockerFailed { fail, wait };

// The start of the next interval of a schedule: the slot of the last occurrence, or its end.
enum class RecurrenceType { fixed, rolling };

// The slot that a schedule uses after it missed some. A slot is missed if the next one is due too.
enum class Missed {
    latest,  // the last slot that is due
    skip,    // the first slot after now
    all      // each missed slot, one after another
};

[[nodiscard]] std::string_view to_string(Decision value);
[[nodiscard]] std::string_view to_string(FenceClass value);
[[nodiscard]] std::string_view to_string(Status value);
[[nodiscard]] std::string_view to_string(Scope value);
[[nodiscard]] std::string_view to_string(OnDuplicate value);
[[nodiscard]] std::string_view to_string(OnBlockerFailed value);
[[nodiscard]] std::string_view to_string(RecurrenceType value);
[[nodiscard]] std::string_view to_string(Missed value);

// Whether a job in this state has ended. Only an operator's retry makes a failed, cancelled or
// superseded job pending again.
[[nodiscard]] constexpr bool is_final(Status status) {
    return status == Status::completed || status == Status::failed || status == Status::cancelled ||
           status == Status::superseded;
}

}  // namespace semel
