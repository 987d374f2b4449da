// Waiters: callers that wait until there is an answer for them, each with a time limit. ChainWaits,
// HoldWaits and Dispatcher are its users.
//
// A waiter is polling or parked. While it polls, its user asks the store or the ledger on its
// behalf, and ends the poll with `park` or `answer`. A parked waiter polls again when one of its
// keys is woken. A wake during a poll makes the waiter poll once more: the poll might have been too
// early. Every waiter is answered exactly once, unless this object is destroyed first.
//
//   wait ──► polling ──► answer
//             │   ▲
//        park ▼   │ wake, poll
//            parked ───► too_late, or answered by cancel and stop
//
// Errors: its user answers them.
// Threads: the engine's executor. A callback may wait, wake, cancel and answer.
// Lifetime: `env` and `store` outlive it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/env.hpp"
#include "store/store.hpp"

namespace semel {

// Key: names the waiters to wake. Ask: the user's data of a waiter. Answer: the waiter's answer.
template <typename Key, typename Ask, typename Answer>
class Waiters {
public:
    using Id = std::uint64_t;
    using Ids = std::vector<Id>;
    using Callback = std::function<void(Result<Answer>)>;

    // The functions that the user supplies.
    struct Rules {
        // Starts a poll for each of these waiters. An answer to one of them may end another one:
        // see `find`.
        std::function<void(const Ids&)> poll;
        // Called when the time limit of a parked waiter has passed. Must answer it, poll for it or
        // park it again.
        std::function<void(Id)> too_late;
        // The answer to a waiter that is cancelled or stopped.
        Result<Answer> ended;
        // True: a polling waiter that is cancelled or stopped is answered at once. False: it is
        // answered when its poll ends, because the poll can take something for it.
        bool can_leave_polls = false;
    };

    Waiters(Env& env, const Store& store, Rules rules)
        : env_(env), store_(store), rules_(std::move(rules)) {}
    ~Waiters() {
        for (auto& [id, waiter] : waiters_) clear_timer(waiter);
    }
    Waiters(const Waiters&) = delete;
    Waiters& operator=(const Waiters&) = delete;

    // Adds a waiter and polls for it. After `stop`, answers at once.
    Id wait(Ask ask, std::vector<Key> keys, Callback done) {
        const Id id = ++last_id_;
        if (is_stopped_) {
            done(rules_.ended);
            return id;
        }
        waiters_.emplace(id, Waiter{.ask = std::move(ask), .done = std::move(done)});
        set_keys(id, std::move(keys));
        poll(id);
        return id;
    }

    // ---- for the user's poll ------------------------------------------------------------------

    // Returns the user's data, or null if the waiter is answered.
    [[nodiscard]] Ask* find(Id id) {
        const auto at = waiters_.find(id);
        return at != waiters_.end() ? &at->second.ask : nullptr;
    }
    // Returns true if the waiter was cancelled while it polled. The user must then undo the poll.
    [[nodiscard]] bool is_gone(Id id) const { return waiters_.at(id).is_gone; }
    void set_keys(Id id, std::vector<Key> keys) {
        Waiter& waiter = waiters_.at(id);
        for (const Key& key : waiter.keys) unlist(key, id);
        for (const Key& key : keys) ids_[key].insert(id);
        waiter.keys = std::move(keys);
    }

    // Ends a poll that found nothing. The waiter sleeps until a wake, or until `until`. It is
    // answered instead if it was cancelled or stopped, and polls again if it was woken meanwhile.
    void park(Id id, Time until) {
        Waiter& waiter = waiters_.at(id);
        waiter.is_polling = false;
        if (waiter.is_gone || is_stopped_) {
            end(id);
        } else if (waiter.is_woken) {
            poll(id);
        } else {
            // At least 1 ms: a limit in the past must not keep the executor busy.
            waiter.timer =
                env_.after(std::max<Millis>(until - store_.now(), Millis(1)), [this, id] {
                    waiters_.at(id).timer.reset();
                    rules_.too_late(id);
                });
        }
    }
    void answer(Id id, Result<Answer> outcome) {
        const Callback done = forget(id);
        done(std::move(outcome));
    }
    void end(Id id) { answer(id, rules_.ended); }
    // Returns the parked waiters for the key, oldest first. Each can be answered.
    [[nodiscard]] Ids parked(const Key& key) const {
        Ids ids;
        const auto listed = ids_.find(key);
        if (listed != ids_.end()) {
            std::copy_if(listed->second.begin(), listed->second.end(), std::back_inserter(ids),
                         [this](Id id) { return !waiters_.at(id).is_polling; });
        }
        return ids;
    }
    // REQUIRES: it is parked.
    void poll(Id id) { poll(Ids{id}); }

