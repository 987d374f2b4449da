// ReadStatements: what the lists and look-ups of Reads are in SQL.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "store/sqlite/sqlite_rows.hpp"
#include "store/sqlite/statement.hpp"
#include "store/store.hpp"

namespace semel::sqlite {

// A read that fails answers less; the connection keeps the failure, and whoever asked checks it.
class ReadStatements {
public:
    explicit ReadStatements(Connection& connection);

    [[nodiscard]] std::optional<ActionDetails> get_action(const std::string& tenant,
                                                          const JobId& id);
    [[nodiscard]] std::vector<ActionView> list_actions(const std::string& tenant,
                                                       const ActionFilter& filter,
                                                       const std::optional<JobId>& before,
                                                       int limit);
    [[nodiscard]] std::vector<LoggedDecision> list_decisions(const std::string& tenant,
                                                             std::optional<std::int64_t> before,
                                                             int limit);
    [[nodiscard]] std::vector<ApiToken> list_api_tokens();
    [[nodiscard]] std::vector<JobCount> count_jobs();

private:
    struct IdRange;
    [[nodiscard]] std::vector<JobId> list_ids(std::int64_t tenant, int shelf,
                                              const ActionFilter& filter, const IdRange& range,
                                              int limit);
    [[nodiscard]] std::optional<ActionView> view(const JobId& id);
    [[nodiscard]] std::vector<Attempt> history(const JobId& id);
    [[nodiscard]] Statement& list_statement(const std::string& sql);

    Connection& connection_;
    NameTable names_;
    SqliteRows rows_;
    Statement history_;
    Statement decisions_;
    Statement api_tokens_;
    Statement counts_;
    std::unordered_map<std::string, Statement> lists_;  // by their text: one per set of filters
};

}  // namespace semel::sqlite
