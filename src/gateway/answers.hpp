// answers: the responses that the gateway makes itself, with their headers. Pure. Threads: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/http_problem.hpp"
#include "net/http.hpp"

namespace semel::gateway {

// Adds `Semel-Claim`, which every answer to a request that met a claim has. `claim_id` is that of
// the key if there is one, otherwise of the guard: 64 hex digits.
void add_claim(net::Response& response, std::string_view claim_id);

// Returns the problem with its headers: Retry-After in whole seconds if it has a retry_after, and
// Semel-Claim if it has a claim_id. No cache keeps it.
[[nodiscard]] net::Response problem_answer(const HttpProblem& problem,
                                           std::optional<Decision> decision = {});

// Returns what the listener answers itself. See net::ServerOptions::error_response.
[[nodiscard]] net::Response refusal(int status, std::string_view detail);

// Returns 400 for a path that has no normal form. `why` is the error of normal_path().
[[nodiscard]] net::Response bad_path(std::string_view why);
[[nodiscard]] net::Response no_route(std::string_view path);
// Returns 405 with the methods of the path in `Allow`.
[[nodiscard]] net::Response method_not_allowed(const std::vector<std::string>& allowed);

// Returns the problem `key_reused`: the key's first request had another content. `status` is 409 or
// 422.
[[nodiscard]] net::Response key_reused(Problem problem, int status);
// Returns 409: the first request still runs.
[[nodiscard]] net::Response in_progress(std::string claim_id);
// Returns 409: the original answer was too large to keep.
[[nodiscard]] net::Response response_not_retained(std::string claim_id, std::string effect_id);

// Returns 502: nothing was sent. `why` is a phrase like "the upstream refused the connection".
[[nodiscard]] net::Response not_sent(std::string_view why);
// Returns 502, or 504 after the timeout: the request was sent under claims, and its answer did not
// arrive whole. The claim is now uncertain.
[[nodiscard]] net::Response doubtful(std::string claim_id, std::string_view why, bool timed_out);
// Returns 504: the upstream has answered, and the store did not confirm the seal.
[[nodiscard]] net::Response not_sealed(std::string claim_id);
// Returns 502, or 504 after the timeout, to a request without claims whose answer did not arrive.
// A repeat of a safe method is harmless; another one may have taken effect.
[[nodiscard]] net::Response no_answer(std::string_view method, std::string_view why,
                                      bool timed_out);

// Returns 400: the client closed its sending side before the answer, so the call was ended.
[[nodiscard]] net::Response client_left();

// Returns 503: the store is unavailable, and the route does not forward without claims.
[[nodiscard]] net::Response store_unavailable();
// Returns 503: the gateway holds as many bodies as it can.
[[nodiscard]] net::Response overloaded();

// Returns a stored answer, with `Idempotent-Replayed: true`. `headers` are the kept ones.
[[nodiscard]] net::Response replay(int status, std::vector<net::Header> headers, std::string body,
                                   std::string_view claim_id);

}  // namespace semel::gateway
