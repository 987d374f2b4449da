// Renders problems after RFC 9457: each code has a status and a title. Pure. Threads: any.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/problem.hpp"

namespace semel {

struct ProblemKind {
    int status;
    std::string_view title;
    std::optional<bool> retryable;  // the same request can succeed later; nullopt: unknown
};

[[nodiscard]] ProblemKind problem_kind(ProblemCode code);

// A problem with its HTTP status: the status of its code, unless HTTP has a more precise one (405,
// 408, 415) or the caller chose one.
struct HttpProblem {
    HttpProblem(Problem what) : problem(std::move(what)) {
        status = problem_kind(problem.code).status;
    }
    HttpProblem(Problem what, int precise_status)
        : problem(std::move(what)), status(precise_status) {}

    Problem problem;
    int status = 0;
    std::string chain = {};       // JSON of the chain that was waited for; empty: no member
    std::string_view title = {};  // replaces the code's title; empty: it does not
};

// Returns the problem of a request that the HTTP server refused itself, for its framing, size or
// time. REQUIRES: not 500, which has no code.
[[nodiscard]] HttpProblem server_refusal(int status, std::string_view detail);

// Returns the body of the answer: an object with type, title, status, detail, code and the other
// members that the problem has. `decision` is for a request that met a claim.
[[nodiscard]] std::string problem_json(const HttpProblem& http,
                                       std::optional<Decision> decision = {});

// Returns the body for a status that has no problem code. Its type is about:blank. `title` is the
// status's usual name.
[[nodiscard]] std::string plain_problem_json(int status, std::string_view title,
                                             std::string_view detail);

}  // namespace semel
