// An engine's error as a problem of the API, with advice for the client. core/http_problem.hpp
// renders problems. The functions are pure.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "core/http_problem.hpp"

namespace semel {

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
