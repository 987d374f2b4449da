// ReadSession: a connection for reads (see QueuedReads). It is opened at the first read, and again
// after a failure. Errors: see run(). Threads: one at a time.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/redis/connection.hpp"
#include "store/store.hpp"

namespace semel::redis {

// ReadQueries: the queries behind Reads (store/store.hpp). This store has only claims, so reads of
// other rows return nothing. A read of several claims is no snapshot.
//
// Errors: check outcome() before using a result.
class ReadQueries {
public:
    explicit ReadQueries(Connection& connection) : connection_(connection) {}

    [[nodiscard]] std::optional<Claim> get_claim(const std::string& tenant, const ClaimId& id);
    [[nodiscard]] std::vector<std::optional<SourceHolder>> get_holds(
        const std::vector<ClaimRef>& claims);
    [[nodiscard]] std::vector<Claim> find_claims(const std::string& tenant,
                                                 const std::optional<std::string>& space,
                                                 const std::string& key, int limit);

    // The first error, if any.
    [[nodiscard]] const Result<void>& outcome() const { return outcome_; }

    // NOLINTBEGIN(readability-convert-member-functions-to-static): called like the others
    template <typename... Asked>
    std::optional<ActionDetails> get_action(const Asked&...) {
        return {};
    }
    template <typename... Asked>
    std::vector<ActionView> list_actions(const Asked&...) {
        return {};
    }
    template <typename... Asked>
    std::vector<LoggedDecision> list_decisions(const Asked&...) {
        return {};
    }
    template <typename... Asked>
    std::vector<JobId> walk_actions(const Asked&...) {
        return {};
    }
    template <typename... Asked>
    MatchedActions count_actions(const Asked&...) {
        return {};
    }
    template <typename... Asked>
    std::optional<ChainView> get_chain(const Asked&...) {
        return {};
    }
    [[nodiscard]] std::vector<std::optional<Status>> get_chain_statuses(
        const std::vector<ChainRef>& chains) {
        return std::vector<std::optional<Status>>(chains.size());
    }
    template <typename... Asked>
    std::vector<ChainView> list_chains(const Asked&...) {
        return {};
    }
    template <typename... Asked>
    std::vector<StepView> list_steps(const Asked&...) {
        return {};
    }
    template <typename... Asked>
    std::optional<ScheduleView> get_schedule(const Asked&...) {
        return {};
    }
    template <typename... Asked>
    std::vector<ScheduleView> list_schedules(const Asked&...) {
        return {};
    }
    template <typename... Asked>
    std::optional<BulkRun> get_bulk_run(const Asked&...) {
        return {};
    }
    std::vector<BulkRun> list_open_bulk_runs() { return {}; }
    std::optional<std::string> get_response(const Uuid&) { return {}; }
    template <typename... Asked>
    std::vector<Claim> list_uncertain_claims(const Asked&...) {
        return {};
    }
    std::vector<SpaceCount> count_uncertain_claims() { return {}; }
    std::vector<ApiToken> list_api_tokens() { return {}; }
    std::vector<JobCount> count_jobs() { return {}; }
    // NOLINTEND(readability-convert-member-functions-to-static)

private:
    // Adds the matching claims of one page of keys.
    void add_matching(const std::vector<Reply>& keys, const std::string& tenant,
                      const std::optional<std::string>& space, const std::string& key,
                      std::vector<Claim>& claims);
    void fail(const Error& error) { outcome_ = error; }

    Connection& connection_;
    Result<void> outcome_;
};

class ReadSession {
public:
    explicit ReadSession(ConnectionOptions options) : connecting_(std::move(options)) {}

    // Runs `read` with a ReadQueries and returns its result or error. If the connection turns out
    // to be lost, runs it once more on a new one.
    template <typename T, typename Read>
    [[nodiscard]] Result<T> run(const Read& read) {
        SEMEL_TRY(connection, connecting_.get());
        ReadQueries queries(*connection);
        T value = read(queries);
        if (queries.outcome()) {
            return value;
        }
        if (connection->is_alive()) {
            return queries.outcome().error();
        }
        // The connection might have been lost long before this read.
        connecting_.drop();
        SEMEL_TRY(another, connecting_.get());
        ReadQueries again(*another);
        T second = read(again);
        SEMEL_CHECK(again.outcome());
        return second;
    }

private:
    Reconnecting connecting_;
};

}  // namespace semel::redis
