// OpenPolls: the claims that wait, so that they end when whoever asked may not ask any more. For
// the engine's loop alone.
#pragma once

#include <functional>
#include <memory>
#include <set>

#include "api/auth.hpp"
#include "engine/node.hpp"

namespace semel {

struct OpenPoll {
    Caller caller;
    Dispatcher::PollerId id = 0;  // once the claim has begun
    bool is_gone = false;         // its caller hung up before that
};

class OpenPolls {
public:
    void add(std::shared_ptr<OpenPoll> poll) { polls_.insert(std::move(poll)); }
    void remove(const std::shared_ptr<OpenPoll>& poll) { polls_.erase(poll); }

    // Cancels those whose caller `may_ask` no longer lets in.
    void end_others(Node& node, const std::function<bool(const Caller&)>& may_ask) {
        const auto polls = polls_;  // a poll that ends removes itself
        for (const auto& poll : polls) {
            if (!may_ask(poll->caller)) {
                node.cancel_claim(poll->id);
            }
        }
    }

private:
    std::set<std::shared_ptr<OpenPoll>> polls_;
};

}  // namespace semel
