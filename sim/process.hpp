// Process: one life of the engine, from a start to a crash or a stop. The store outlives it.
#pragma once

#include <map>
#include <utility>

#include "engine/node.hpp"
#include "sim/checker.hpp"
#include "sim/faulty_store.hpp"
#include "sim/users.hpp"

namespace semel::sim {

// The engine's surroundings: virtual time, and handlers that behave as the plan's faults say.
class SimEnv final : public Env, public Observer {
public:
    SimEnv(Context& context, Checker& checker, Users& users, ProcessId process)
        : context_(context), checker_(checker), users_(users), process_(process) {}

    bool post(std::function<void()> run) override;
    TimerId after(Millis delay, std::function<void()> run) override;
    void cancel(TimerId timer) override { context_.world.cancel(timer); }
    std::uint64_t random() override { return context_.world.random().next(); }
    std::chrono::nanoseconds monotonic() override { return context_.world.now(); }
    Observer& observer() override { return *this; }

    void run_handler(const TakenJob& job, std::function<void(HandlerResult)> done) override;
    void stop_handler(const JobId& id, Token token) override;

    void on_decision(const DecisionEntry& entry) override { checker_.observed(entry); }

private:
    struct Handler {
        TakenJob job;
        std::function<void(HandlerResult)> done;
        World::EventId end = 0;
        bool listens = true;
    };
    using AttemptKey = std::pair<JobId, Token>;

    [[nodiscard]] Micros duration_of(const TakenJob& job, Handler& handler);
    void finish(const AttemptKey& key, bool was_stopped);
    void settle(const Handler& handler, const HandlerResult& result, const JobCall& word);
    [[nodiscard]] HandlerResult result_of(const TakenJob& job, bool was_stopped);

    Context& context_;
    Checker& checker_;
    Users& users_;
    ProcessId process_;
    std::map<AttemptKey, Handler> handlers_;
};

class Process {
public:
    Process(Context& context, Checker& checker, const Shared& shared, Users& users,
            ProcessId number, std::function<void()> crash);

    [[nodiscard]] Node& node() { return node_; }
    [[nodiscard]] ProcessId number() const { return number_; }

private:
    ProcessId number_;
    SimEnv env_;
    FaultyStore store_;
    Node node_;
};

}  // namespace semel::sim
