// Job: the row of one unit of work, and the rows that belong to it. An action is a job, and a chain
// of one.
//
// All types here are plain values. An INVARIANT holds whenever a batch is saved. The wide parts,
// payload and result, are separate rows, so that a decision loads only the rows that it needs.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "base/hash.hpp"
#include "base/time.hpp"
#include "base/uuid.hpp"
#include "core/actions/backoff.hpp"
#include "core/words.hpp"

namespace semel {

using JobId = Uuid;
using ClaimId = Hash256;

// A fencing token. It grows with every owner of a row and is never reused, even after the row is
// deleted. Zero means that the row never had an owner.
enum class Token : std::int64_t { none = 0 };

[[nodiscard]] constexpr std::int64_t to_int(Token token) {
    return static_cast<std::int64_t>(token);
}

// Returns a token larger than `previous`. It is also larger than every token of a deleted row with
// the same key, because store time never goes back.
[[nodiscard]] constexpr Token next_token(Token previous, Time now) {
    const std::int64_t grown = to_int(previous) + 1;
    return Token{grown > to_ms(now) ? grown : to_ms(now)};
}

// The lease of a running job's owner. Valid while now < until.
struct Lease {
    std::string worker;
    Time started_at;
    Time until;
    std::optional<Time> timeout_at;

    bool operator==(const Lease&) const = default;

    // Returns when the owner can be replaced, if nothing else happens before.
    [[nodiscard]] Time ends_at() const {
        return timeout_at && *timeout_at < until ? *timeout_at : until;
    }
};

// The last accepted call that ended an attempt, so that its repeat gets the same answer.
struct Settled {
    Verb verb;
    Hash256 content;
    Status status;  // as in the answer

    bool operator==(const Settled&) const = default;
};

inline constexpr int kMaxRetriesDefault = 3;
inline constexpr int kUnlimitedRetries = std::numeric_limits<int>::max();  // a chain's default

// The link from a job to the schedule that made it.
struct Occurrence {
    Uuid schedule;
    std::string name;          // of the schedule
    std::optional<Time> slot;  // absent: an extra action (trigger)
    std::string interval;      // the rule as written
    RecurrenceType type = RecurrenceType::fixed;

    bool operator==(const Occurrence&) const = default;
};

struct Job {
    JobId id;
    std::string tenant;
    std::string type;
    JobId chain;
    int chain_index = 0;
    std::optional<ClaimId> claim;  // of its deduplication key; never changes

    Status status = Status::pending;
    Place place = Place::ready;
    Time scheduled_at;
    Time created_at;
    Time updated_at;
    std::optional<Time> started_at;    // of the latest attempt
    std::optional<Time> completed_at;  // of the end, in whatever status

    int priority = 0;
    std::string lock_group;                // empty: none
    int max_retries = kMaxRetriesDefault;  // total attempts
    Backoff backoff;
    std::optional<Millis> timeout;
    std::optional<Time> unique_until;

    int attempts = 0;  // counted when a worker claims the job
    int lost_in_a_row = 0;
    Token token = Token::none;
    std::optional<Lease> lease;      // INVARIANT: present exactly while running
    std::optional<Settled> settled;  // by the owner whose token is current
    bool settling = false;  // only while running: a result is committed, but not yet applied

    std::optional<JobId> predecessor;    // INVARIANT: present exactly in Place::predecessor
    std::optional<JobId> successor;      // waits for this job's attempt to end
    std::optional<JobId> superseded_by;  // present exactly when superseded
    bool has_result = false;             // a JobResult row exists
    std::optional<Occurrence> occurrence;

    bool in_chain = false;      // was started as a chain, or continues one
    std::optional<JobId> next;  // the continuation (absent in the last job of a chain)
    std::optional<JobId> last;  // in a first job: the chain's last job (absent if it is this one)
    int blocks = 0;             // in a first job: how many edges lead to the chain
    int blockers = 0;           // how many chains the job was given to wait for
    int blockers_left = 0;      // how many of these have not completed
    OnBlockerFailed on_blocker_failed = OnBlockerFailed::fail;

    bool operator==(const Job&) const = default;

    [[nodiscard]] bool begins_chain() const { return chain_index == 0; }
    // Returns true if a worker has ever claimed the job. From then on its payload is frozen.
    [[nodiscard]] bool was_taken() const { return token != Token::none; }
};

// Returns the surface of a job, as the decision log names it.
[[nodiscard]] inline std::string_view surface_of(const Job& job) {
    return job.in_chain ? "chains" : "actions";
}

// Compares in the order of a lock group's queue: by time, then by id. Priority does not count.
[[nodiscard]] inline bool goes_before(const Job& a, const Job& b) {
    return std::tie(a.scheduled_at, a.id) < std::tie(b.scheduled_at, b.id);
}

// The payload: the bytes of the request. A row apart from the job, because it is wide.
struct JobBody {
    std::string payload;

    bool operator==(const JobBody&) const = default;
};

// The result of the last attempt.
struct JobResult {
    std::optional<std::string> output;  // JSON, the bytes of the call
    std::optional<std::string> error_message;
    std::optional<std::string> error_code;

    bool operator==(const JobResult&) const = default;
};

// One entry of a job's history, written once, when the attempt has ended.
struct Attempt {
    JobId job;
    int number = 0;
    Token token = Token::none;
    std::string worker;
    Time started_at;
    Time ended_at;
    AttemptEnd end = AttemptEnd::completed;
    std::string error;

    bool operator==(const Attempt&) const = default;
};

}  // namespace semel
