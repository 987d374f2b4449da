// QueuedReads: runs a store's reads on threads, one per session. A long read occupies one session,
// and the other reads continue.
//
// Errors: `overloaded` if 2,000 reads are waiting. Then `done` runs before the call returns.
// Threads: any. Otherwise `done` runs on a session's thread.
// Lifetime: the destructor answers the waiting reads, then ends the threads.
#pragma once

#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "store/store.hpp"
#include "store/threads/task_queue.hpp"

namespace semel {

// A Session has `run<T>(read)`. It calls `read` with an object that has the methods of Reads, all
// on one snapshot, and returns the result or an error. One thread uses a session.
template <typename Session>
class QueuedReads final : public Reads {
public:
    explicit QueuedReads(std::vector<Session> sessions) : queue_(kWaitingMax) {
        for (Session& session : sessions) {
            threads_.emplace_back([this, session = std::move(session)]() mutable {
                while (const auto read = queue_.take()) {
                    (*read)(session);
                }
            });
        }
    }
    // Answers the waiting reads, then ends.
    ~QueuedReads() override {
        queue_.close();
        for (std::thread& thread : threads_) {
            thread.join();
        }
    }
    QueuedReads(const QueuedReads&) = delete;
    QueuedReads& operator=(const QueuedReads&) = delete;

    void get_action(std::string tenant, JobId id,
                    Done<std::optional<ActionDetails>> done) override {
        ask<std::optional<ActionDetails>>(done, [tenant = std::move(tenant), id](auto& queries) {
            return queries.get_action(tenant, id);
        });
    }

    void list_actions(std::string tenant, ActionFilter filter, std::optional<JobId> before,
                      int limit, Done<std::vector<ActionView>> done) override {
        ask<std::vector<ActionView>>(done, [tenant = std::move(tenant), filter = std::move(filter),
                                            before, limit](auto& queries) {
            return queries.list_actions(tenant, filter, before, limit);
        });
    }

    void list_decisions(std::string tenant, std::optional<std::int64_t> before, int limit,
                        Done<std::vector<LoggedDecision>> done) override {
        ask<std::vector<LoggedDecision>>(
            done, [tenant = std::move(tenant), before, limit](auto& queries) {
                return queries.list_decisions(tenant, before, limit);
            });
    }

    void walk_actions(std::string tenant, ActionFilter filter, std::optional<JobId> after,
                      JobId before, int limit, Done<std::vector<JobId>> done) override {
        ask<std::vector<JobId>>(done, [tenant = std::move(tenant), filter = std::move(filter),
                                       after, before, limit](auto& queries) {
            return queries.walk_actions(tenant, filter, after, before, limit);
        });
    }

    void count_actions(std::string tenant, ActionFilter filter,
                       Done<MatchedActions> done) override {
        ask<MatchedActions>(
            done, [tenant = std::move(tenant), filter = std::move(filter)](auto& queries) {
                return queries.count_actions(tenant, filter);
            });
    }

    void get_chain(std::string tenant, JobId id, Done<std::optional<ChainView>> done) override {
        ask<std::optional<ChainView>>(done, [tenant = std::move(tenant), id](auto& queries) {
            return queries.get_chain(tenant, id);
        });
    }

    void get_chain_statuses(std::vector<ChainRef> chains,
                            Done<std::vector<std::optional<Status>>> done) override {
        ask<std::vector<std::optional<Status>>>(done, [chains = std::move(chains)](auto& queries) {
            return queries.get_chain_statuses(chains);
        });
    }

    void list_chains(std::string tenant, ChainFilter filter, std::optional<JobId> before, int limit,
                     Done<std::vector<ChainView>> done) override {
        ask<std::vector<ChainView>>(done, [tenant = std::move(tenant), filter = std::move(filter),
                                           before, limit](auto& queries) {
            return queries.list_chains(tenant, filter, before, limit);
        });
    }

