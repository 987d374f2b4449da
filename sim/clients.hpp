// Clients: send the plan's requests, again where no answer comes, and tell the checker what they
// heard.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>

#include "sim/checker.hpp"
#include "sim/server.hpp"

namespace semel::sim {

class Clients {
public:
    Clients(Context& context, Checker& checker, Server& server)
        : context_(context), checker_(checker), server_(server) {}

    // Sets every request of the plan on its way, at its time.
    void start();
    [[nodiscard]] bool all_done() const { return open_ == 0; }

private:
    // One request, through all its sends.
    struct Conversation {
        const RequestPlan* request = nullptr;
        int number = 0;
        int sends = 0;
        bool done = false;
        bool lost_a_reply = false;
        std::shared_ptr<Send> first;
        std::optional<ChainOrder> chain;  // once it is known which chains are meant
    };
    using Talk = std::shared_ptr<Conversation>;

    void send(const Talk& talk, bool is_repeat);
    void deliver(const Talk& talk, const std::shared_ptr<Send>& send);
    void schedule(Node& node, const Talk& talk, const std::shared_ptr<Send>& send);
    void operate(Node& node, const Talk& talk, const std::shared_ptr<Send>& send);
    void order(Node& node, const Talk& talk, const std::shared_ptr<Send>& send);
    template <typename Command>
    void submit_order(Node& node, const Talk& talk, const std::shared_ptr<Send>& send,
                      Command command);
    void order_chain(Node& node, const Talk& talk, const std::shared_ptr<Send>& send);
    void start_chains(Node& node, const Talk& talk, const std::shared_ptr<Send>& send);
    void complete_chain(Node& node, const Talk& talk, const std::shared_ptr<Send>& send);
    void cancel_chain(Node& node, const Talk& talk, const std::shared_ptr<Send>& send);
    void remove_chain(Node& node, const Talk& talk, const std::shared_ptr<Send>& send);
    void await_chain(Node& node, const Talk& talk, const std::shared_ptr<Send>& send);
    void start_bulk(Node& node, const Talk& talk, const std::shared_ptr<Send>& send);
    void reply(const Talk& talk, const std::shared_ptr<Send>& send, Result<Rendered> rendered,
               std::shared_ptr<ScheduleActions::Outcome> answers);
    void hear(const Talk& talk, const Send& send, const Result<Rendered>& rendered,
              const ScheduleActions::Outcome* answers);
    void count_receipt(const Conversation& talk, const Rendered& rendered);
    void remember(const std::string& tenant, const JobId& id);
    void learn(const Talk& talk, const ScheduleActions::Outcome& answers);
    void send_again_later(const Talk& talk);
    void finish(Conversation& talk);

    Context& context_;
    Checker& checker_;
    Server& server_;
    std::map<std::string, std::deque<JobId>> seen_;  // by tenant, newest first
    std::deque<RequestPlan> edges_;                  // repeats at the ends of windows
    int numbers_ = 0;
    int open_ = 0;
};

}  // namespace semel::sim
