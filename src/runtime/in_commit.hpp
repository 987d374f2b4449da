// Runs users' functions within a commit. An exception of such a function becomes its result.
//
// Such a function cannot call the engine: the engine would wait for the commit, which waits for the
// function. Host refuses calls while is_in_commit() is true.
// Threads: any; each has its own mark.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <semel/handler.hpp>

namespace semel {

// Whether this thread runs such a function now.
[[nodiscard]] bool is_in_commit();

// Returns the function's result. An exception is a failed attempt.
[[nodiscard]] HandlerResult call_in_commit(const std::function<HandlerResult(Tx&)>& function,
                                           Tx& tx);
// Returns nullopt, or the text of the exception.
[[nodiscard]] std::optional<std::string> run_in_commit(const std::function<void(Tx&)>& function,
                                                       Tx& tx);

}  // namespace semel