    void list_steps(std::string tenant, JobId chain, int from, int limit,
                    Done<std::vector<StepView>> done) override {
        ask<std::vector<StepView>>(done,
                                   [tenant = std::move(tenant), chain, from, limit](auto& queries) {
                                       return queries.list_steps(tenant, chain, from, limit);
                                   });
    }

    void get_schedule(ScheduleKey key, Done<std::optional<ScheduleView>> done) override {
        ask<std::optional<ScheduleView>>(
            done, [key = std::move(key)](auto& queries) { return queries.get_schedule(key); });
    }

    void list_schedules(std::string tenant, std::optional<Uuid> before, int limit,
                        Done<std::vector<ScheduleView>> done) override {
        ask<std::vector<ScheduleView>>(done,
                                       [tenant = std::move(tenant), before, limit](auto& queries) {
                                           return queries.list_schedules(tenant, before, limit);
                                       });
    }

    void get_bulk_run(std::string tenant, Uuid id, Done<std::optional<BulkRun>> done) override {
        ask<std::optional<BulkRun>>(done, [tenant = std::move(tenant), id](auto& queries) {
            return queries.get_bulk_run(tenant, id);
        });
    }

    void list_open_bulk_runs(Done<std::vector<BulkRun>> done) override {
        ask<std::vector<BulkRun>>(done,
                                  [](auto& queries) { return queries.list_open_bulk_runs(); });
    }

    void get_claim(std::string tenant, ClaimId id, Done<std::optional<Claim>> done) override {
        ask<std::optional<Claim>>(done, [tenant = std::move(tenant), id](auto& queries) {
            return queries.get_claim(tenant, id);
        });
    }

    void get_holds(std::vector<ClaimRef> claims,
                   Done<std::vector<std::optional<SourceHolder>>> done) override {
        ask<std::vector<std::optional<SourceHolder>>>(
            done,
            [claims = std::move(claims)](auto& queries) { return queries.get_holds(claims); });
    }

    void get_response(Uuid id, Done<std::optional<std::string>> done) override {
        ask<std::optional<std::string>>(done,
                                        [id](auto& queries) { return queries.get_response(id); });
    }

    void find_claims(std::string tenant, std::optional<std::string> space, std::string key,
                     int limit, Done<std::vector<Claim>> done) override {
        ask<std::vector<Claim>>(done, [tenant = std::move(tenant), space = std::move(space),
                                       key = std::move(key), limit](auto& queries) {
            return queries.find_claims(tenant, space, key, limit);
        });
    }

    void list_uncertain_claims(UncertainQuery query, Done<std::vector<Claim>> done) override {
        ask<std::vector<Claim>>(done, [query = std::move(query)](auto& queries) {
            return queries.list_uncertain_claims(query);
        });
    }

    void count_uncertain_claims(Done<std::vector<SpaceCount>> done) override {
        ask<std::vector<SpaceCount>>(
            done, [](auto& queries) { return queries.count_uncertain_claims(); });
    }

    void list_api_tokens(Done<std::vector<ApiToken>> done) override {
        ask<std::vector<ApiToken>>(done, [](auto& queries) { return queries.list_api_tokens(); });
    }

    void count_jobs(Done<std::vector<JobCount>> done) override {
        ask<std::vector<JobCount>>(done, [](auto& queries) { return queries.count_jobs(); });
    }

private:
    static constexpr std::size_t kWaitingMax = 2000;  // further reads are answered `overloaded`

    template <typename T, typename Read>
    void ask(const Done<T>& done, const Read& read) {
        const bool posted =
            queue_.post([done, read](Session& session) { done(session.template run<T>(read)); });
        if (!posted) {
            done(Error(ErrorCode::overloaded, "too many reads are waiting; try again"));
        }
    }

    TaskQueue<std::function<void(Session&)>> queue_;
    std::vector<std::thread> threads_;
};

}  // namespace semel
