// OpenPolls: the claims and the waits for chains that are open, so that they end when whoever asked
// may not ask any more. For the engine's loop alone.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <set>

#include "api/auth.hpp"

namespace semel {

struct OpenPoll {
    Caller caller;
    std::function<void()> cancel = {};  // once it has begun
    bool is_gone = false;               // its caller hung up
};

class OpenPolls {
public:
    void add(std::shared_ptr<OpenPoll> poll) { polls_.insert(std::move(poll)); }
    void remove(const std::shared_ptr<OpenPoll>& poll) { polls_.erase(poll); }

    // Cancels those whose caller `may_ask` no longer lets in.
    void end_others(const std::function<bool(const Caller&)>& may_ask) {
        const auto polls = polls_;  // a poll that ends removes itself
        for (const auto& poll : polls) {
            if (!may_ask(poll->caller)) {
                poll->cancel();
            }
        }
    }

private:
    std::set<std::shared_ptr<OpenPoll>> polls_;
};

// How long somebody may wait: not past the end of its token.
[[nodiscard]] inline Millis patience_of(const Caller& caller, Millis wanted, Time now) {
    return caller.token && caller.token->expires_at
               ? std::min(wanted, *caller.token->expires_at - now)
               : wanted;
}

}  // namespace semel
