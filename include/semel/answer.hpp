// What a request for an action was told.
#pragma once

#include <optional>

#include <semel/problem.hpp>
#include <semel/uuid.hpp>
#include <semel/words.hpp>

namespace semel {

// From a durable row.
struct ScheduleAnswer {
    Uuid id;
    Decision decision = Decision::new_;
    bool replaced = false;
    bool payload_differs = false;
    std::optional<Uuid> successor_of = {};
    std::optional<Problem> problem = {};  // refused: nothing was changed, and `id` is nil

    explicit operator bool() const { return !problem; }
};

}  // namespace semel
