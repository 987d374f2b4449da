// PassRun: one request of the gateway under its claims, from its admission to its answer. The
// claims are a key, a content guard, or both.
//
//   admit ─► duplicate, in flight, refused ─► answer
//     │
//     └─► new ─► reserve a connection ─► commit the dispatch ─► send ─► commit the end ─► answer
//
// The client gets the upstream's answer after the commit of its seal. A request that can have been
// sent is never sent again. If its answer does not arrive whole, its claims become uncertain.
//
// PassRun uses no sockets, so that a simulator can run it.
//
// Errors: the client gets an error answer.
// Threads: the engine's executor.
// Lifetime: pending steps hold it. The node outlives it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/node.hpp"
#include "gateway/forwarded_headers.hpp"
#include "gateway/pass_upstream.hpp"
#include "gateway/route_table.hpp"
#include "net/http.hpp"
#include "net/server.hpp"

namespace semel::gateway {

// A checked request that claims something.
struct PassOrder {
    AdmitPass admission;
    std::shared_ptr<const RouteTable> routes;  // owns `route`
    const Route* route = nullptr;
    // The headers for the upstream, once the claim is known.
    std::function<std::vector<net::Header>(const PassHeaders&)> headers;
    // The headers without claims. Empty: the request is never sent without them.
    std::function<std::vector<net::Header>()> open_headers = {};
    std::shared_ptr<void> held = {};  // the body's part of the BodyBudget
};

class PassRun : public std::enable_shared_from_this<PassRun> {
public:
    PassRun(Node& node, PassOrder order, std::shared_ptr<PassUpstream> upstream,
            net::Responder respond);

    // `effect` is a new id.
    void start(const Uuid& effect);
    // The client has left. A request that waits for another one ends; one that is being sent goes
    // on, because the effect happens anyway.
    void on_client_gone();

private:
    using Final = std::function<net::Response()>;

    void admitted(const Result<Item<PassAnswer>>& answered);
    void refuse(const Problem& problem);
    // Answers a repeat under a key.
    void replay(const Claim& key);
    // Answers a request that met an equal one under the guard.
    void meet_guard(const PassAnswer& answer);
    // Answers a request whose patience is over.
    void wait_no_longer(const PassAnswer& answer);
    // Answers without the stored answer, which does not exist yet or is not for this caller.
    void give_up(const PassAnswer& answer);
    // Answers with a stored answer: `render` gets it with its body, unless that was not kept.
    using Render = std::function<net::Response(const KeptAnswer&, const std::string& body)>;
    void read_answer(const Claim& claim, Render render);
    void own(const PassAnswer& answer);
    void lost(PassLoss loss);
    void reserved(const Result<void>& result);
    void dispatched(const Result<Reply<DispatchPass>>& reply);
    void answered(std::variant<UpstreamAnswer, UpstreamFailure> result);
    void accept(UpstreamAnswer answer);
    void fail(const UpstreamFailure& failure);
    // Ends the pass, then answers: with `final`, unless the end could not be stored.
    void settle(PassEnding ending, Final final);
    void release(Final final);
    // Whether the route forwards without claims while the store is unavailable.
    [[nodiscard]] bool fails_open(const Error& error) const;
    void forward_without_claims();

    // The claim that names the request: its key, or without one its guard.
    [[nodiscard]] const Claim& leading() const { return key_ ? *key_ : *guard_; }
    [[nodiscard]] std::string claim_hex() const { return leading().id.to_hex(); }
    [[nodiscard]] PassHeaders headers() const;
    [[nodiscard]] PassEnding ending_of(const UpstreamAnswer& answer) const;
    [[nodiscard]] KeptAnswer kept(const UpstreamAnswer& answer,
                                  const std::vector<net::Header>& headers) const;

    Node& node_;
    PassOrder order_;
    std::shared_ptr<PassUpstream> upstream_;
    net::Responder respond_;
    PassWaits::WaitId wait_ = 0;
    bool is_client_gone_ = false;
    // Once they are owned. Absent: not asked for.
    std::shared_ptr<const Claim> key_;
    std::shared_ptr<const Claim> guard_;
    PassHolds::HoldId hold_ = 0;
    bool is_sent_ = false;
    std::optional<PassLoss> loss_;
    PassUpstream::Clock::time_point dispatch_asked_;
};

}  // namespace semel::gateway
