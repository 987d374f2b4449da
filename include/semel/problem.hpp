// Problem: the answer to a refused request. It has a stable code and explains the remedy. A refused
// request changed nothing. Failures of the machine or the store are an Error: <semel/result.hpp>.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <semel/time.hpp>
#include <semel/uuid.hpp>
#include <semel/words.hpp>

namespace semel {

// docs/errors/ has a page for each code: reason, remedy and an example. Only the HTTP API returns
// `key_missing`, `key_invalid`, `key_reused`, `dependants`, `unauthorized`, `forbidden`,
// `overloaded`, `response_not_retained` and `upstream_unavailable`.
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
    upstream_unavailable,
};

// Returns the name of the enumerator, which is the `code` of the HTTP API.
[[nodiscard]] std::string_view to_string(ProblemCode code);

struct Problem {
    ProblemCode code = ProblemCode::invalid;
    // The reason and the remedy, in one or two sentences for people.
    std::string detail;
    // JSON pointer of the member that is refused, in the names of the HTTP API: `/delayMs`. Empty
    // if the request is refused as a whole.
    std::string pointer = {};
    // The action or chain that the request meets or names.
    std::optional<Uuid> existing_id = {};
    // The claim of a fence that prevents the request, as 64 hex digits. Empty: no claim does.
    std::string claim_id = {};
    // The effect that is sealed under that claim. Empty: not sealed.
    std::string effect_id = {};
    // The present state of the job that the request names or meets.
    std::optional<Status> state = {};
    // The present state of the claim: `owned`, `sealed`, `uncertain` or `free`. Can be empty.
    std::string claim_state = {};
    // For `conflict`: a JSON Patch (RFC 6902) from the first content to that of this request, with
    // the members masked that look like secrets. `null` if one content is unknown. Can be empty.
    std::string diff_json = {};
    // Whether the patch lacks operations or parts of values, because it is too long.
    bool diff_truncated = false;
    // For `key_reused` at the gateway: what differs besides the bodies, of `method`, `path` and
    // `query`; `body` if there is no diff of the bodies.
    std::vector<std::string> differs = {};
    // The time after which a repeat can succeed.
    std::optional<Millis> retry_after = {};
    // For `dependants`: the jobs that wait for the chain to delete, at most 1 000 of them.
    std::vector<Uuid> dependants = {};
};

}  // namespace semel
