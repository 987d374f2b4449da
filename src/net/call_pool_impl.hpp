// CallPool::Impl: the connections, idle links and waiting acquisitions of a CallPool. A *seat* is a
// connection that counts against the limit of its origin. Only CallPool and PooledCall use it.
//
// Threads: the io thread, except stats(), which any thread may call.
#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <vector>

#include "net/call_pool.hpp"
#include "net/deadline_sweep.hpp"
#include "net/dialer.hpp"
#include "net/io_thread.hpp"
#include "net/link.hpp"

namespace semel::net {

class PooledCall;

class CallPool::Impl : public std::enable_shared_from_this<Impl> {
public:
    Impl(IoThread& thread, DialOptions options);

    void acquire(const Origin& origin, Clock::time_point deadline, OnReserved on_reserved,
                 Want want);
    [[nodiscard]] std::optional<Reserved> try_reserve(const Origin& origin);
    void stop();
    [[nodiscard]] Stats stats() const;

    [[nodiscard]] bool is_stopped() const { return is_stopped_; }

    // Returns the time until which an idle link may carry a call to the origin.
    [[nodiscard]] static Clock::time_point good_until(const Origin& origin, const Link& link);
    // Ends a seat. Its link goes back to the pool if it is open and usable.
    void release(const Origin& origin, std::shared_ptr<Link> link);
    // Dials a new connection for a seat that is counted already.
    std::shared_ptr<Dial> dial(const Origin& origin, Clock::time_point by, Dialer::Done done);
    [[nodiscard]] const std::shared_ptr<DeadlineSweep>& sweep() const { return sweep_; }

    // Holds a call until it has ended, so that stop() can end it.
    void add(std::shared_ptr<PooledCall> call) { calls_.insert(std::move(call)); }
    void remove(const std::shared_ptr<PooledCall>& call) { calls_.erase(call); }

private:
    class Waiter;
    class IdleLink;

    struct Site {
        std::size_t open = 0;                         // idle, set aside, in a call, being dialled
        std::vector<std::shared_ptr<IdleLink>> idle;  // the last used at the back
        std::deque<std::shared_ptr<Waiter>> waiting;
    };
    struct ByIdentity {
        bool operator()(const Origin& a, const Origin& b) const {
            return std::tie(a.tls, a.host, a.port, a.trust) <
                   std::tie(b.tls, b.host, b.port, b.trust);
        }
    };

    [[nodiscard]] Reserved reserve(const Origin& origin, std::shared_ptr<Link> link,
                                   bool is_reused);
    // Returns a usable link, or nullptr. Closes the idle links that are not.
    [[nodiscard]] std::shared_ptr<Link> take_idle(const Origin& origin);
    // Adds an open link to the idle ones.
    void keep(const Origin& origin, const std::shared_ptr<Link>& link);
    void drop_idle(const std::shared_ptr<IdleLink>& idle);
    void drop_seat(const Origin& origin);
    // Gives connections to the acquisitions that wait, in their order.
    void serve(const Origin& origin);
    [[nodiscard]] bool make_room(const Waiter& waiter);
    void dial_for(const std::shared_ptr<Waiter>& waiter);
    void give_up(const std::shared_ptr<Waiter>& waiter);

    IoThread& thread_;
    std::shared_ptr<DeadlineSweep> sweep_;
    std::shared_ptr<DeadlineSweep> idle_sweep_;
    Dialer dialer_;
    std::map<Origin, Site, ByIdentity> sites_;  // with a connection or an acquisition each
    std::set<std::shared_ptr<Waiter>> dialling_;
    std::set<std::shared_ptr<PooledCall>> calls_;
    bool is_stopped_ = false;

    std::atomic<std::uint64_t> dialled_{0};
    std::atomic<std::uint64_t> reused_{0};
    std::atomic<std::uint64_t> open_{0};
    std::atomic<std::uint64_t> idle_{0};
    std::atomic<std::uint64_t> waiting_{0};
};

// A connection that counts against the limit of its origin, held by a Reserved or a PooledCall.
struct Reserved::Seat {
    Seat(std::weak_ptr<CallPool::Impl> the_pool, Origin the_origin, std::shared_ptr<Link> the_link,
         bool is_it_reused)
        : pool(std::move(the_pool)),
          origin(std::move(the_origin)),
          link(std::move(the_link)),
          is_reused(is_it_reused) {}
    ~Seat();
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;

    std::weak_ptr<CallPool::Impl> pool;
    Origin origin;
    std::shared_ptr<Link> link;  // null while another is dialled
    bool is_reused;
};

}  // namespace semel::net
