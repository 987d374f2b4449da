// ScheduleAnswer: the answer to a request for an action.
#pragma once

#include <optional>

#include <semel/problem.hpp>
#include <semel/uuid.hpp>
#include <semel/words.hpp>

namespace semel {

// The engine returns an answer only after the rows that it describes are durable.
//
// Example: if (answer) log(answer.id.to_string()); else log(answer.problem->detail);
struct ScheduleAnswer {
    // The new action, or the existing one for a duplicate. Nil if the request was refused.
    Uuid id;
    // `new_` or `duplicate`. Meaningless if the request was refused.
    Decision decision = Decision::new_;
    // Whether the existing action now has the payload of this request.
    bool replaced = false;
    // Whether the existing action keeps a payload other than that of this request.
    bool payload_differs = false;
    // The started action that the new action succeeds. The new action waits until the running
    // attempt of that one has ended.
    std::optional<Uuid> successor_of = {};
    // Why the request was refused. A refused request changed nothing.
    std::optional<Problem> problem = {};

    // False if the request was refused.
    explicit operator bool() const { return !problem; }
};

}  // namespace semel
