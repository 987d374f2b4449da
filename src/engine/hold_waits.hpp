// HoldWaits: requests for claims that another request can hold. A request that meets a holder is
// parked until the hold ends or its lease ends. The holder's last commit wakes it. Another node can
// make that commit. So a query for all parked requests polls the store: 50 ms after a hint, and
// every 2 s.
//
//   ask the ledger ──► answer
//     ▲        │
//     │ woken  ▼ in_flight, and the request's wait is not over
//     └─────parked ───► answered by the row of the commit that ended the hold
//
// Errors: `stopped` if the request was cancelled, or the node stops. The caller owns nothing then.
// Otherwise the store's.
// Threads: the engine's executor. A callback may claim and cancel.
// Lifetime: all arguments of the constructor outlive it. After the destructor no callback runs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "base/assert.hpp"
#include "core/fences/fence.hpp"
#include "engine/hinted_polls.hpp"
#include "engine/ledger.hpp"
#include "engine/on_executor.hpp"
#include "engine/waiters.hpp"

namespace semel {

// Command: ClaimFence or AdmitPass.
template <typename Command>
class HoldWaits {
public:
    using Outcome = typename Command::Outcome;
    using Answer = std::variant_alternative_t<0, Outcome>;
    using Callback = std::function<void(Result<Outcome>)>;
    using WaitId = std::uint64_t;

    struct Rules {
        // Ends the claims of a request that was answered `new` after its caller had cancelled.
        std::function<void(const Command&, const Answer&)> let_go;
        // True: a request that is answered `new` while the node stops is passed to its caller.
        // False: its claims are ended.
        bool owns_at_stop = true;
        // Answers a parked request by the row that ended the hold, or returns nullopt if the ledger
        // must decide. Null: the ledger decides always.
        std::function<std::optional<Answer>(const Command&, const std::shared_ptr<const Claim>&)>
            replay = nullptr;
        // How long a request is sent to the ledger again after an error of the store. Above 0 its
        // command must be repeatable.
        Millis tries_for{0};
        // Called before the answer `commit_unknown`: the last try failed, and an earlier one can
        // have been committed.
        std::function<void(const Command&)> abandon = nullptr;
    };

    HoldWaits(Env& env, Store& store, Ledger& ledger, Rules rules)
        : env_(env),
          store_(store),
          ledger_(ledger),
          rules_(std::move(rules)),
          claims_(env, store,
                  {.poll =
                       [this](const typename Claims::Ids& ids) {
                           for (const WaitId id : ids) ask(id);
                       },
                   .too_late = [this](WaitId id) { slept(id); },
                   .ended = Error(ErrorCode::stopped, "the claim was ended")}),
          polls_(env, store, [this] { poll_all(); }) {}
    ~HoldWaits() { *is_alive_ = false; }
    HoldWaits(const HoldWaits&) = delete;
    HoldWaits& operator=(const HoldWaits&) = delete;

    // Waits as long as the request says, then answers `in_flight`. Answers `in_flight` at once if
    // parked requests take 64 MB already.
    WaitId claim(Command command, Callback done) {
        const Time deadline = add_clamped(store_.now(), command.request.wait);
        return claims_.wait({.command = std::move(command), .deadline = deadline}, {},
                            std::move(done));
    }
    // Ends a request whose caller has disconnected or lost its right to claim. If the ledger
    // answers it `new`, its claims are ended.
    void cancel(WaitId id) { claims_.cancel(id); }

    void committed(const Changes& changes) {
        if (!claims_.has_keys()) {
            return;
        }
        for (const auto& change : changes.claims) {
            if (may_end_hold(change)) {
                ended({change.before->tenant, change.before->id}, change.after);
            }
        }
    }
    // Polls soon, after a hint that another node might have ended a hold.
    void poll_soon() {
        polls_.hint();
        if (claims_.has_keys()) {
            polls_.poll_soon();
        }
    }
    // Schedules a poll 2 s after the last one. The node calls this several times per second.
    void poll_again() {
        if (claims_.has_keys()) {
            polls_.poll_again();
        }
    }

