// Runs users' functions within a commit. An exception of such a function becomes its result.
//
// Such a function cannot call the engine: the engine would wait for the commit, and the commit
// waits for the function. Host refuses calls while is_in_commit() is true.
//
// Errors: none is thrown.
// Threads: any. is_in_commit() is separate for each thread.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <semel/handler.hpp>

namespace semel {

// Returns true while this thread runs a user's function within a commit.
[[nodiscard]] bool is_in_commit();

// Returns the function's result. An exception is a failed attempt.
[[nodiscard]] HandlerResult call_in_commit(const std::function<HandlerResult(Tx&)>& function,
                                           Tx& tx);
// Returns nullopt, or the text of the exception.
[[nodiscard]] std::optional<std::string> run_in_commit(const std::function<void(Tx&)>& function,
                                                       Tx& tx);

}  // namespace semel
