// Problem: the answer to a request that is refused. An outcome of business, not an operating
// failure: it has a stable code, says what to do, and nothing was changed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <semel/time.hpp>
#include <semel/uuid.hpp>
#include <semel/words.hpp>

namespace semel {

enum class ProblemCode {
    key_missing,
    key_invalid,
    key_reused,
    in_progress,
    uncertain,
    stale_token,
    wrong_state,
    superseded,
    dependants,
    conflict,
    cycle,
    not_found,
    invalid,
    unknown_member,
    too_large,
    unauthorized,
    forbidden,
    overloaded,
    store_unavailable,
    response_not_retained,
};

[[nodiscard]] std::string_view to_string(ProblemCode code);

struct Problem {
    ProblemCode code = ProblemCode::invalid;
    std::string detail;        // what is wrong with this request, and what to do
    std::string pointer = {};  // JSON pointer of the member that is meant
    std::optional<Uuid> existing_id = {};
    std::string claim_id = {};         // of the claim that is in the way
    std::string effect_id = {};        // what was sealed under it
    std::optional<Status> state = {};  // what the thing's state is instead
    std::string claim_state = {};      // the same of a claim: owned, sealed, uncertain or free
    std::string diff_json = {};        // conflict: JSON Patch from first to second
    bool diff_truncated = false;       // not all of it is there
    std::optional<Millis> retry_after = {};
    std::vector<Uuid> dependants = {};  // jobs that wait for what should be deleted
};

}  // namespace semel