    // Answers every parked request. The others are answered when the ledger has decided them.
    void stop() {
        polls_.stop();
        claims_.stop();
    }
    [[nodiscard]] bool empty() const { return claims_.empty(); }

private:
    // The number of claims in one read. Other reads wait for it.
    static constexpr std::size_t kClaimsAtOnce = 1000;
    // The longest timer. Store time can run faster than timers after a step of the wall clock, and
    // a request must not sleep past the end of a lease.
    static constexpr Millis kSleepMax = std::chrono::seconds(10);
    // The memory of all parked requests together. Their contents are the largest part.
    static constexpr std::size_t kParkedBytesMax = std::size_t{64} << 20;
    static constexpr std::size_t kAskBytes = 2048;  // without its content
    static constexpr Millis kTryPause = Millis(100);

    struct Ask {
        Command command;
        Time deadline;
        std::uint64_t hints = 0;            // the value of polls_.hints() when the ledger was asked
        SourceHolder holder = {};           // the owner that a parked request waits for
        std::shared_ptr<void> memory = {};  // its part of parked_bytes_, from its first park on
        // The end of the tries, by the monotonic clock. Present until the store answers.
        std::optional<std::chrono::nanoseconds> tries_until = {};
        bool may_have_landed = false;  // a try since then ended with `commit_unknown`

        [[nodiscard]] Time sleeps_until() const { return std::min(deadline, holder.until); }
    };
    using Claims = Waiters<ClaimRef, Ask, Outcome>;

    // A refused command has the same answer as a refused item.
    static Outcome outcome_of(Reply<Command> reply) {
        if (auto* problem = std::get_if<Problem>(&reply)) {
            return std::move(*problem);
        }
        return std::get<Outcome>(std::move(reply));
    }

    // Marks an answer that the request waited for, if its type has this member.
    static void note_wait(Answer& answer) {
        if constexpr (requires { answer.has_waited; }) {
            answer.has_waited = true;
        }
    }

    // Sends the request to the ledger. When its wait is over, the ledger's answer is final, also if
    // it is `in_flight`.
    void ask(WaitId id) {
        Ask* ask = claims_.find(id);
        if (ask == nullptr) {
            return;
        }
        claims_.set_keys(id, {});
        ask->hints = polls_.hints();
        ask->command.request.wait = std::max(Millis(0), Millis(ask->deadline - store_.now()));
        if (!ask->tries_until) {
            ask->tries_until = env_.monotonic() + rules_.tries_for;
        }
        ledger_.submit(std::make_unique<CommandTask<Command>>(
            ask->command, [this, is_alive = is_alive_, id](auto reply) {
                if (*is_alive) {
                    asked(id, std::move(reply));
                }
            }));
    }

    void asked(WaitId id, Result<Reply<Command>> reply) {
        Ask& ask = *claims_.find(id);
        if (!reply) {
            failed(id, ask, reply.error());
            return;
        }
        ask.tries_until.reset();
        ask.may_have_landed = false;
        Outcome outcome = outcome_of(*std::move(reply));
        auto* answer = std::get_if<Answer>(&outcome);
        if (answer != nullptr && ask.memory != nullptr) {
            note_wait(*answer);
        }
        if (claims_.is_gone(id) || (claims_.is_stopped() && !rules_.owns_at_stop)) {
            if (answer != nullptr && answer->decision == Decision::new_) {
                rules_.let_go(ask.command, *answer);
            }
            claims_.end(id);
            return;
        }
        const bool is_patient = ask.command.request.wait > Millis(0);
        if (answer == nullptr || answer->decision != Decision::in_flight || !is_patient) {
            claims_.answer(id, std::move(outcome));
        } else if (ask.memory == nullptr && parked_bytes_ > kParkedBytesMax) {
            ask.deadline = store_.now();
            this->ask(id);  // the answer to this one is final
        } else {
            SEMEL_ASSERT(answer->holder.has_value());
            park(id, ask, *answer->holder);
        }
    }

