// WakeChannel: how nodes hear that another has left something to do. It is a hint, and may be lost;
// polling every so often is what they rely on.
#pragma once

#include <functional>
#include <map>

#include "sim/context.hpp"

namespace semel::sim {

class WakeChannel {
public:
    explicit WakeChannel(Context& context) : context_(context) {}

    // Null: no more.
    void watch(ProcessId process, std::function<void()> poll) {
        if (poll) {
            polls_[process] = std::move(poll);
            poll_later(process);
        } else {
            polls_.erase(process);
        }
    }

    void watch_ends(ProcessId process, std::function<void()> poll) {
        if (poll) {
            polls_ends_[process] = std::move(poll);
        } else {
            polls_ends_.erase(process);
        }
    }

    // A commit of this process has ended a chain. It always arrives, at once: that it may be lost
    // is in what nodes do every few seconds.
    void tell_ends(ProcessId from) {
        for (const auto& [to, poll] : polls_ends_) {
            if (to == from) continue;
            context_.world.after(to, Millis(1), [this, to = to] {
                const auto waiting = polls_ends_.find(to);
                if (waiting != polls_ends_.end()) waiting->second();
            });
        }
    }

    // A commit of this process has made work.
    void tell(ProcessId from) {
        for (const auto& [to, poll] : polls_) {
            if (to == from || context_.strikes(Fault::reply_lost)) continue;
            context_.world.after(to, context_.delay(context_.plan.network_delay),
                                 [this, to = to] { wake(to); });
        }
    }

private:
    static constexpr Millis kPollEvery = Millis(500);

    void poll_later(ProcessId process) {
        context_.world.after(process, kPollEvery, [this, process] {
            if (polls_.contains(process)) {
                poll_later(process);
                wake(process);
            }
        });
    }

    void wake(ProcessId process) {
        const auto poll = polls_.find(process);
        if (poll != polls_.end()) poll->second();
    }

    Context& context_;
    std::map<ProcessId, std::function<void()>> polls_;
    std::map<ProcessId, std::function<void()>> polls_ends_;
};

}  // namespace semel::sim
