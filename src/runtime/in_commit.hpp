// Functions of users that run within a commit: what they throw is their answer, and the engine
// cannot be called from there, because it would wait for the very commit that waits for them.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <semel/handler.hpp>

namespace semel {

// Whether this thread runs such a function.
[[nodiscard]] bool is_in_commit();

// Calls it. What it throws is a failed attempt.
[[nodiscard]] HandlerResult call_in_commit(const std::function<HandlerResult(Tx&)>& function,
                                           Tx& tx);
// The same for one that answers nothing; what it throws is the answer.
[[nodiscard]] std::optional<std::string> run_in_commit(const std::function<void(Tx&)>& function,
                                                       Tx& tx);

}  // namespace semel