    // Tries again after a pause, or answers the error. The request counts as polling during the
    // pause. So if its caller disconnects, claims of an unknown commit are still ended.
    void failed(WaitId id, Ask& ask, const Error& error) {
        ask.may_have_landed = ask.may_have_landed || error.code() == ErrorCode::commit_unknown;
        const bool is_final = error.code() == ErrorCode::stopped;
        if (!is_final && env_.monotonic() < *ask.tries_until) {
            env_.after(kTryPause, [this, is_alive = is_alive_, id] {
                if (*is_alive) {
                    this->ask(id);
                }
            });
            return;
        }
        if (!ask.may_have_landed) {
            claims_.answer(id, error);
            return;
        }
        if (rules_.abandon) {
            rules_.abandon(ask.command);
        }
        claims_.answer(id, Error(ErrorCode::commit_unknown, error.message()));
    }

    void park(WaitId id, Ask& ask, const SourceHolder& holder) {
        if (!claims_.has_keys()) {
            polls_.begin();
        }
        if (ask.hints != polls_.hints()) {
            polls_.poll_soon();  // the ledger might have answered before the end that it hints at
        }
        if (ask.memory == nullptr) {
            ask.memory = take_memory(ask.command);
        }
        ask.holder = holder;
        claims_.set_keys(id, {{ask.command.tenant, holder.claim}});
        sleep(id, ask);
    }

    // Counts the request's memory until the result is destroyed, with the request.
    [[nodiscard]] std::shared_ptr<void> take_memory(const Command& command) {
        const auto& content = command.request.content;
        const std::size_t bytes = kAskBytes + (content ? content->size() : 0);
        parked_bytes_ += bytes;
        return {this, [this, bytes](void*) { parked_bytes_ -= bytes; }};
    }

    void sleep(WaitId id, const Ask& ask) {
        claims_.park(id, std::min(ask.sleeps_until(), store_.now() + kSleepMax));
    }

    void slept(WaitId id) {
        const Ask& ask = *claims_.find(id);
        if (store_.now() < ask.sleeps_until()) {
            sleep(id, ask);
        } else {
            claims_.poll(id);
        }
    }

    // `left`: the row of the claim after the commit that ended the hold.
    void ended(const ClaimRef& claim, const std::optional<Claim>& left) {
        if (rules_.replay && left) {
            replay(claim, *left);
        }
        claims_.wake(claim);
    }

    // Answers parked requests by the row of the commit. Callbacks may cancel other requests, but do
    // not poll parked ones.
    void replay(const ClaimRef& claim, const Claim& left) {
        const auto parked = claims_.parked(claim);
        const auto shared = parked.empty() ? nullptr : std::make_shared<const Claim>(left);
        for (const WaitId id : parked) {
            const Ask* ask = claims_.find(id);
            auto answer = ask != nullptr ? rules_.replay(ask->command, shared) : std::nullopt;
            if (answer) {
                note_wait(*answer);
                claims_.answer(id, Outcome(*std::move(answer)));
            }
        }
    }

    void poll_all() {
        const std::vector<ClaimRef> claims = claims_.keys();
        for (auto left = claims.begin(); left != claims.end();) {
            const auto size = std::min<std::ptrdiff_t>(claims.end() - left, kClaimsAtOnce);
            poll_for({left, left + size});
            left += size;
        }
    }

    // If the store fails, no request is woken: the next query or the deadline does that.
    void poll_for(const std::vector<ClaimRef>& claims) {
        using Holders = std::vector<std::optional<SourceHolder>>;
        store_.reads().get_holds(
            claims,
            on_executor<Holders>(env_, is_alive_, [this, claims](const Result<Holders>& found) {
                for (std::size_t i = 0; found && i < claims.size(); ++i) {
                    polled(claims[i], found->at(i));
                }
            }));
    }

    // Wakes the requests whose holder has ended, even if another one has followed.
    void polled(const ClaimRef& claim, const std::optional<SourceHolder>& found) {
        const bool is_held = found && store_.now() < found->until;
        claims_.wake(claim, [&](const Ask& ask) {
            return !is_held || found->token > ask.holder.token || found->until < ask.holder.until;
        });
    }

    Env& env_;
    Store& store_;
    Ledger& ledger_;
    const Rules rules_;
    std::size_t parked_bytes_ = 0;
    Claims claims_;  // by the claim whose owner they wait for
    HintedPolls polls_;
    std::shared_ptr<bool> is_alive_ = std::make_shared<bool>(true);
};

}  // namespace semel
