#include "api/answer.hpp"

#include <fmt/format.h>

#include "api/call.hpp"
#include "api/metrics.hpp"

namespace semel {

net::Response json_response(int status, std::string body) {
    net::Response response;
    response.status = status;
    response.headers.push_back(
        {"Content-Type", status < 400 ? "application/json" : "application/problem+json"});
    response.body = std::move(body);
    return response;
}

net::Response problem_response(const HttpProblem& problem) {
    net::Response response = json_response(problem.status, problem_json(problem));
    if (const auto& wait = problem.problem.retry_after) {
        // Whole seconds, rounded up, because a repeat that comes too early fails again.
        const auto seconds = std::chrono::ceil<std::chrono::seconds>(*wait).count();
        response.headers.push_back({"Retry-After", fmt::format("{}", seconds)});
    }
    if (problem.status == 401) {
        response.headers.push_back({"WWW-Authenticate", "Bearer realm=\"semel\""});
    }
    return response;
}

net::Response text_response(std::string content_type, std::string body) {
    net::Response response;
    response.headers.push_back({"Content-Type", std::move(content_type)});
    response.body = std::move(body);
    return response;
}

void add_common_headers(net::Response& response) {
    response.headers.push_back({"Cache-Control", "no-store"});
    response.headers.push_back({"X-Content-Type-Options", "nosniff"});
}

std::optional<Decision> decision_of(const Problem& problem) {
    return problem.code == ProblemCode::conflict ? std::optional(Decision::conflict) : std::nullopt;
}

Receipt problem_receipt(const HttpProblem& problem, std::optional<Decision> decision) {
    return {.status = problem.status, .body = problem_json(problem, decision)};
}

Answer::Answer(std::shared_ptr<Services> services, net::Responder respond, std::string_view route,
               Repeat repeat)
    : services_(std::move(services)),
      respond_(std::move(respond)),
      route_(route),
      repeat_(repeat),
      began_(std::chrono::steady_clock::now()) {}

void Answer::send(net::Response response) const {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began_;
    services_->metrics.on_request(route_, response.status, took.count());
    add_common_headers(response);
    respond_(std::move(response));
}

void Answer::rendered(Result<Rendered> rendered) const {
    if (!rendered) {
        error(rendered.error());
        return;
    }
    net::Response response =
        json_response(rendered->receipt.status, std::move(rendered->receipt.body));
    if (rendered->replayed) {
        response.headers.push_back({"Idempotent-Replayed", "true"});
    }
    send(std::move(response));
}

}  // namespace semel
