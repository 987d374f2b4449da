// WakeChannel: how nodes hear that another has left something to do. It is a hint, and may be lost;
// looking every so often is what they rely on.
#pragma once

#include <functional>
#include <map>

#include "sim/context.hpp"

namespace semel::sim {

class WakeChannel {
public:
    explicit WakeChannel(Context& context) : context_(context) {}

    // Null: no more.
    void watch(ProcessId process, std::function<void()> look) {
        if (look) {
            looks_[process] = std::move(look);
            look_later(process);
        } else {
            looks_.erase(process);
        }
    }

    void watch_ends(ProcessId process, std::function<void()> look) {
        if (look) {
            looks_at_ends_[process] = std::move(look);
        } else {
            looks_at_ends_.erase(process);
        }
    }

    // A commit of this process has ended a chain. It always arrives, at once: that it may be lost
    // is in what nodes do every few seconds.
    void tell_ends(ProcessId from) {
        for (const auto& [to, look] : looks_at_ends_) {
            if (to == from) continue;
            context_.world.after(to, Millis(1), [this, to = to] {
                const auto waiting = looks_at_ends_.find(to);
                if (waiting != looks_at_ends_.end()) waiting->second();
            });
        }
    }

    // A commit of this process has made work.
    void tell(ProcessId from) {
        for (const auto& [to, look] : looks_) {
            if (to == from || context_.strikes(Fault::reply_lost)) continue;
            context_.world.after(to, context_.delay(context_.plan.network_delay),
                                 [this, to = to] { wake(to); });
        }
    }

private:
    static constexpr Millis kLookEvery = Millis(500);

    void look_later(ProcessId process) {
        context_.world.after(process, kLookEvery, [this, process] {
            if (looks_.contains(process)) {
                look_later(process);
                wake(process);
            }
        });
    }

    void wake(ProcessId process) {
        const auto look = looks_.find(process);
        if (look != looks_.end()) look->second();
    }

    Context& context_;
    std::map<ProcessId, std::function<void()>> looks_;
    std::map<ProcessId, std::function<void()>> looks_at_ends_;
};

}  // namespace semel::sim
