// ActionFilter: which actions of a tenant are meant, in lists and in bulk.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "core/job.hpp"
#include "core/json.hpp"
#include "core/problem.hpp"

namespace semel {

struct ActionFilter {
    std::optional<Status> status = {};
    std::optional<std::string> type = {};
    std::optional<std::string> lock_group = {};
    std::optional<std::string> schedule_name = {};
    std::optional<JobId> chain = {};
    std::optional<Time> from = {};  // createdAt, inclusive
    std::optional<Time> to = {};    // createdAt, exclusive

    bool operator==(const ActionFilter&) const = default;

    [[nodiscard]] bool matches(const Job& job) const;

    [[nodiscard]] std::string to_json() const;
    [[nodiscard]] static std::variant<ActionFilter, Problem> from_json(json::Value object,
                                                                       const std::string& pointer);
};

// Which chains of a tenant are meant. A chain's type is its first job's, its status its last one's.
struct ChainFilter {
    std::optional<Status> status = {};
    std::optional<std::string> type = {};
    std::optional<Time> from = {};  // createdAt, inclusive
    std::optional<Time> to = {};    // createdAt, exclusive

    bool operator==(const ChainFilter&) const = default;

    [[nodiscard]] bool matches(const Job& first, const Job& last) const;
};

// What a filter finds.
struct MatchedActions {
    std::int64_t count = 0;
    JobId newest = {};  // nil: there is none

    bool operator==(const MatchedActions&) const = default;
};

}  // namespace semel
