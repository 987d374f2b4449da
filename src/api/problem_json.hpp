// Problems as RFC 9457 shows them: one table from code to status and title.
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
    std::optional<bool> retryable;  // whether the same request may do better later; absent: no word
};

[[nodiscard]] ProblemKind problem_kind(ProblemCode code);

// A problem on its way to an HTTP answer. The status is the code's own unless HTTP knows a more
// precise one (405, 415).
struct HttpProblem {
    HttpProblem(Problem what) : problem(std::move(what)) {
        status = problem_kind(problem.code).status;
    }
    HttpProblem(Problem what, int precise_status)
        : problem(std::move(what)), status(precise_status) {}

    Problem problem;
    int status = 0;
    std::string chain = {};       // as JSON: what was waited for
    std::string_view title = {};  // another than the code's
};

// The body of the answer: an object with type, title, status, detail, code, and what else is known.
// `decision` is shown where the problem is the answer to a request that met a claim.
[[nodiscard]] std::string problem_json(const HttpProblem& http,
                                       std::optional<Decision> decision = {});

// The same for a status that no code of ours explains: its type is about:blank.
[[nodiscard]] std::string plain_problem_json(int status, std::string_view detail);

// How a request is repeated of which nobody knows whether it was done.
enum class Repeat {
    with_key,      // only an Idempotency-Key tells the repeat from another request
    as_it_is,      // it says what it means, by a token or a name: twice is once
    after_a_look,  // nothing tells it from another
    claim,         // it asks for something; what it may have been given, nobody has
};

// What a caller is told when the store or the engine failed. Names no paths.
[[nodiscard]] Problem to_problem(const Error& error, Repeat repeat = Repeat::with_key);

}  // namespace semel
