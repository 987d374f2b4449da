// Answer: the one way back to whoever sent a request. Adds what every answer carries, and counts.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "api/problem_json.hpp"
#include "core/claim.hpp"
#include "engine/task.hpp"
#include "net/http.hpp"
#include "net/server.hpp"

namespace semel {

struct Services;

// Content-Type by status: problems from 400 on.
[[nodiscard]] net::Response json_response(int status, std::string body);
[[nodiscard]] net::Response problem_response(const HttpProblem& problem);
[[nodiscard]] net::Response text_response(std::string content_type, std::string body);

// What every answer carries, whoever made it.
void add_common_headers(net::Response& response);

// Bytes that a command's answer seals.
[[nodiscard]] Receipt problem_receipt(const HttpProblem& problem,
                                      std::optional<Decision> decision = {});

// Thread-safe, as the responder is; the first of its calls counts.
class Answer {
public:
    // `route` is the pattern, for the metrics; it outlives the answer.
    Answer(std::shared_ptr<Services> services, net::Responder respond, std::string_view route,
           Repeat repeat);

    void send(net::Response response) const;
    void json(int status, std::string body) const { send(json_response(status, std::move(body))); }
    void problem(const HttpProblem& problem) const { send(problem_response(problem)); }
    void error(const Error& error) const { send(problem_response(to_problem(error, repeat_))); }
    void rendered(Result<Rendered> rendered) const;

private:
    std::shared_ptr<Services> services_;
    net::Responder respond_;
    std::string_view route_;
    Repeat repeat_;
    std::chrono::steady_clock::time_point began_;
};

}  // namespace semel
