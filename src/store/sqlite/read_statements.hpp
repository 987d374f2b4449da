// ReadStatements: the queries behind Reads. The members have the names and meanings of Reads
// (store/store.hpp).
//
// Errors: on failure a read returns fewer rows. The caller must check Connection::outcome().
// Threads: the connection's thread. REQUIRES: a transaction is open, so that a read sees one
// snapshot.
#pragma once

#include <string>
#include <vector>

#include "store/sqlite/action_list.hpp"
#include "store/sqlite/claim_search.hpp"
#include "store/sqlite/sqlite_rows.hpp"
#include "store/sqlite/statement.hpp"
#include "store/store.hpp"

namespace semel::sqlite {

class ReadStatements {
public:
    explicit ReadStatements(Connection& connection);

    [[nodiscard]] std::optional<ActionDetails> get_action(const std::string& tenant,
                                                          const JobId& id);
    [[nodiscard]] std::vector<ActionView> list_actions(const std::string& tenant,
                                                       const ActionFilter& filter,
                                                       const std::optional<JobId>& before,
                                                       int limit);
    [[nodiscard]] std::vector<JobId> walk_actions(const std::string& tenant,
                                                  const ActionFilter& filter,
                                                  const std::optional<JobId>& after,
                                                  const JobId& before, int limit);
    [[nodiscard]] MatchedActions count_actions(const std::string& tenant,
                                               const ActionFilter& filter);
    [[nodiscard]] std::optional<ChainView> get_chain(const std::string& tenant, const JobId& id);
    [[nodiscard]] std::vector<std::optional<Status>> get_chain_statuses(
        const std::vector<ChainRef>& chains);
    [[nodiscard]] std::vector<ChainView> list_chains(const std::string& tenant,
                                                     const ChainFilter& filter,
                                                     std::optional<JobId> before, int limit);
    [[nodiscard]] std::vector<StepView> list_steps(const std::string& tenant, const JobId& chain,
                                                   int from, int limit);
    [[nodiscard]] std::optional<ScheduleView> get_schedule(const ScheduleKey& key);
    [[nodiscard]] std::vector<ScheduleView> list_schedules(const std::string& tenant,
                                                           const std::optional<Uuid>& before,
                                                           int limit);
    [[nodiscard]] std::optional<BulkRun> get_bulk_run(const std::string& tenant, const Uuid& id);
    [[nodiscard]] std::vector<BulkRun> list_open_bulk_runs();
    [[nodiscard]] std::optional<std::string> get_response(const Uuid& id);
    [[nodiscard]] std::optional<Claim> get_claim(const std::string& tenant, const ClaimId& id);
    [[nodiscard]] std::vector<std::optional<SourceHolder>> get_holds(
        const std::vector<ClaimRef>& claims);
    [[nodiscard]] std::vector<Claim> find_claims(const std::string& tenant,
                                                 const std::optional<std::string>& space,
                                                 const std::string& key, int limit) {
        return claims_.named(tenant, space, key, limit);
    }
    [[nodiscard]] std::vector<Claim> list_uncertain_claims(const UncertainQuery& query) {
        return claims_.uncertain(query);
    }
    [[nodiscard]] std::vector<SpaceCount> count_uncertain_claims() {
        return claims_.count_uncertain();
    }
    [[nodiscard]] std::vector<LoggedDecision> list_decisions(const std::string& tenant,
                                                             std::optional<std::int64_t> before,
                                                             int limit);
    [[nodiscard]] std::vector<ApiToken> list_api_tokens();
    [[nodiscard]] std::vector<JobCount> count_jobs();

private:
    [[nodiscard]] std::optional<ActionView> view(const JobId& id);
    // Reads only the rows of a chain's first and last jobs. fill() reads the rest.
    [[nodiscard]] std::optional<ChainView> chain_jobs(const JobId& id);
    [[nodiscard]] std::optional<ChainView> chain_jobs(const std::string& tenant, const JobId& id);
    void fill(ChainView& chain);
    // Returns candidates for the filter, newest first. Fewer than `limit` means that these are all.
    [[nodiscard]] std::vector<JobId> chains_before(const std::string& tenant,
                                                   const ChainFilter& filter,
                                                   const std::optional<JobId>& before, int limit);
    [[nodiscard]] std::vector<JobId> running_chains(const std::string& tenant);
    [[nodiscard]] ScheduleView view(Schedule schedule);
    [[nodiscard]] std::vector<Attempt> history(const JobId& id);
    [[nodiscard]] std::optional<std::int64_t> day_before(std::int64_t day);

    Connection& connection_;
    NameTable names_;
    JobNumbers numbers_;
    SqliteRows rows_;
    ActionList actions_;
    ActionList chains_;
    ClaimSearch claims_;
    Statement running_;
    Statement history_;
    Statement decisions_;
    Statement decision_day_;
    Statement schedules_;
    Statement open_bulk_runs_;
    Statement response_;
    Statement api_tokens_;
    Statement counts_;
};

}  // namespace semel::sqlite
