// Which connection a call gets, and what becomes of it.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unit/net/call_support.hpp"

namespace semel::net {
namespace {

using namespace test;
using std::chrono::milliseconds;

constexpr milliseconds kShort{120};

class CallPoolTest : public testing::Test {
protected:
    RawServer server_;
    Calls calls_;
    std::vector<RawClient> peers_;

    RawClient& accept() { return peers_.emplace_back(server_.accept()); }
    // A call that the server's side `peer` answers.
    void exchange(const std::shared_ptr<Watched>& call, RawClient& peer,
                  const std::string& headers = {}) {
        ASSERT_TRUE(peer.read_head());
        peer.send(answer_of("a", headers));
        ASSERT_EQ(call->wait_result(), CallResult::answered);
        EXPECT_EQ(call->body(), "a");
    }
    // Opens a connection and leaves it idle.
    RawClient& leave_idle(const Origin& origin, const std::string& headers = {}) {
        const auto call = calls_.call(origin, request());
        RawClient& peer = accept();
        exchange(call, peer, headers);
        return peer;
    }
    bool await_idle(std::uint64_t count) {
        return eventually([&] { return calls_.stats().idle == count; });
    }
    bool await_open(std::uint64_t count) {
        return eventually([&] { return calls_.stats().open == count; });
    }
    std::shared_ptr<Acquired> acquire_now(const Origin& origin,
                                          CallPool::Want want = CallPool::Want::any) {
        auto acquired = calls_.acquire(origin, want);
        EXPECT_TRUE(eventually([&] { return acquired->is_done.load(); }));
        return acquired;
    }
    void drop(const std::shared_ptr<Acquired>& acquired) {
        calls_.run([&] { acquired->result.reset(); });
    }
    // Waits for the deadline of an acquisition that cannot succeed.
    void pass(milliseconds time) {
        RawServer busy;
        Origin one = busy.origin();
        one.max_connections = 1;
        const auto holds = acquire_now(one);
        const auto late = calls_.acquire(one, CallPool::Want::any, time);
        EXPECT_TRUE(eventually([&] { return late->is_done.load(); }));
        calls_.run([&] {
            late->result.reset();
            holds->result.reset();
        });
        busy.close();
        EXPECT_TRUE(eventually([&] { return calls_.stats().idle == 0; }));
    }
    bool try_reserve(const Origin& origin) {
        bool is_reserved = false;
        calls_.run([&] { is_reserved = calls_.pool().try_reserve(origin).has_value(); });
        return is_reserved;
    }
};

TEST_F(CallPoolTest, ReusesAConnection) {
    const auto first = calls_.call(server_.origin(), request());
    peers_.reserve(4);
    RawClient& peer = accept();
    exchange(first, peer);
    EXPECT_FALSE(first->wait_end()->is_reused);
    for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(await_idle(1));
        const auto next = calls_.call(server_.origin(), request("POST", "b"));
        ASSERT_TRUE(peer.read_head());
        ASSERT_TRUE(peer.read_bytes(1));
        peer.send(answer_of("a"));
        ASSERT_EQ(next->wait_result(), CallResult::answered);
        EXPECT_TRUE(next->wait_end()->is_reused);
    }
    EXPECT_EQ(calls_.stats().dialled, 1u);
    EXPECT_EQ(calls_.stats().reused, 20u);
}

TEST_F(CallPoolTest, GivesTheLastUsedFirst) {
    peers_.reserve(4);
    const auto older = calls_.call(server_.origin(), request());
    accept();
    const auto newer = calls_.call(server_.origin(), request());
    accept();
    exchange(older, peers_[0]);
    exchange(newer, peers_[1]);
    ASSERT_TRUE(await_idle(2));
    const auto next = calls_.call(server_.origin(), request());
    exchange(next, peers_[1]);
}

TEST_F(CallPoolTest, OriginsShareNothing) {
    leave_idle(server_.origin());
    ASSERT_TRUE(await_idle(1));
    Origin other = server_.origin();
    other.host = "127.0.0.2";
    EXPECT_FALSE(try_reserve(other));
    Origin trusting = server_.origin();
    trusting.trust.verify_peer = false;
    EXPECT_FALSE(try_reserve(trusting));
    Origin limited = server_.origin();
    limited.max_connections = 1;
    EXPECT_TRUE(try_reserve(limited));
}

TEST_F(CallPoolTest, ForgetsAConnectionThatTheServerHasClosed) {
    peers_.reserve(4);
    leave_idle(server_.origin()).close();
    ASSERT_TRUE(await_open(0));
    leave_idle(server_.origin());
    EXPECT_EQ(calls_.stats().dialled, 2u);
}

TEST_F(CallPoolTest, ForgetsAConnectionThatSpeaksUnasked) {
    leave_idle(server_.origin()).send(answer_of("old"));
    ASSERT_TRUE(await_open(0));
    EXPECT_FALSE(try_reserve(server_.origin()));
}

// The io thread is busy, so the watch has not run: only the check can notice.
TEST_F(CallPoolTest, ChecksAConnectionBeforeItIsGiven) {
    for (const bool speaks : {false, true}) {
        RawClient& peer = leave_idle(server_.origin());
        ASSERT_TRUE(await_idle(1));
        calls_.run([&] {
            if (speaks) {
                peer.send("x");
            } else {
                peer.close();
            }
            EXPECT_FALSE(calls_.pool().try_reserve(server_.origin()));
        });
        EXPECT_EQ(calls_.stats().open, 0u);
    }
}

TEST_F(CallPoolTest, ReplacesAConnectionThatDiedBeforeTheFirstByte) {
    for (const bool resets : {false, true}) {
        peers_.clear();
        peers_.reserve(2);
        RawClient& old = leave_idle(server_.origin());
        ASSERT_TRUE(await_idle(1));
        const auto acquired = acquire_now(server_.origin());
        auto call = std::make_shared<Watched>();
        calls_.run([&] {
            ASSERT_TRUE((*acquired->result)->is_reused());
            if (resets) {
                old.reset();
            } else {
                old.close();
            }
            call->call = std::move(**acquired->result).send(request(), call->listener());
        });
        exchange(call, accept());
        EXPECT_FALSE(call->wait_end()->is_reused);
        EXPECT_EQ(calls_.stats().open, 1u);
        peers_.clear();
        ASSERT_TRUE(await_open(0));
    }
}

TEST_F(CallPoolTest, ReplacesAConnectionWhoseFirstWriteFails) {
    peers_.reserve(2);
    leave_idle(server_.origin());
    ASSERT_TRUE(await_idle(1));
    const auto acquired = acquire_now(server_.origin());
    server_.break_writes_of_clients();
    CallRequest sent = request("POST");
    sent.source = std::make_shared<PatternSource>(3, true);
    const auto call = calls_.send(acquired, sent);
    RawClient& fresh = accept();
    ASSERT_TRUE(fresh.read_head());
    EXPECT_EQ(fresh.read_bytes(3), "ppp");
    fresh.send(answer_of(""));
    EXPECT_EQ(call->wait_result(), CallResult::answered);
    EXPECT_FALSE(call->wait_end()->is_reused);
}

TEST_F(CallPoolTest, SaysNotSentIfNoReplacementIsFound) {
    RawClient& old = leave_idle(server_.origin());
    ASSERT_TRUE(await_idle(1));
    const auto acquired = acquire_now(server_.origin());
    server_.close();
    old.close();
    CallRequest sent = request("POST");
    const auto source = std::make_shared<PatternSource>(10, false);
    sent.source = source;
    const auto call = calls_.send(acquired, sent);
    const auto end = call->wait_end();
    ASSERT_TRUE(end);
    EXPECT_EQ(end->what, CallResult::not_sent);
    EXPECT_FALSE(end->first_byte_written);
    EXPECT_EQ(source->given, 0u);
    EXPECT_TRUE(await_open(0));
}

TEST_F(CallPoolTest, DoesNotRepeatWhatMayHaveArrived) {
    peers_.reserve(2);
    RawClient& peer = leave_idle(server_.origin());
    ASSERT_TRUE(await_idle(1));
    const auto call = calls_.call(server_.origin(), request());
    ASSERT_TRUE(peer.read_head());
    peer.reset();
    const auto end = call->wait_end();
    ASSERT_TRUE(end);
    EXPECT_EQ(end->what, CallResult::maybe_sent);
    EXPECT_TRUE(end->is_reused);  // what a caller needs to know to repeat a GET
    EXPECT_EQ(calls_.stats().dialled, 1u);
}

TEST_F(CallPoolTest, GivesAFreshConnectionIfAsked) {
    peers_.reserve(2);
    leave_idle(server_.origin());
    ASSERT_TRUE(await_idle(1));
    Origin one = server_.origin();
    one.max_connections = 1;
    const auto acquired = acquire_now(one, CallPool::Want::fresh);
    ASSERT_TRUE(*acquired->result);
    EXPECT_EQ(peers_[0].read_to_end(), "");  // closed, to stay within the limit
    const auto call = calls_.send(acquired, request());
    exchange(call, accept());
    EXPECT_FALSE(call->wait_end()->is_reused);
}

// --- How long a connection is kept ---

TEST_F(CallPoolTest, ClosesIdleConnectionsAfterTheirLimit) {
    Origin origin = server_.origin();
    origin.idle_max = kShort;
    RawClient& peer = leave_idle(origin);
    const auto idle_since = std::chrono::steady_clock::now();
    EXPECT_EQ(peer.read_to_end(), "");
    EXPECT_GE(std::chrono::steady_clock::now() - idle_since, kShort / 2);
    EXPECT_TRUE(await_open(0));
}

TEST_F(CallPoolTest, AReservationDoesNotMakeAConnectionYounger) {
    Origin origin = server_.origin();
    origin.idle_max = kShort;
    peers_.reserve(4);
    for (const bool sends : {false, true}) {
        leave_idle(origin);
        const auto reserved = acquire_now(origin);
        ASSERT_TRUE((*reserved->result)->is_reused());
        pass(2 * kShort);
        if (sends) {
            const auto call = calls_.send(reserved, request());
            exchange(call, accept());
            EXPECT_FALSE(call->wait_end()->is_reused);
        } else {
            drop(reserved);
            EXPECT_EQ(calls_.stats().open, 0u);
        }
    }
}

TEST_F(CallPoolTest, HeedsTheLimitOfTheOneWhoAsks) {
    leave_idle(server_.origin());
    ASSERT_TRUE(await_idle(1));
    Origin picky = server_.origin();
    picky.idle_max = milliseconds(0);
    EXPECT_FALSE(try_reserve(picky));
}

TEST_F(CallPoolTest, HeedsKeepAlive) {
    for (const char* timeout : {"timeout=0", "timeout=1", "max=5, timeout=1"}) {
        RawClient& peer =
            leave_idle(server_.origin(), "Keep-Alive: " + std::string(timeout) + "\r\n");
        EXPECT_EQ(peer.read_to_end(), "") << timeout;
        ASSERT_TRUE(await_open(0));
    }
    for (const char* timeout : {"timeout=60", "max=5", "timeout=x"}) {
        RawClient& peer =
            leave_idle(server_.origin(), "Keep-Alive: " + std::string(timeout) + "\r\n");
        EXPECT_TRUE(await_idle(1)) << timeout;
        peer.close();
        ASSERT_TRUE(await_open(0));
    }
}

// --- Reservations and the limit ---

TEST_F(CallPoolTest, AReservationThatIsDroppedGoesBack) {
    const auto acquired = acquire_now(server_.origin());
    EXPECT_FALSE(try_reserve(server_.origin()));
    drop(acquired);
    EXPECT_TRUE(try_reserve(server_.origin()));
    EXPECT_TRUE(try_reserve(server_.origin()));
    EXPECT_EQ(calls_.stats().dialled, 1u);
    EXPECT_EQ(calls_.stats().idle, 1u);
}

TEST_F(CallPoolTest, TryReserveDoesNotDial) {
    EXPECT_FALSE(try_reserve(server_.origin()));
    EXPECT_EQ(calls_.stats().dialled, 0u);
}

TEST_F(CallPoolTest, WaitsInOrderAtTheLimit) {
    Origin one = server_.origin();
    one.max_connections = 1;
    const auto first = acquire_now(one);
    const auto second = calls_.acquire(one);
    const auto third = calls_.acquire(one);
    EXPECT_EQ(calls_.stats().waiting, 2u);
    EXPECT_FALSE(try_reserve(one));
    drop(first);
    EXPECT_TRUE(second->is_done);
    EXPECT_FALSE(third->is_done);
    // The connection of the second dies: the third gets another.
    RawClient peer = server_.accept();
    const auto call = calls_.send(second, request());
    ASSERT_TRUE(peer.read_head());
    peer.close();
    EXPECT_EQ(call->wait_result(), CallResult::maybe_sent);
    ASSERT_TRUE(eventually([&] { return third->is_done.load(); }));
    ASSERT_TRUE(*third->result);
    EXPECT_FALSE((*third->result)->is_reused());
    EXPECT_EQ(calls_.stats().open, 1u);
    drop(third);
}

TEST_F(CallPoolTest, AReleasedConnectionGoesToTheWaiterBeforeOneWhoAsksLater) {
    Origin one = server_.origin();
    one.max_connections = 1;
    const auto first = acquire_now(one);
    const auto second = calls_.acquire(one);
    bool is_overtaken = true;
    calls_.run([&] {
        first->result.reset();
        is_overtaken = calls_.pool().try_reserve(one).has_value();
    });
    EXPECT_TRUE(second->is_done);
    EXPECT_FALSE(is_overtaken);
    drop(second);
}

TEST_F(CallPoolTest, WaitingHasADeadline) {
    Origin one = server_.origin();
    one.max_connections = 1;
    const auto first = acquire_now(one);
    const auto late = calls_.acquire(one, CallPool::Want::any, kShort);
    ASSERT_TRUE(eventually([&] { return late->is_done.load(); }));
    ASSERT_FALSE(*late->result);
    EXPECT_EQ(late->result->error().code(), ErrorCode::timeout);
    EXPECT_EQ(calls_.stats().waiting, 0u);
    drop(first);
    EXPECT_TRUE(try_reserve(one));
}

TEST_F(CallPoolTest, ADialThatFailsFreesItsPlace) {
    Origin one = server_.origin();
    one.max_connections = 1;
    server_.close();
    for (int i = 0; i < 3; ++i) {
        const auto acquired = acquire_now(one);
        ASSERT_FALSE(*acquired->result);
        EXPECT_EQ(acquired->result->error().code(), ErrorCode::unavailable);
        EXPECT_NE(acquired->result->error().message().find(std::to_string(one.port)),
                  std::string::npos);
    }
    EXPECT_EQ(calls_.stats().open, 0u);
}

// --- Cancelling and stopping ---

TEST_F(CallPoolTest, ACallIsCancelledWhileItsConnectionIsReplaced) {
    RawClient& old = leave_idle(server_.origin());
    ASSERT_TRUE(await_idle(1));
    const auto acquired = acquire_now(server_.origin());
    auto call = std::make_shared<Watched>();
    calls_.run([&] {
        old.close();
        call->call = std::move(**acquired->result).send(request(), call->listener());
        call->call->cancel();
    });
    const auto end = call->wait_end();
    ASSERT_TRUE(end);
    EXPECT_EQ(end->what, CallResult::cancelled);
    EXPECT_FALSE(end->first_byte_written);
    EXPECT_EQ(calls_.stats().open, 0u);
}

TEST_F(CallPoolTest, StopEndsEverything) {
    Origin two = server_.origin();
    two.max_connections = 2;
    peers_.reserve(4);
    leave_idle(server_.origin());
    ASSERT_TRUE(await_idle(1));
    const auto running = calls_.call(two, request());
    ASSERT_TRUE(peers_[0].read_head());
    const auto reserved = acquire_now(two);
    const auto waiting = calls_.acquire(two);
    std::shared_ptr<Acquired> dialling = std::make_shared<Acquired>();
    RawServer other;
    calls_.run([&] {
        calls_.pool().acquire(other.origin(), CallPool::Clock::now() + kPatience,
                              [&](Result<Reserved> result) {
                                  dialling->result = std::move(result);
                                  dialling->is_done = true;
                              });
        EXPECT_FALSE(dialling->is_done);
        calls_.pool().stop();
        calls_.pool().stop();
    });
    EXPECT_EQ(running->wait_result(), CallResult::cancelled);
    ASSERT_TRUE(waiting->is_done);
    EXPECT_EQ(waiting->result->error().code(), ErrorCode::stopped);
    ASSERT_TRUE(dialling->is_done);
    EXPECT_EQ(dialling->result->error().code(), ErrorCode::stopped);
    EXPECT_EQ(peers_[0].read_to_end(), "");
    // A reservation in somebody's hands cannot go back.
    drop(reserved);
    EXPECT_EQ(accept().read_to_end(), "");
    EXPECT_EQ(calls_.stats().open, 0u);
    const auto late = acquire_now(two);
    EXPECT_EQ(late->result->error().code(), ErrorCode::stopped);
}

TEST_F(CallPoolTest, StopClosesIdleConnections) {
    RawClient& peer = leave_idle(server_.origin());
    ASSERT_TRUE(await_idle(1));
    calls_.run([&] { calls_.pool().stop(); });
    EXPECT_EQ(peer.read_to_end(), "");
    EXPECT_EQ(calls_.stats().open, 0u);
}

TEST_F(CallPoolTest, ACallOfAStoppedPoolIsNotSent) {
    const auto acquired = acquire_now(server_.origin());
    calls_.run([&] { calls_.pool().stop(); });
    const auto call = calls_.send(acquired, request());
    EXPECT_EQ(call->wait_result(), CallResult::not_sent);
}

}  // namespace
}  // namespace semel::net
