// FenceClients: ask for fences, do what they are fences of, and say how it ended: in time, late,
// twice, differently, or not at all. And the operators who look after them.
#pragma once

#include <functional>
#include <memory>

#include "sim/checker.hpp"
#include "sim/server.hpp"

namespace semel::sim {

class FenceClients {
public:
    FenceClients(Context& context, Checker& checker, Server& server)
        : context_(context), checker_(checker), server_(server) {}

    // Sets every claim and visit of the plan on its way, at its time.
    void start();
    [[nodiscard]] bool all_done() const { return open_ == 0; }

private:
    // One who asks, until it is told.
    struct Asker {
        const FenceClaimPlan* plan = nullptr;
        FenceRequest request;
        int asks = 0;
        bool done = false;
    };
    // One who was told `new`.
    struct Owner {
        const FenceClaimPlan* plan = nullptr;
        ClaimId claim;
        Token token = Token::none;
        Time lease_until;
        FenceCall last_word;
        int says = 0;   // so often it has said it
        int heard = 0;  // so often it was answered
        bool done = false;
    };
    struct Visitor {
        const FenceVisitPlan* plan = nullptr;
        ClaimId claim;
        std::string tenant;
        int sends = 0;
        bool done = false;
    };
    using Node = semel::Node;
    using AskerPtr = std::shared_ptr<Asker>;
    using OwnerPtr = std::shared_ptr<Owner>;
    using VisitorPtr = std::shared_ptr<Visitor>;

    // ---- asking
    void ask(const AskerPtr& asker);
    void claim(Process& process, const AskerPtr& asker);
    void hang_up_later(Process& process, const AskerPtr& asker, int number,
                       FenceWaits::WaitId wait);
    void hear(const AskerPtr& asker, const Item<FenceAnswer>& told);
    void ask_later(const AskerPtr& asker, Micros delay);

    // ---- owning
    void own(const FenceClaimPlan& plan, const Claim& claim);
    void beat(const OwnerPtr& owner);
    void say(const OwnerPtr& owner);
    void heard(const OwnerPtr& owner, const Reply<CallFence>& reply);
    [[nodiscard]] FenceCall word_of(const Owner& owner) const;
    [[nodiscard]] FenceCall other_word(const Owner& owner) const;
    void call(const std::string& tenant, const FenceCall& call,
              const std::function<void(const Reply<CallFence>&)>& heard);

    // ---- operators
    void visit(const VisitorPtr& visitor);
    void resolve(Node& node, const VisitorPtr& visitor);
    void remove(Node& node, const VisitorPtr& visitor);
    void get(Node& node, const VisitorPtr& visitor);

    // At one of the nodes, when the message has arrived; nowhere if none is up.
    void deliver(std::function<void(Process&)> run);
    template <typename Command>
    void submit(Node& node, const Command& command,
                const std::function<void(const Reply<Command>&)>& heard);
    void finish(bool& done);

    Context& context_;
    Checker& checker_;
    Server& server_;
    int open_ = 0;
};

}  // namespace semel::sim
