// Answer: answers one request of the API. It sends the response with the headers that every answer
// has, and counts the request in the metrics. The functions below it make responses, and are pure.
//
// Errors: none. A client that has disconnected gets nothing.
// Threads: any.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "api/problem_json.hpp"
#include "core/keys/claim.hpp"
#include "engine/task.hpp"
#include "net/http.hpp"
#include "net/server.hpp"

namespace semel {

struct Services;

// Returns a response with this JSON body. Content-Type is application/problem+json from status 400
// on, application/json below.
[[nodiscard]] net::Response json_response(int status, std::string body);
// Returns the problem as a response. Adds Retry-After, rounded up to whole seconds, if the problem
// has a retry_after, and WWW-Authenticate to a 401.
[[nodiscard]] net::Response problem_response(const HttpProblem& problem);
// Returns a 200 with this body.
[[nodiscard]] net::Response text_response(std::string content_type, std::string body);

// Adds the headers that every answer has: `Cache-Control: no-store` and
// `X-Content-Type-Options: nosniff`. Answer adds them itself. A response that is sent without an
// Answer needs this call.
void add_common_headers(net::Response& response);

// Returns the decision that the answer shows: a refused request that met a key has one too.
[[nodiscard]] std::optional<Decision> decision_of(const Problem& problem);

// Returns the problem as a receipt: status and bytes that an Idempotency-Key can seal. `decision`,
// if given, is a member of the body.
[[nodiscard]] Receipt problem_receipt(const HttpProblem& problem,
                                      std::optional<Decision> decision = {});

// Call one of its functions, once: the client receives only the first response, but the metrics
// count each call. Copies answer the same request. An Answer keeps `services` alive.
class Answer {
public:
    // `route` is the route's pattern, the label of the metrics; its characters must outlive every
    // copy. `repeat` selects the advice in the problem after a failed commit.
    Answer(std::shared_ptr<Services> services, net::Responder respond, std::string_view route,
           Repeat repeat);

    void send(net::Response response) const;
    void json(int status, std::string body) const { send(json_response(status, std::move(body))); }
    void problem(const HttpProblem& problem) const { send(problem_response(problem)); }
    void error(const Error& error) const { send(problem_response(to_problem(error, repeat_))); }
    // Sends the bytes that a command's commit rendered, with `Idempotent-Replayed: true` if they
    // are replayed, or the error as a problem.
    void rendered(Result<Rendered> rendered) const;

private:
    std::shared_ptr<Services> services_;
    net::Responder respond_;
    std::string_view route_;
    Repeat repeat_;
    std::chrono::steady_clock::time_point began_;
};

}  // namespace semel
