#include "core/http_problem.hpp"

#include "core/json/json_writer.hpp"

namespace semel {
namespace {

// An unavailable store can be tried again, unless an operator must repair it first.
std::optional<bool> is_retryable(const Problem& problem) {
    return problem.code == ProblemCode::store_unavailable
               ? std::optional(problem.retry_after.has_value())
               : problem_kind(problem.code).retryable;
}

}  // namespace

ProblemKind problem_kind(ProblemCode code) {
    switch (code) {
        case ProblemCode::key_missing: return {400, "An idempotency key is required", {}};
        case ProblemCode::key_invalid: return {400, "The idempotency key cannot be used", {}};
        case ProblemCode::key_reused:
            return {409, "The idempotency key was used for another request", false};
        case ProblemCode::in_progress: return {409, "The first request is still in progress", true};
        case ProblemCode::uncertain: return {409, "The effect may or may not have happened", false};
        case ProblemCode::stale_token: return {409, "Another owner took over", false};
        case ProblemCode::wrong_state: return {409, "Not possible in this state", {}};
        case ProblemCode::superseded: return {409, "The key has a newer owner", {}};
        case ProblemCode::dependants: return {409, "Others depend on it", {}};
        case ProblemCode::conflict: return {409, "Same key, other content", false};
        case ProblemCode::cycle: return {409, "The blockers form a cycle", {}};
        case ProblemCode::not_found: return {404, "Not found", {}};
        case ProblemCode::invalid: return {400, "The request is not valid", {}};
        case ProblemCode::unknown_member: return {400, "The request has an unknown member", {}};
        case ProblemCode::too_large: return {413, "The request is too large", {}};
        case ProblemCode::unauthorized: return {401, "A valid token is required", {}};
        case ProblemCode::forbidden: return {403, "Not allowed", {}};
        case ProblemCode::overloaded: return {503, "Too many requests are waiting", true};
        case ProblemCode::store_unavailable: return {503, "The store is not available", true};
        case ProblemCode::response_not_retained:
            return {409, "The original answer was not kept", false};
        case ProblemCode::upstream_unavailable:
            return {502, "The upstream could not be reached", true};
    }
    return {500, "", {}};
}

HttpProblem server_refusal(int status, std::string_view detail) {
    switch (status) {
        case 413:
        case 431: return {{.code = ProblemCode::too_large, .detail = std::string(detail)}, status};
        case 503:
            return {{.code = ProblemCode::overloaded,
                     .detail = std::string(detail),
                     .retry_after = std::chrono::seconds(1)},
                    status};
        default: return {invalid(std::string(detail)), status};
    }
}

std::string problem_json(const HttpProblem& http, std::optional<Decision> decision) {
    const Problem& problem = http.problem;
    const ProblemKind kind = problem_kind(problem.code);
    JsonWriter out;
    out.begin_object();
    out.member("type", "/errors/" + std::string(to_string(problem.code)));
    out.member("title", http.title.empty() ? kind.title : http.title);
    out.member("status", http.status);
    out.member("detail", problem.detail);
    out.member("code", to_string(problem.code));
    if (decision) {
        out.member("decision", to_string(*decision));
    }
    if (!problem.pointer.empty()) {
        out.member("pointer", problem.pointer);
    }
    if (problem.existing_id) {
        out.member("existingId", problem.existing_id->to_string());
    }
    if (!problem.claim_id.empty()) {
        out.member("claimId", problem.claim_id);
    }
    if (!problem.effect_id.empty()) {
        out.member("effectId", problem.effect_id);
    }
    if (problem.state) {
        out.member("state", to_string(*problem.state));
    } else if (!problem.claim_state.empty()) {
        out.member("state", problem.claim_state);
    }
    if (!problem.diff_json.empty()) {
        out.member_raw("diff", problem.diff_json);
        if (problem.diff_truncated) out.member("diffTruncated", true);
    }
    if (!problem.differs.empty()) {
        out.begin_array("differs");
        for (const std::string& name : problem.differs) out.string(name);
        out.end_array();
    }
    if (!problem.dependants.empty()) {
        out.begin_array("dependants");
        for (const Uuid& id : problem.dependants) out.string(id.to_string());
        out.end_array();
    }
    if (!http.chain.empty()) {
        out.member_raw("chain", http.chain);
    }
    out.member_if("retryable", is_retryable(problem));
    if (problem.retry_after) {
        out.member("retryAfterMs", problem.retry_after->count());
    }
    out.end_object();
    return out.take();
}

std::string plain_problem_json(int status, std::string_view title, std::string_view detail) {
    JsonWriter out;
    out.begin_object();
    out.member("type", "about:blank");
    out.member("title", title);
    out.member("status", status);
    out.member("detail", detail);
    out.end_object();
    return out.take();
}

}  // namespace semel
