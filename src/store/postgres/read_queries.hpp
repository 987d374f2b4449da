// ReadQueries: the queries behind Reads, on a connection with an open transaction. The members have
// the names and meanings of Reads (store/store.hpp).
//
// Errors: after the first error all members return empty results. Check outcome() before using any.
// Threads: the connection's thread.
// Lifetime: `connection` outlives the object.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "store/postgres/connection.hpp"
#include "store/store.hpp"

namespace semel::postgres {

class ReadQueries {
public:
    explicit ReadQueries(Connection& connection) : connection_(connection) {}

    // The first error so far.
    [[nodiscard]] Result<void> outcome() const {
        return error_ ? Result<void>(*error_) : Result<void>();
    }

    [[nodiscard]] std::optional<ActionDetails> get_action(const std::string& tenant,
                                                          const JobId& id);
    [[nodiscard]] std::vector<ActionView> list_actions(const std::string& tenant,
                                                       const ActionFilter& filter,
                                                       const std::optional<JobId>& before,
                                                       int limit);
    [[nodiscard]] std::vector<LoggedDecision> list_decisions(
        const std::string& tenant, const std::optional<std::int64_t>& before, int limit);
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
                                                     const std::optional<JobId>& before, int limit);
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
                                                 const std::string& key, int limit);
    [[nodiscard]] std::vector<Claim> list_uncertain_claims(const UncertainQuery& query);
    [[nodiscard]] std::vector<SpaceCount> count_uncertain_claims();
    [[nodiscard]] std::vector<ApiToken> list_api_tokens();
    [[nodiscard]] std::vector<JobCount> count_jobs();

private:
    // Calls `read` for each row of the answer.
    template <typename Read>
    void each_row(const std::string& sql, const Params& params, Read read);
    void add_results(std::vector<ActionView>& views);
    // The blockers of those jobs that have some.
    [[nodiscard]] std::unordered_map<JobId, std::vector<BlockerView>> blockers_of(
        const std::vector<const Job*>& jobs);
    [[nodiscard]] std::vector<ChainView> with_last(std::vector<ActionView> firsts);
    [[nodiscard]] std::vector<ScheduleView> with_current(std::vector<Schedule> schedules);

    Connection& connection_;
    std::optional<Error> error_;
};

template <typename Read>
void ReadQueries::each_row(const std::string& sql, const Params& params, Read read) {
    if (error_) {
        return;
    }
    auto rows = connection_.ask(sql, params);
    if (!rows) {
        error_ = rows.error();
        return;
    }
    while (rows->next_row()) {
        read(*rows);
    }
    if (rows->is_damaged()) {
        error_ = Error(ErrorCode::corrupt, "a row of the schema semel cannot be read");
    }
}

}  // namespace semel::postgres
