#include "api/error_pages.hpp"

#include "errors_embedded.hpp"

namespace semel {

std::string_view error_page(ProblemCode code) {
    switch (code) {
        case ProblemCode::key_missing: return embedded::f_key_missing_md;
        case ProblemCode::key_invalid: return embedded::f_key_invalid_md;
        case ProblemCode::key_reused: return embedded::f_key_reused_md;
        case ProblemCode::in_progress: return embedded::f_in_progress_md;
        case ProblemCode::uncertain: return embedded::f_uncertain_md;
        case ProblemCode::stale_token: return embedded::f_stale_token_md;
        case ProblemCode::wrong_state: return embedded::f_wrong_state_md;
        case ProblemCode::superseded: return embedded::f_superseded_md;
        case ProblemCode::dependants: return embedded::f_dependants_md;
        case ProblemCode::conflict: return embedded::f_conflict_md;
        case ProblemCode::cycle: return embedded::f_cycle_md;
        case ProblemCode::not_found: return embedded::f_not_found_md;
        case ProblemCode::invalid: return embedded::f_invalid_md;
        case ProblemCode::unknown_member: return embedded::f_unknown_member_md;
        case ProblemCode::too_large: return embedded::f_too_large_md;
        case ProblemCode::unauthorized: return embedded::f_unauthorized_md;
        case ProblemCode::forbidden: return embedded::f_forbidden_md;
        case ProblemCode::overloaded: return embedded::f_overloaded_md;
        case ProblemCode::store_unavailable: return embedded::f_store_unavailable_md;
        case ProblemCode::response_not_retained: return embedded::f_response_not_retained_md;
        case ProblemCode::upstream_unavailable: return embedded::f_upstream_unavailable_md;
    }
    return {};
}

std::optional<std::string_view> error_page(std::string_view code) {
    for (const ProblemCode each : all_problem_codes()) {
        if (to_string(each) == code) {
            return error_page(each);
        }
    }
    return std::nullopt;
}

}  // namespace semel
