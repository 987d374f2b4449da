// SqliteReads: reads on connections and threads of their own, which never hold up the writer.
#pragma once

#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "store/sqlite/read_session.hpp"
#include "store/store.hpp"
#include "store/task_queue.hpp"

namespace semel::sqlite {

class SqliteReads final : public Reads {
public:
    [[nodiscard]] static Result<std::unique_ptr<SqliteReads>> open(
        const ConnectionOptions& options);
    // Answers what is waiting, then ends.
    ~SqliteReads() override;
    SqliteReads(const SqliteReads&) = delete;
    SqliteReads& operator=(const SqliteReads&) = delete;

    void get_action(std::string tenant, JobId id, Done<std::optional<ActionDetails>> done) override;
    void list_actions(std::string tenant, ActionFilter filter, std::optional<JobId> before,
                      int limit, Done<std::vector<ActionView>> done) override;
    void list_decisions(std::string tenant, std::optional<std::int64_t> before, int limit,
                        Done<std::vector<LoggedDecision>> done) override;
    void walk_actions(std::string tenant, ActionFilter filter, std::optional<JobId> after,
                      JobId before, int limit, Done<std::vector<JobId>> done) override;
    void count_actions(std::string tenant, ActionFilter filter, Done<std::int64_t> done) override;
    void get_schedule(ScheduleKey key, Done<std::optional<ScheduleView>> done) override;
    void list_schedules(std::string tenant, std::optional<Uuid> before, int limit,
                        Done<std::vector<ScheduleView>> done) override;
    void get_bulk_run(std::string tenant, Uuid id, Done<std::optional<BulkRun>> done) override;
    void list_open_bulk_runs(Done<std::vector<BulkRun>> done) override;
    void list_api_tokens(Done<std::vector<ApiToken>> done) override;
    void count_jobs(Done<std::vector<JobCount>> done) override;

private:
    SqliteReads();
    void start_reader(ReadSession session);
    template <typename T, typename Read>
    void ask(const Done<T>& done, const Read& read);

    // One queue for all: whoever is free takes the next one, so that a long list holds up nothing
    // but itself.
    TaskQueue<std::function<void(ReadSession&)>> queue_;
    std::vector<std::thread> threads_;
};

}  // namespace semel::sqlite
