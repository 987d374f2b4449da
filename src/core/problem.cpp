#include "core/problem.hpp"

namespace semel {

std::string_view to_string(ProblemCode code) {
    switch (code) {
        case ProblemCode::key_missing: return "key_missing";
        case ProblemCode::key_invalid: return "key_invalid";
        case ProblemCode::key_reused: return "key_reused";
        case ProblemCode::in_progress: return "in_progress";
        case ProblemCode::uncertain: return "uncertain";
        case ProblemCode::stale_token: return "stale_token";
        case ProblemCode::wrong_state: return "wrong_state";
        case ProblemCode::superseded: return "superseded";
        case ProblemCode::dependants: return "dependants";
        case ProblemCode::conflict: return "conflict";
        case ProblemCode::cycle: return "cycle";
        case ProblemCode::not_found: return "not_found";
        case ProblemCode::invalid: return "invalid";
        case ProblemCode::unknown_member: return "unknown_member";
        case ProblemCode::too_large: return "too_large";
        case ProblemCode::unauthorized: return "unauthorized";
        case ProblemCode::forbidden: return "forbidden";
        case ProblemCode::overloaded: return "overloaded";
        case ProblemCode::store_unavailable: return "store_unavailable";
        case ProblemCode::response_not_retained: return "response_not_retained";
        case ProblemCode::upstream_unavailable: return "upstream_unavailable";
    }
    return "";
}

const std::vector<ProblemCode>& all_problem_codes() {
    static const std::vector<ProblemCode> kCodes = [] {
        // Counts up to the first number without a name. The compiler makes sure that every code has
        // one.
        std::vector<ProblemCode> all;
        for (int i = 0; !to_string(static_cast<ProblemCode>(i)).empty(); ++i) {
            all.push_back(static_cast<ProblemCode>(i));
        }
        return all;
    }();
    return kCodes;
}

Problem invalid(std::string detail, std::string pointer) {
    return {
        .code = ProblemCode::invalid, .detail = std::move(detail), .pointer = std::move(pointer)};
}

Problem not_found(std::string detail) {
    return {.code = ProblemCode::not_found, .detail = std::move(detail)};
}

Problem locked_elsewhere() {
    return {.code = ProblemCode::store_unavailable,
            .detail =
                "another transaction holds what this would change, and nothing was changed; "
                "repeat it",
            .retry_after = std::chrono::seconds(1)};
}

}  // namespace semel
