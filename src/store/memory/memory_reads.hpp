// MemoryReads: implements Reads for the memory store. Each read calls `done` before it returns.
//
// Errors: none. Threads: the engine's executor. Lifetime: `tables` outlives it.
#pragma once

#include "store/memory/memory_tables.hpp"

namespace semel::memory {

class MemoryReads final : public Reads {
public:
    explicit MemoryReads(MemoryTables& tables) : tables_(tables) {}

    void get_action(std::string tenant, JobId id, Done<std::optional<ActionDetails>> done) override;
    void list_actions(std::string tenant, ActionFilter filter, std::optional<JobId> before,
                      int limit, Done<std::vector<ActionView>> done) override;
    void list_decisions(std::string tenant, std::optional<std::int64_t> before, int limit,
                        Done<std::vector<LoggedDecision>> done) override;
    void walk_actions(std::string tenant, ActionFilter filter, std::optional<JobId> after,
                      JobId before, int limit, Done<std::vector<JobId>> done) override;
    void count_actions(std::string tenant, ActionFilter filter, Done<MatchedActions> done) override;
    void get_chain(std::string tenant, JobId id, Done<std::optional<ChainView>> done) override;
    void get_chain_statuses(std::vector<ChainRef> chains,
                            Done<std::vector<std::optional<Status>>> done) override;
    void list_chains(std::string tenant, ChainFilter filter, std::optional<JobId> before, int limit,
                     Done<std::vector<ChainView>> done) override;
    void list_steps(std::string tenant, JobId chain, int from, int limit,
                    Done<std::vector<StepView>> done) override;
    void get_schedule(ScheduleKey key, Done<std::optional<ScheduleView>> done) override;
    void list_schedules(std::string tenant, std::optional<Uuid> before, int limit,
                        Done<std::vector<ScheduleView>> done) override;
    void get_bulk_run(std::string tenant, Uuid id, Done<std::optional<BulkRun>> done) override;
    void list_open_bulk_runs(Done<std::vector<BulkRun>> done) override;
    void get_claim(std::string tenant, ClaimId id, Done<std::optional<Claim>> done) override;
    void get_holds(std::vector<ClaimRef> claims,
                   Done<std::vector<std::optional<SourceHolder>>> done) override;
    void find_claims(std::string tenant, std::optional<std::string> space, std::string key,
                     int limit, Done<std::vector<Claim>> done) override;
    void get_response(Uuid id, Done<std::optional<std::string>> done) override;
    void list_uncertain_claims(UncertainQuery query, Done<std::vector<Claim>> done) override;
    void count_uncertain_claims(Done<std::vector<SpaceCount>> done) override;
    void list_api_tokens(Done<std::vector<ApiToken>> done) override;
    void count_jobs(Done<std::vector<JobCount>> done) override;

private:
    [[nodiscard]] ActionView view(const Job& job);
    [[nodiscard]] std::optional<ChainView> chain_view(const Job& first);
    [[nodiscard]] ScheduleView view(const Schedule& schedule);

    MemoryTables& tables_;
};

}  // namespace semel::memory