    // ---- wakes, for the parked waiters that fulfil the condition, if there is one --------------

    using Condition = std::function<bool(const Ask&)>;

    void wake(const Key& key, const Condition& is_concerned = nullptr) {
        const auto listed = ids_.find(key);
        if (listed != ids_.end()) {
            wake(Ids(listed->second.begin(), listed->second.end()), is_concerned);
        }
    }
    void wake_all(const Condition& is_concerned = nullptr) {
        wake(keys_of(waiters_), is_concerned);
    }
    // Wakes only the waiter that has waited longest.
    void wake_first(const Key& key, const Condition& is_concerned = nullptr) {
        const auto listed = ids_.find(key);
        if (listed == ids_.end()) {
            return;
        }
        for (const Id id : listed->second) {
            if (must_poll(id, is_concerned)) {
                poll(id);
                return;
            }
        }
    }

    // ---- ends ---------------------------------------------------------------------------------

    // Does nothing if the waiter is answered already.
    void cancel(Id id) { leave(id, true); }
    void stop() {
        is_stopped_ = true;
        for (const Id id : keys_of(waiters_)) leave(id, false);
    }

    [[nodiscard]] bool empty() const { return waiters_.empty(); }
    [[nodiscard]] bool is_stopped() const { return is_stopped_; }
    [[nodiscard]] bool has_keys() const { return !ids_.empty(); }
    // Returns each key once.
    [[nodiscard]] std::vector<Key> keys() const { return keys_of(ids_); }

private:
    struct Waiter {
        Ask ask;
        Callback done;
        std::vector<Key> keys = {};
        bool is_polling = false;
        bool is_woken = false;  // while it polls
        bool is_gone = false;   // cancelled while it polls
        std::optional<Env::TimerId> timer = {};
    };

    void poll(const Ids& ids) {
        for (const Id id : ids) {
            Waiter& waiter = waiters_.at(id);
            waiter.is_polling = true;
            waiter.is_woken = false;
            clear_timer(waiter);
        }
        rules_.poll(ids);
    }

    void wake(Ids ids, const Condition& is_concerned) {
        std::erase_if(ids, [&](Id id) { return !must_poll(id, is_concerned); });
        if (!ids.empty()) {
            poll(ids);
        }
    }

    // Returns true if the waiter must poll now. If it polls already, notes that it must poll again.
    [[nodiscard]] bool must_poll(Id id, const Condition& is_concerned) {
        Waiter& waiter = waiters_.at(id);
        waiter.is_woken = waiter.is_polling;
        return !waiter.is_polling && (is_concerned == nullptr || is_concerned(waiter.ask));
    }

    void leave(Id id, bool is_gone) {
        const auto at = waiters_.find(id);
        if (at == waiters_.end()) {
            return;
        }
        if (at->second.is_polling && !rules_.can_leave_polls) {
            at->second.is_gone = at->second.is_gone || is_gone;
        } else {
            end(id);
        }
    }

    [[nodiscard]] Callback forget(Id id) {
        set_keys(id, {});
        auto waiter = waiters_.extract(id);
        clear_timer(waiter.mapped());
        return std::move(waiter.mapped().done);
    }

    void unlist(const Key& key, Id id) {
        const auto listed = ids_.find(key);
        if (listed != ids_.end()) {  // a key can be given twice
            listed->second.erase(id);
            if (listed->second.empty()) {
                ids_.erase(listed);
            }
        }
    }

    void clear_timer(Waiter& waiter) {
        if (waiter.timer) {
            env_.cancel(*std::exchange(waiter.timer, std::nullopt));
        }
    }

    template <typename Map>
    [[nodiscard]] static std::vector<typename Map::key_type> keys_of(const Map& map) {
        std::vector<typename Map::key_type> keys;
        keys.reserve(map.size());
        for (const auto& [key, value] : map) keys.push_back(key);
        return keys;
    }

    Env& env_;
    const Store& store_;
    const Rules rules_;
    bool is_stopped_ = false;
    Id last_id_ = 0;
    std::map<Id, Waiter> waiters_;
    std::map<Key, std::set<Id>> ids_;  // by key, oldest first
};

}  // namespace semel
