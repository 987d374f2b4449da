// Repeater: submits a command again while the store fails. For commands whose repeat has the same
// answer.
//
// Errors: those of the last try. `commit_unknown` if any try ended so: the command may have been
// committed. `stopped`: the ledger is closed.
// Threads: the engine's executor, for calls and callbacks.
// Lifetime: `env` and `ledger` outlive it. After the destructor no callback runs.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/env.hpp"
#include "engine/ledger.hpp"

namespace semel {

// The patience for the last call of an owner: long enough for a restart or a failover of the
// database. The owner's client waits that long.
inline constexpr Millis kInsistFor = std::chrono::seconds(30);

template <typename Command>
class Repeater {
public:
    using Callback = std::function<void(Result<Reply<Command>>)>;

    Repeater(Env& env, Ledger& ledger) : env_(env), ledger_(ledger) {}
    ~Repeater() {
        *is_alive_ = false;
        for (auto& [id, call] : calls_) {
            if (call.timer) env_.cancel(*call.timer);
        }
    }
    Repeater(const Repeater&) = delete;
    Repeater& operator=(const Repeater&) = delete;

    // Submits the command, and again after each failure. Begins no further try after `patience`.
    void submit(Command command, Millis patience, Callback done) {
        const std::uint64_t id = ++last_id_;
        calls_.emplace(id, Call{.command = std::move(command),
                                .done = std::move(done),
                                .give_up_at = env_.monotonic() + patience});
        send(id);
    }

    // Ends the repeats: running tries are the last ones, and calls between two tries end with their
    // error.
    void hurry() {
        is_hurried_ = true;
        std::vector<std::uint64_t> waiting;
        for (const auto& [id, call] : calls_) {
            if (call.timer) waiting.push_back(id);
        }
        for (const std::uint64_t id : waiting) finish(id, *calls_.at(id).failure);
    }

    // Returns true if every call has been answered, or is being answered now.
    [[nodiscard]] bool empty() const { return calls_.empty(); }

private:
    static constexpr Millis kFirstPause = Millis(100);  // then twice as long each time
    static constexpr Millis kPauseMax = std::chrono::seconds(2);

    struct Call {
        Command command;
        Callback done;
        std::chrono::nanoseconds give_up_at{0};
        Millis pause = kFirstPause;
        std::optional<Env::TimerId> timer = {};  // between two tries
        std::optional<Error> failure = {};       // of the tries so far
    };

    void send(std::uint64_t id) {
        Call& call = calls_.at(id);
        call.timer.reset();
        ledger_.submit(std::make_unique<CommandTask<Command>>(
            call.command, [this, is_alive = is_alive_, id](Result<Reply<Command>> reply) {
                if (*is_alive) {
                    answered(id, std::move(reply));
                }
            }));
    }

    void answered(std::uint64_t id, Result<Reply<Command>> reply) {
        if (reply) {
            finish(id, std::move(reply));
            return;
        }
        Call& call = calls_.at(id);
        const bool is_unknown = call.failure && call.failure->code() == ErrorCode::commit_unknown;
        if (!is_unknown) {
            call.failure = reply.error();
        }
        const bool is_closed = reply.error().code() == ErrorCode::stopped;
        if (is_closed || is_hurried_ || env_.monotonic() >= call.give_up_at) {
            finish(id, *call.failure);
            return;
        }
        call.timer = env_.after(call.pause, [this, id] { send(id); });
        call.pause = std::min(call.pause * 2, kPauseMax);
    }

    void finish(std::uint64_t id, Result<Reply<Command>> reply) {
        auto call = calls_.extract(id);
        if (call.mapped().timer) {
            env_.cancel(*call.mapped().timer);
        }
        call.mapped().done(std::move(reply));
    }

    Env& env_;
    Ledger& ledger_;
    bool is_hurried_ = false;
    std::uint64_t last_id_ = 0;
    std::map<std::uint64_t, Call> calls_;
    std::shared_ptr<bool> is_alive_ = std::make_shared<bool>(true);
};

}  // namespace semel
