#include "gateway/answers.hpp"

#include <chrono>

#include <fmt/format.h>

#include "gateway/request_view.hpp"

namespace semel::gateway {
namespace {

constexpr Millis kRetryAfter = std::chrono::seconds(1);

std::string sentence(std::string_view why, std::string_view rest) {
    return std::string(why) + "; " + std::string(rest);
}

net::Response unsure(std::string claim_id, std::string detail, bool timed_out) {
    Problem problem{.code = ProblemCode::uncertain,
                    .detail = std::move(detail),
                    .claim_id = std::move(claim_id)};
    return problem_answer({std::move(problem), timed_out ? 504 : 502});
}

}  // namespace

void add_claim(net::Response& response, std::string_view claim_id) {
    response.headers.push_back({"Semel-Claim", std::string(claim_id)});
}

net::Response problem_answer(const HttpProblem& problem, std::optional<Decision> decision) {
    net::Response response;
    response.status = problem.status;
    response.headers = {{"Content-Type", "application/problem+json"},
                        {"Cache-Control", "no-store"},
                        {"X-Content-Type-Options", "nosniff"}};
    if (const auto& wait = problem.problem.retry_after) {
        // Rounded up, so that no client repeats its request too early.
        const auto seconds = std::chrono::ceil<std::chrono::seconds>(*wait).count();
        response.headers.push_back({"Retry-After", fmt::to_string(seconds)});
    }
    if (!problem.problem.claim_id.empty()) {
        add_claim(response, problem.problem.claim_id);
    }
    response.body = problem_json(problem, decision);
    return response;
}

net::Response refusal(int status, std::string_view detail) {
    if (status != 500) {
        return problem_answer(server_refusal(status, detail));
    }
    net::Response response = problem_answer(invalid(std::string(detail)));
    response.status = status;
    response.body = plain_problem_json(status, net::reason_phrase(status), detail);
    return response;
}

net::Response bad_path(std::string_view why) {
    return problem_answer(invalid(std::string(why)));
}

net::Response no_route(std::string_view path) {
    return problem_answer(
        not_found("no route of this gateway has the path `" + std::string(path) + "`"));
}

net::Response method_not_allowed(const std::vector<std::string>& allowed) {
    std::string list;
    for (const std::string& method : allowed) {
        list += (list.empty() ? "" : ", ") + method;
    }
    net::Response response =
        problem_answer({invalid("this path does not take this method; use " + list), 405});
    response.headers.push_back({"Allow", std::move(list)});
    return response;
}

net::Response key_reused(Problem problem, int status) {
    return problem_answer({std::move(problem), status}, Decision::conflict);
}

net::Response in_progress(std::string claim_id) {
    return problem_answer(
        Problem{.code = ProblemCode::in_progress,
                .detail = "the first request is still running; repeat this one to get "
                          "its answer",
                .claim_id = std::move(claim_id),
                .retry_after = kRetryAfter},
        Decision::in_flight);
}

net::Response response_not_retained(std::string claim_id, std::string effect_id) {
    return problem_answer(Problem{
        .code = ProblemCode::response_not_retained,
        .detail = "the request was done, and its answer was too large to keep; ask the upstream "
                  "for the result",
        .claim_id = std::move(claim_id),
        .effect_id = std::move(effect_id)});
}

net::Response not_sent(std::string_view why) {
    return problem_answer(Problem{.code = ProblemCode::upstream_unavailable,
                                  .detail = sentence(why, "nothing was sent"),
                                  .retry_after = kRetryAfter});
}

net::Response doubtful(std::string claim_id, std::string_view why, bool timed_out) {
    return unsure(std::move(claim_id),
                  sentence(why,
                           "the request may have taken effect and is not sent again; an "
                           "operator must resolve its claim"),
                  timed_out);
}

net::Response not_sealed(std::string claim_id) {
    return unsure(std::move(claim_id),
                  "the upstream has answered, and the store did not confirm it in time; repeat the "
                  "request, with the same key if it has one, to get the answer",
                  true);
}

net::Response no_answer(std::string_view method, std::string_view why, bool timed_out) {
    // The methods that claim nothing are the safe ones.
    if (method_claims(method)) {
        return unsure("", sentence(why, "the request may have taken effect"), timed_out);
    }
    return problem_answer({Problem{.code = ProblemCode::upstream_unavailable,
                                   .detail = sentence(why, "repeat the request"),
                                   .retry_after = kRetryAfter},
                           timed_out ? 504 : 502});
}

net::Response client_left() {
    return problem_answer(
        invalid("the connection was closed for sending before the answer was there, so the call to "
                "the upstream was ended; keep it open until the answer has arrived"));
}

net::Response store_unavailable() {
    return problem_answer(
        Problem{.code = ProblemCode::store_unavailable,
                .detail = "the store is unavailable and nothing was sent; repeat the request",
                .retry_after = kRetryAfter});
}

net::Response overloaded() {
    return problem_answer(Problem{
        .code = ProblemCode::overloaded,
        .detail = "this gateway holds too many requests and nothing was sent; repeat the request",
        .retry_after = kRetryAfter});
}

net::Response replay(int status, std::vector<net::Header> headers, std::string body,
                     std::string_view claim_id) {
    net::Response response;
    response.status = status;
    response.headers = std::move(headers);
    response.headers.push_back({"Idempotent-Replayed", "true"});
    add_claim(response, claim_id);
    response.body = std::move(body);
    return response;
}

}  // namespace semel::gateway
