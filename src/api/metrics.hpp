// Metrics: counts the events of the engine and the HTTP API, renders them for Prometheus, and
// writes the log lines of decisions and store errors. Errors: none. Threads and the logger: see the
// class.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/observer.hpp"
#include "store/store.hpp"

namespace semel {

// Decisions are JSON lines of the spdlog logger `semel.decisions`, on standard error by default. To
// send them elsewhere, register a logger of that name, with the pattern "%v", before a Metrics is
// made. To drop them, set the level of that logger.
//
// Threads: the engine's loop calls the overrides of Observer, except on_replay() and
// on_guard_skipped(), which any thread calls. All other functions are thread-safe. The destructor
// writes the last lines.
class Metrics final : public Observer {
public:
    Metrics();
    ~Metrics() override;
    Metrics(const Metrics&) = delete;
    Metrics& operator=(const Metrics&) = delete;

    void on_decision(const DecisionEntry& entry) override;
    void on_replay() override;
    void on_decision_line(const DecisionEntry& entry) override;
    void on_guard_answer(const GuardAnswer& answer) override;
    void on_guard_skipped(std::string_view route) override;
    void on_open(std::string_view route) override;
    void on_commit(StoreRole store, std::size_t commands, double seconds) override;
    void on_committed(StoreRole store, const Changes& changes) override;
    void on_started(const Job& job, Millis lag) override;
    void on_stale_token() override;
    void on_rescued(int count) override;
    void on_store_error(StoreRole store, const Error& error) override;
    void on_unlogged(std::int64_t decisions) override;

    // Replaces the gauges of jobs by these counts, which are those of all nodes.
    void set_job_counts(const std::vector<JobCount>& counts);
    // Replaces the gauges of uncertain claims by these counts, which are those of all nodes.
    void set_uncertain_counts(const std::vector<SpaceCount>& counts);
    // Sets the gauge of the warnings that /readyz shows now.
    void set_store_warnings(std::size_t count);

    // Counts an answered request. `route` is a pattern ("/v1/actions/{id}"), never a raw path:
    // clients must not be able to add labels.
    void on_request(std::string_view route, int status, double seconds);
    // Call it after a successful read of this store. If last_store_error() says that the store is
    // unavailable, that error ends.
    void on_read(StoreRole store);
    // Returns the error of the last batch that this store did not commit, except damaged rows.
    // Returns nullopt after a commit, or 30 s after a `busy` or `commit_unknown`.
    [[nodiscard]] std::optional<std::string> last_store_error(StoreRole store) const;
    // Returns all metrics in Prometheus' text format.
    [[nodiscard]] std::string render() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace semel
