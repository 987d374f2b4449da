// OpenPolls: the requests that wait for a job, a fence or a chain's end. The waits of a caller end
// when its API token is deleted or has expired. Threads: the engine's loop.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <set>

#include "api/auth.hpp"

namespace semel {

struct OpenPoll {
    Caller caller;
    std::function<void()> cancel = {};  // set when the wait begins
    bool is_gone = false;               // the client has disconnected
};

class OpenPolls {
public:
    void add(std::shared_ptr<OpenPoll> poll) { polls_.insert(std::move(poll)); }
    void remove(const std::shared_ptr<OpenPoll>& poll) { polls_.erase(poll); }

    // Cancels each poll for whose caller `may_ask` returns false. REQUIRES: each poll has a
    // `cancel`.
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

// Returns how long a caller can wait: `wanted`, but at most until its API token expires. Pure.
[[nodiscard]] inline Millis patience_of(const Caller& caller, Millis wanted, Time now) {
    return caller.token && caller.token->expires_at
               ? std::min(wanted, *caller.token->expires_at - now)
               : wanted;
}

}  // namespace semel
