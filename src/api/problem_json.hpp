// to_problem: turns an engine's error into a problem of the API, with advice for the client.
// core/http_problem.hpp renders problems. Pure. Threads: any.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "core/http_problem.hpp"

namespace semel {

// How a client must repeat a request if the result of the first one is unknown.
enum class Repeat {
    with_key,       // with its Idempotency-Key, by which Semel recognizes the repeat
    as_it_is,       // unchanged: its fencing token or name makes the repeat harmless
    after_a_query,  // after a query: Semel cannot recognize the repeat
    claim,          // unchanged: if the claim was made and its answer lost, its lease ends
};

// Returns the problem that a client receives if the store or the engine failed: `overloaded` or
// `store_unavailable`, with retry_after unless the store is damaged. The detail is a fixed text
// without paths, except for a damaged row, which it names.
[[nodiscard]] Problem to_problem(const Error& error, Repeat repeat = Repeat::with_key);

}  // namespace semel
