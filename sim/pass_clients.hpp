// PassClients: send requests through the gateway, hang up, and send them again. And the operators
// who look after what became uncertain.
#pragma once

#include <memory>

#include "base/uuid.hpp"
#include "gateway/pass_run.hpp"
#include "gateway/route_table.hpp"
#include "sim/pass_checker.hpp"
#include "sim/pass_process.hpp"
#include "sim/upstream.hpp"

namespace semel::sim {

class PassClients {
public:
    PassClients(Context& context, PassChecker& checker, UpstreamModel& upstream,
                PassServer& server);

    // Sets every request and visit of the plan on its way, at its time.
    void start();
    [[nodiscard]] bool all_done() const { return open_ == 0; }

private:
    struct Sender {
        const PassRequestPlan* plan = nullptr;
        int sends = 0;
        int told = 0;  // how many of its sends were answered
        bool done = false;
    };
    using SenderPtr = std::shared_ptr<Sender>;

    void send(const SenderPtr& sender);
    void receive(PassProcess& process, const SenderPtr& sender, bool hangs_up);
    void hang_up_later(PassProcess& process, const SenderPtr& sender, int ask,
                       const std::shared_ptr<gateway::PassRun>& run);
    void hear(const SenderPtr& sender);
    void send_later(const SenderPtr& sender, Micros delay);

    void visit(const PassVisitPlan& visit);
    void resolve(Node& node, const PassVisitPlan& visit, const ClaimId& claim);
    void remove(Node& node, const PassVisitPlan& visit, const ClaimId& claim);

    [[nodiscard]] net::Request request_of(const PassRequestPlan& plan) const;
    [[nodiscard]] AdmitPass admission_of(const PassRequestPlan& plan) const;

    Context& context_;
    PassChecker& checker_;
    UpstreamModel& upstream_;
    PassServer& server_;
    std::shared_ptr<const gateway::RouteTable> routes_;
    const gateway::Route* route_ = nullptr;
    UuidGenerator ids_;
    int open_ = 0;
};

}  // namespace semel::sim
