// A step of the server's clock is the same step for every node.
#include "store/clocks/shared_time.hpp"

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "store/postgres/agreed_times.hpp"
#include "store/postgres/migrations.hpp"
#include "store/postgres/postgres_store.hpp"
#include "support/postgres_server.hpp"

namespace semel::test {
namespace {

constexpr Time kStart = from_ms(1'800'000'000'000);

using std::chrono::hours;
using std::chrono::seconds;

// The server's clock and the steady one of a machine, moved by hand. Both are read at once.
class Clocks {
public:
    [[nodiscard]] ClockSample sample() const {
        const std::lock_guard lock(mutex_);
        return {server_, steady_};
    }
    void step(Millis by) {
        const std::lock_guard lock(mutex_);
        server_ += by;
    }
    void pass(Millis by) {
        const std::lock_guard lock(mutex_);
        server_ += by;
        steady_ += by;
    }

private:
    mutable std::mutex mutex_;
    Time server_ = kStart;
    std::chrono::nanoseconds steady_ = hours(1);
};

class Node {
public:
    Node(const std::string& url, const Clocks& clocks)
        : store_(open_postgres_store({.url = url, .clock = [&clocks] { return clocks.sample(); }})
                     .value()) {
        store_->watch([this] { ++polls_; });
    }
    ~Node() { store_->watch(nullptr); }
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;

    [[nodiscard]] Store* operator->() { return store_.get(); }

    // Until it has kept its books once more, from beginning to end: they follow each look.
    void wait_for_books() const {
        const int enough = polls_ + 2;
        while (polls_ < enough) std::this_thread::yield();
    }

private:
    std::atomic<int> polls_ = 0;
    std::unique_ptr<Store> store_;
};

class SharedTimeOfNodes : public testing::Test {
protected:
    [[nodiscard]] std::string agreed() const {
        return ask_postgres(url_, "select clock_ahead || ' ' || clock_since from semel.meta");
    }

    const std::string url_ = PostgresServer::shared().make_database();
    Clocks clocks_;
};

TEST_F(SharedTimeOfNodes, ANodeThatStartsAfterAStepAgreesWithOneThatSawIt) {
    Node saw(url_, clocks_);
    clocks_.step(hours(1));
    saw.wait_for_books();
    Node late(url_, clocks_);
    EXPECT_EQ(saw->now(), kStart);
    EXPECT_EQ(late->now(), kStart);
    EXPECT_EQ(saw->clock_offset(), hours(1));
    EXPECT_EQ(late->clock_offset(), hours(1));
    // It is made up for by a twentieth, by both alike.
    clocks_.pass(seconds(100));
    EXPECT_EQ(saw->now(), kStart + seconds(105));
    EXPECT_EQ(late->now(), kStart + seconds(105));
    EXPECT_EQ(late->clock_offset(), hours(1) - seconds(5));
    clocks_.pass(hours(20));
    EXPECT_EQ(saw->clock_offset(), Millis(0));
    EXPECT_EQ(late->clock_offset(), Millis(0));
}

TEST_F(SharedTimeOfNodes, AStepThatAllOfThemSeeIsWrittenDownOnce) {
    Node first(url_, clocks_);
    Node second(url_, clocks_);
    clocks_.step(-hours(25));
    first.wait_for_books();
    const std::string after_first = agreed();
    second.wait_for_books();
    first.wait_for_books();
    EXPECT_EQ(agreed(), after_first);
    EXPECT_EQ(first->clock_offset(), -hours(25));
    clocks_.pass(seconds(100));
    EXPECT_EQ(first->now(), kStart + seconds(95));
    EXPECT_EQ(second->now(), kStart + seconds(95));
}

TEST_F(SharedTimeOfNodes, AStepWhileAnotherIsMadeUpForAddsToIt) {
    Node first(url_, clocks_);
    clocks_.step(hours(1));
    first.wait_for_books();
    clocks_.pass(seconds(100));
    const Time before = first->now();
    clocks_.step(hours(2));
    first.wait_for_books();
    Node late(url_, clocks_);
    EXPECT_EQ(first->now(), before);
    EXPECT_EQ(late->now(), before);
    EXPECT_EQ(late->clock_offset(), hours(3) - seconds(5));
}

TEST_F(SharedTimeOfNodes, WhatIsLessThanASecondIsNoStep) {
    Node node(url_, clocks_);
    clocks_.step(seconds(1));
    node.wait_for_books();
    EXPECT_EQ(agreed(), "0 0");
    EXPECT_EQ(node->clock_offset(), seconds(1));
}

TEST_F(SharedTimeOfNodes, AClockSetBackWhileNoNodeRanIsAStepToo) {
    {
        Node early(url_, clocks_);
        clocks_.pass(seconds(5));
        early.wait_for_books();
    }
    clocks_.step(-hours(1));
    Node first(url_, clocks_);
    Node second(url_, clocks_);
    EXPECT_EQ(first->now(), kStart + seconds(5));
    EXPECT_EQ(second->now(), kStart + seconds(5));
    EXPECT_EQ(second->clock_offset(), -hours(1));
}

TEST_F(SharedTimeOfNodes, WhatWasCommittedSinceTheMarkIsNotInTheFuture) {
    { Node early(url_, clocks_); }
    ask_postgres(url_, "insert into semel.commit_mark values (gen_random_uuid(), " +
                           std::to_string(to_ms(kStart + seconds(4))) + ", " +
                           std::to_string(postgres::kNewestMigration) + ")");
    Node late(url_, clocks_);
    EXPECT_EQ(late->now(), kStart + seconds(4));
}

// A machine that slept sees the server's clock go ahead of its own steady one. The others did not.
TEST_F(SharedTimeOfNodes, ANodeThatStoodStillFollowsTheOthersAndDoesNotHoldThemBack) {
    { const Node makes_the_schema(url_, clocks_); }
    const auto connection = std::move(postgres::Connection::open({.url = url_})).value();
    const auto open = [&connection](const std::function<ClockSample()>& clock) {
        return std::move(postgres::open_shared_time(*connection, clock)).value();
    };
    const auto awake = open([this] { return clocks_.sample(); });
    const auto sleeper = open([this, slept = clocks_.sample().steady] {
        return ClockSample{clocks_.sample().wall, slept};
    });
    postgres::PostgresAgreedTimes agreed_times(*connection);
    clocks_.pass(hours(1));
    awake->agree(agreed_times);
    ask_postgres(url_, "update semel.meta set time_mark = " +
                           std::to_string(to_ms(awake->now() - seconds(1))));
    sleeper->agree(agreed_times);
    EXPECT_EQ(agreed(), "0 0");
    EXPECT_EQ(awake->now(), kStart + hours(1));
    EXPECT_EQ(sleeper->now(), kStart + hours(1));
}

}  // namespace
}  // namespace semel::test
