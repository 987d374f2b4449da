// Renders problems after RFC 9457: each code has a status and a title, and an engine's error
// becomes a problem with advice for the client. The functions are pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "core/problem.hpp"

namespace semel {

struct ProblemKind {
    int status;
    std::string_view title;
    std::optional<bool> retryable;  // whether the same request can succeed later; nullopt: not said
};

[[nodiscard]] ProblemKind problem_kind(ProblemCode code);

// A problem with its HTTP status: the status of its code, unless HTTP has a more precise one (405,
// 408, 415).
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

// Returns the body of the answer: an object with type, title, status, detail, code and the other
// members that the problem has. `decision` is for a request that met a claim.
[[nodiscard]] std::string problem_json(const HttpProblem& http,
                                       std::optional<Decision> decision = {});

// Returns the body for a status that has no problem code. Its type is about:blank.
[[nodiscard]] std::string plain_problem_json(int status, std::string_view detail);

// How a client repeats a request if the store did not say whether the first one was done.
enum class Repeat {
    with_key,       // with its Idempotency-Key: only that marks the repeat
    as_it_is,       // unchanged: its token or name makes the repeat harmless
    after_a_query,  // after a query: nothing marks the repeat
    claim,          // unchanged: a claim that was lost ends with its lease
};

// Returns the problem that a client receives if the store or the engine failed: `overloaded` or
// `store_unavailable`, with retry_after unless the store is damaged. The detail is a fixed text
// without paths, except for a damaged row, which it names.
[[nodiscard]] Problem to_problem(const Error& error, Repeat repeat = Repeat::with_key);

}  // namespace semel
