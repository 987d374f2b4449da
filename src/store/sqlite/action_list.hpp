// ActionList: finds the ids of actions or chains that match a filter, in order. It prepares one
// statement per combination of filters.
//
// Errors are kept by the connection: check Connection::outcome().
// Threads: the connection's thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/actions/action_filter.hpp"
#include "store/sqlite/name_table.hpp"
#include "store/sqlite/statement.hpp"

namespace semel::sqlite {

enum class IdOrder { oldest_first, newest_first };

// Exclusive bounds of ids.
struct IdsBetween {
    std::optional<JobId> after = {};
    std::optional<JobId> before = {};
};

// Lists actions or chains. Chains are found by their first jobs. A filter for blocked, pending or
// running chains returns all of these: the caller must check the status of each chain's last job.
enum class Listed { actions, chains };

class ActionList {
public:
    ActionList(Connection& connection, NameTable& names, Listed listed)
        : connection_(connection), names_(names), listed_(listed) {}

    // Returns at most `limit` ids.
    [[nodiscard]] std::vector<JobId> ids(const std::string& tenant, const ActionFilter& filter,
                                         const IdsBetween& between, IdOrder order, int limit);
    [[nodiscard]] MatchedActions count(const std::string& tenant, const ActionFilter& filter);

private:
    struct IdRange;
    struct Condition {
        std::string sql;
        std::function<void(Cursor&)> bind;
    };

    [[nodiscard]] std::vector<Condition> in_bucket(std::int64_t tenant, int bucket,
                                                   const ActionFilter& filter, const IdRange& page,
                                                   const IdRange& dated);
    [[nodiscard]] std::vector<Condition> chosen(std::int64_t tenant, const ActionFilter& filter,
                                                const IdRange& page, const IdRange& dated);
    void add_filters(const ActionFilter& filter, std::vector<Condition>& all);
    // Queries each bucket for the columns. `visit` binds the parameters of the ending, and reads.
    template <typename Visit>
    void each_bucket(const std::string& tenant, const ActionFilter& filter,
                     const IdsBetween& between, const std::string& columns,
                     const std::string& ending, Visit&& visit);
    [[nodiscard]] Statement& statement(const std::string& sql);

    Connection& connection_;
    NameTable& names_;
    const Listed listed_;
    std::unordered_map<std::string, Statement> statements_;  // by their SQL
};

}  // namespace semel::sqlite
