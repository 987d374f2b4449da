// MemoryStore: a serial store in memory, for tests and the simulator.
#pragma once

#include <functional>
#include <memory>

#include "store/memory/memory_tables.hpp"
#include "store/store.hpp"

namespace semel {

class MemoryStore final : public Store, private Reads {
public:
    // `clock` is store time; it must never go back.
    explicit MemoryStore(std::function<Time()> clock) : clock_(std::move(clock)) {}

    [[nodiscard]] std::unique_ptr<Committer> open_committer(Post post) override;
    [[nodiscard]] Reads& reads() override { return *this; }
    [[nodiscard]] Time now() const override { return clock_(); }
    [[nodiscard]] Millis clock_offset() const override { return Millis(0); }
    [[nodiscard]] StoreInfo info() const override;

    [[nodiscard]] const MemoryTables& tables() const { return tables_; }

private:
    class MemoryCommitter;

    void get_action(std::string tenant, JobId id, Done<std::optional<ActionDetails>> done) override;
    void list_actions(std::string tenant, ActionFilter filter, std::optional<JobId> before,
                      int limit, Done<std::vector<ActionView>> done) override;
    void list_decisions(std::string tenant, std::optional<std::int64_t> before, int limit,
                        Done<std::vector<LoggedDecision>> done) override;
    void list_api_tokens(Done<std::vector<ApiToken>> done) override;
    void count_jobs(Done<std::vector<JobCount>> done) override;

    [[nodiscard]] ActionView view(const Job& job) const;

    std::function<Time()> clock_;
    MemoryTables tables_;
};

}  // namespace semel
