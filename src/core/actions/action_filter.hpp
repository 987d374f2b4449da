// ActionFilter and ChainFilter: select actions or chains, in lists and in bulk runs.
//
// An absent member matches everything. No filter checks the tenant, so the caller must. Pure.
// Threads: any.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "core/actions/job.hpp"
#include "core/json/json.hpp"
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
    // Returns the filter, or the Problem that names the first wrong member. `pointer` is the place
    // of `object` in the request.
    [[nodiscard]] static std::variant<ActionFilter, Problem> from_json(json::Value object,
                                                                       const std::string& pointer);
};

// Selects chains. A chain has the type of its first job and the status of its last job.
struct ChainFilter {
    std::optional<Status> status = {};
    std::optional<std::string> type = {};
    std::optional<Time> from = {};  // createdAt, inclusive
    std::optional<Time> to = {};    // createdAt, exclusive

    bool operator==(const ChainFilter&) const = default;

    [[nodiscard]] bool matches(const Job& first, const Job& last) const;
};

// The actions that a filter matches.
struct MatchedActions {
    std::int64_t count = 0;
    JobId newest = {};  // nil if the count is 0

    bool operator==(const MatchedActions&) const = default;
};

}  // namespace semel
