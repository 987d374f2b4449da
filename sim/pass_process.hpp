// PassProcess: one life of a node that serves a gateway. The store outlives it.
#pragma once

#include "engine/node.hpp"
#include "sim/faulty_store.hpp"

namespace semel::sim {

// The engine's surroundings: virtual time. Nothing of the gateway runs handlers.
class PassEnv final : public Env, public Observer {
public:
    PassEnv(World& world, ProcessId process) : world_(world), process_(process) {}

    bool post(std::function<void()> run) override {
        world_.post(process_, std::move(run));
        return true;
    }
    TimerId after(Millis delay, std::function<void()> run) override {
        return world_.after(process_, delay, std::move(run));
    }
    void cancel(TimerId timer) override { world_.cancel(timer); }
    std::uint64_t random() override { return world_.random().next(); }
    std::chrono::nanoseconds monotonic() override { return world_.now(); }
    Observer& observer() override { return *this; }
    void run_handler(const TakenJob&, std::function<void(HandlerResult)>) override {}
    void stop_handler(const JobId&, Token) override {}

private:
    World& world_;
    ProcessId process_;
};

class PassProcess {
public:
    PassProcess(Context& context, StoreWatcher& watcher, const Shared& shared, ProcessId number,
                std::function<void()> crash)
        : number_(number),
          env_(context.world, number),
          store_(context, watcher, shared, number, std::move(crash)),
          node_(env_, store_, options_of(context.plan, number)) {
        node_.start();
    }

    [[nodiscard]] Node& node() { return node_; }
    [[nodiscard]] ProcessId number() const { return number_; }

private:
    [[nodiscard]] static NodeOptions options_of(const Plan& plan, ProcessId number) {
        NodeOptions options;
        options.name = fmt::format("process-{}", number);
        options.settings = plan.settings;
        return options;
    }

    ProcessId number_;
    PassEnv env_;
    FaultyStore store_;
    Node node_;
};

// What clients can reach. Each of its nodes may be down, and may crash while they wait.
class PassServer {
public:
    virtual ~PassServer() = default;

    // One of those that are up; null while none is.
    [[nodiscard]] virtual PassProcess* process() = 0;
};

}  // namespace semel::sim
