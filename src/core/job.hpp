// A job: one unit of work. An action is a job, and a chain of one.
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
#include "core/backoff.hpp"
#include "core/words.hpp"

namespace semel {

using JobId = Uuid;
using ClaimId = Hash256;

// A fencing token: grows with every owner of a row, and is never reused, also after the row is
// gone. Zero: the row has never been owned.
enum class Token : std::int64_t { none = 0 };

[[nodiscard]] constexpr std::int64_t to_int(Token token) {
    return static_cast<std::int64_t>(token);
}

// Larger than every token before it, and than every token of a deleted row with the same key,
// because store time never goes back.
[[nodiscard]] constexpr Token next_token(Token previous, Time now) {
    const std::int64_t grown = to_int(previous) + 1;
    return Token{grown > to_ms(now) ? grown : to_ms(now)};
}

// What an owner holds while it works. Valid while now < until.
struct Lease {
    std::string worker;
    Time started_at;
    Time until;
    std::optional<Time> timeout_at;

    bool operator==(const Lease&) const = default;

    // When its owner may be replaced, if nothing happens before.
    [[nodiscard]] Time ends_at() const {
        return timeout_at && *timeout_at < until ? *timeout_at : until;
    }
};

// The last accepted call that ended an attempt, so that its repeat gets the same answer.
struct Settled {
    Verb verb;
    Hash256 content;
    Status status;  // as it was answered

    bool operator==(const Settled&) const = default;
};

inline constexpr int kMaxRetriesDefault = 3;
inline constexpr int kUnlimitedRetries = std::numeric_limits<int>::max();  // a chain's default

// What makes a job one of a schedule's.
struct Occurrence {
    Uuid schedule;
    std::string name;          // of the schedule
    std::optional<Time> slot;  // absent: triggered, outside the line
    std::string interval;      // the rule, as it was written
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
    std::optional<Time> completed_at;  // of the end, however it ended

    int priority = 0;
    std::string lock_group;                // empty: none
    int max_retries = kMaxRetriesDefault;  // total attempts
    Backoff backoff;
    std::optional<Millis> timeout;
    std::optional<Time> unique_until;

    int attempts = 0;  // counted when taken
    int lost_in_a_row = 0;
    Token token = Token::none;
    std::optional<Lease> lease;      // INVARIANT: present exactly while running
    std::optional<Settled> settled;  // by the owner whose token is current
    bool settling = false;  // its owner's result is committed and on its way; only while running

    std::optional<JobId> predecessor;    // INVARIANT: present exactly in Place::predecessor
    std::optional<JobId> successor;      // waits for this job's attempt to end
    std::optional<JobId> superseded_by;  // present exactly when superseded
    bool has_result = false;             // a JobResult row exists
    std::optional<Occurrence> occurrence;

    bool in_chain = false;      // was started as a chain, or continues one
    std::optional<JobId> next;  // its continuation; absent: it is the last of its chain
    std::optional<JobId> last;  // of the chain that it begins; absent: itself
    int blocks = 0;             // how many blockers of jobs name the chain that it begins
    int blockers = 0;           // how many chains it was to wait for,
    int blockers_left = 0;      // and how many of them have not completed
    OnBlockerFailed on_blocker_failed = OnBlockerFailed::fail;

    bool operator==(const Job&) const = default;

    [[nodiscard]] bool begins_chain() const { return chain_index == 0; }
    // A payload is frozen from the first taking on.
    [[nodiscard]] bool was_taken() const { return token != Token::none; }
};

// Where a job came from, in the words of the decision log.
[[nodiscard]] inline std::string_view surface_of(const Job& job) {
    return job.in_chain ? "chains" : "actions";
}

// The order inside a lock group: by time, then by id. Priority does not count.
[[nodiscard]] inline bool goes_before(const Job& a, const Job& b) {
    return std::tie(a.scheduled_at, a.id) < std::tie(b.scheduled_at, b.id);
}

// The payload, apart from the job: wide, written once, and kept as the bytes that came.
struct JobBody {
    std::string payload;

    bool operator==(const JobBody&) const = default;
};

// What the last attempt left behind.
struct JobResult {
    std::optional<std::string> output;  // JSON bytes as they came
    std::optional<std::string> error_message;
    std::optional<std::string> error_code;

    bool operator==(const JobResult&) const = default;
};

// One entry of a job's history; written once, when the attempt has ended.
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
