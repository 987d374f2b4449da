// ActionList: the ids of the actions or chains that match a filter, in order; one statement per set
// of filters.
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

// Chains are found by their first jobs. Of those that are blocked, pending or running all are found
// where one of these is asked for: which of them a chain is, its last job says.
enum class Listed { actions, chains };

class ActionList {
public:
    ActionList(Connection& connection, NameTable& names, Listed listed)
        : connection_(connection), names_(names), listed_(listed) {}

    [[nodiscard]] std::vector<JobId> ids(const std::string& tenant, const ActionFilter& filter,
                                         const IdsBetween& between, IdOrder order, int limit);
    [[nodiscard]] MatchedActions count(const std::string& tenant, const ActionFilter& filter);

private:
    struct IdRange;
    struct Condition {
        std::string sql;
        std::function<void(Cursor&)> bind;
    };

    [[nodiscard]] std::vector<Condition> on_shelf(std::int64_t tenant, int shelf,
                                                  const ActionFilter& filter, const IdRange& page,
                                                  const IdRange& dated);
    [[nodiscard]] std::vector<Condition> chosen(std::int64_t tenant, const ActionFilter& filter,
                                                const IdRange& page, const IdRange& dated);
    void add_filters(const ActionFilter& filter, std::vector<Condition>& all);
    // Asks for the columns on each shelf; `visit` binds what the ending has, and reads.
    template <typename Visit>
    void each_shelf(const std::string& tenant, const ActionFilter& filter,
                    const IdsBetween& between, const std::string& columns,
                    const std::string& ending, Visit&& visit);
    [[nodiscard]] Statement& statement(const std::string& sql);

    Connection& connection_;
    NameTable& names_;
    const Listed listed_;
    std::unordered_map<std::string, Statement> statements_;  // by their text
};

}  // namespace semel::sqlite
