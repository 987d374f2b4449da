// Metrics: what the engine and the HTTP surface tell about themselves, for Prometheus and the log.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/observer.hpp"
#include "store/store.hpp"

namespace semel {

// Decisions are written as JSON lines by the spdlog logger `semel.decisions`: whoever wants them
// elsewhere, or not at all, registers a logger of that name (with the pattern "%v") before this is
// made, or sets its level. Without one they go to standard error.
class Metrics final : public Observer {
public:
    Metrics();
    ~Metrics() override;
    Metrics(const Metrics&) = delete;
    Metrics& operator=(const Metrics&) = delete;

    void on_decision(const DecisionEntry& entry) override;
    void on_replay() override;
    void on_decision_line(const DecisionEntry& entry) override;
    void on_commit(StoreRole store, std::size_t commands, double seconds) override;
    void on_committed(StoreRole store, const Changes& changes) override;
    void on_started(const Job& job, Millis lag) override;
    void on_stale_token() override;
    void on_rescued(int count) override;
    void on_store_error(StoreRole store, const Error& error) override;
    void on_unlogged(std::int64_t decisions) override;

    // The jobs that there are now, of all nodes. Thread-safe.
    void set_job_counts(const std::vector<JobCount>& counts);
    // How many the store has now. Thread-safe.
    void set_store_warnings(std::size_t count);

    // Thread-safe. `route` is a pattern ("/v1/actions/{id}"), never a raw path.
    void on_request(std::string_view route, int status, double seconds);
    // A read of this store was answered: if it was away, it is back. Thread-safe.
    void on_read(StoreRole store);
    // Why the last batch could not be committed in this store; nothing once one could. Thread-safe.
    [[nodiscard]] std::optional<std::string> last_store_error(StoreRole store) const;
    [[nodiscard]] std::string render() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace semel
