// ActionList: the ids of the actions that match a filter, in order; one statement per set of
// filters.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/action_filter.hpp"
#include "store/sqlite/name_table.hpp"
#include "store/sqlite/statement.hpp"

namespace semel::sqlite {

enum class IdOrder { oldest_first, newest_first };

// Exclusive bounds of ids.
struct IdsBetween {
    std::optional<JobId> after = {};
    std::optional<JobId> before = {};
};

class ActionList {
public:
    ActionList(Connection& connection, NameTable& names) : connection_(connection), names_(names) {}

    [[nodiscard]] std::vector<JobId> ids(const std::string& tenant, const ActionFilter& filter,
                                         const IdsBetween& between, IdOrder order, int limit);
    [[nodiscard]] MatchedActions count(const std::string& tenant, const ActionFilter& filter);

private:
    struct IdRange;
    struct Condition {
        std::string sql;
        std::function<void(Cursor&)> bind;
    };

    [[nodiscard]] std::vector<Condition> conditions(std::int64_t tenant, int shelf,
                                                    const ActionFilter& filter,
                                                    const IdRange& range);
    // Asks for the columns on each shelf; `visit` binds what the ending has, and reads.
    template <typename Visit>
    void each_shelf(const std::string& tenant, const ActionFilter& filter,
                    const IdsBetween& between, const std::string& columns,
                    const std::string& ending, Visit&& visit);
    [[nodiscard]] Statement& statement(const std::string& sql);

    Connection& connection_;
    NameTable& names_;
    std::unordered_map<std::string, Statement> statements_;  // by their text
};

}  // namespace semel::sqlite
