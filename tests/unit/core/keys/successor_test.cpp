// What becomes of a payload that arrives when the old one is frozen.
#include <random>

#include "support/tabletop.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::code_of;
using test::ok;
using test::Tabletop;

std::string version(int v, const std::string& more = "") {
    return R"({"type":"a","payload":{"entityId":"e","v":)" + std::to_string(v) + "}" + more + "}";
}

TEST(Successor, WaitsForTheRunningAttemptAndThenRuns) {
    Tabletop t;
    const auto first = t.schedule(version(1));
    const TakenJob running = t.take_one("a");
    const auto second = t.schedule(version(2));
    EXPECT_EQ(second.decision, Decision::new_);
    EXPECT_EQ(second.successor_of, first.action.job.id);
    EXPECT_EQ(second.action.job.place, Place::predecessor);
    EXPECT_TRUE(t.take({"a"}).empty());
    ok(t.complete(running));
    EXPECT_EQ(t.status(first.action.job.id), Status::completed);
    EXPECT_EQ(t.take_one("a").payload, R"({"entityId":"e","v":2})");
}

TEST(Successor, LaterDuplicatesFoldIntoItHoweverLongItWaits) {
    Tabletop t;
    t.schedule(version(1));
    const TakenJob running = t.take_one("a");
    const auto second = t.schedule(version(2));
    t.advance(1h);
    const auto third = t.schedule(version(3));
    EXPECT_EQ(third.decision, Decision::duplicate);
    EXPECT_TRUE(third.replaced);
    EXPECT_EQ(third.action.job.id, second.action.job.id);
    ok(t.complete(running));
    EXPECT_EQ(t.take_one("a").payload, R"({"entityId":"e","v":3})");
    EXPECT_EQ(t.list().size(), 2U);
}

TEST(Successor, ItsWindowEndsOnceItNoLongerWaits) {
    Tabletop t;
    t.schedule(version(1));
    const TakenJob running = t.take_one("a");
    const auto second = t.schedule(version(2));
    t.advance(1h);
    ok(t.complete(running));
    const auto third = t.schedule(version(3));
    EXPECT_EQ(third.decision, Decision::new_);
    EXPECT_FALSE(third.successor_of.has_value());
    EXPECT_EQ(t.status(second.action.job.id), Status::pending);
}

TEST(Successor, SupersedesAPredecessorWhoseAttemptFailed) {
    Tabletop t;
    const auto first = t.schedule(version(1));
    const TakenJob running = t.take_one("a");
    const auto second = t.schedule(version(2));
    EXPECT_EQ(ok(t.fail(running)).status, Status::superseded);
    const Job old = t.job(first.action.job.id);
    EXPECT_EQ(old.status, Status::superseded);
    EXPECT_EQ(old.superseded_by, second.action.job.id);
    EXPECT_EQ(t.take_one("a").job.id, second.action.job.id);
    t.advance(1h);
    t.promote();
    EXPECT_TRUE(t.take({"a"}, 5).empty()) << "the old one is not run again";
}

TEST(Successor, SupersedesAtOnceWhereNoAttemptRuns) {
    Tabletop t;
    const auto first = t.schedule(version(1));
    ok(t.fail(t.take_one("a")));  // waits for its backoff now
    const auto second = t.schedule(version(2));
    EXPECT_EQ(second.decision, Decision::new_);
    EXPECT_EQ(second.successor_of, first.action.job.id);
    EXPECT_EQ(t.status(first.action.job.id), Status::superseded);
    EXPECT_EQ(t.take_one("a").job.id, second.action.job.id);
}

TEST(Successor, SupersedesAReleasedOrLostPredecessor) {
    for (const bool lost : {false, true}) {
        Tabletop t;
        const auto first = t.schedule(version(1));
        const TakenJob running = t.take_one("a");
        t.schedule(version(2));
        if (lost) {
            t.advance(15s);
            EXPECT_EQ(t.rescue().count, 1);
        } else {
            ok(t.release(running));
        }
        EXPECT_EQ(t.status(first.action.job.id), Status::superseded);
        EXPECT_EQ(t.take_one("a").payload, R"({"entityId":"e","v":2})");
    }
}

TEST(Successor, ACancelledPredecessorStaysCancelled) {
    Tabletop t;
    const auto first = t.schedule(version(1));
    t.take_one("a");
    t.schedule(version(2));
    t.operate(Operation::cancel, first.action.job.id);
    EXPECT_EQ(t.status(first.action.job.id), Status::cancelled);
    EXPECT_EQ(t.take_one("a").payload, R"({"entityId":"e","v":2})");
}

TEST(Successor, ACancelledSuccessorSupersedesNobodyAndGivesTheKeyBack) {
    Tabletop t;
    const auto first = t.schedule(version(1));
    const TakenJob running = t.take_one("a");
    const auto second = t.schedule(version(2));
    t.operate(Operation::cancel, second.action.job.id);
    const auto third = t.schedule(version(3));
    EXPECT_EQ(third.successor_of, first.action.job.id);
    t.operate(Operation::cancel, third.action.job.id);
    EXPECT_EQ(ok(t.fail(running)).status, Status::pending) << "nobody supersedes it";
}

TEST(Successor, ACancelledOneGivesTheKeyBackAlsoAfterItsPredecessorHasEnded) {
    Tabletop t;
    const auto first = t.schedule(version(1, R"(,"maxRetries":1)"));
    const TakenJob running = t.take_one("a");
    const auto second = t.schedule(version(2, R"(,"delayMs":60000)"));
    EXPECT_EQ(ok(t.fail(running)).status, Status::superseded);
    t.operate(Operation::cancel, second.action.job.id);
    EXPECT_FALSE(code_of(t.operate(Operation::retry, first.action.job.id)).has_value())
        << "nobody newer has the key";
}

TEST(Successor, ACancelledOneGivesTheKeyBackWithTheWindowItHad) {
    Tabletop t;
    const std::string debounced =
        R"({"type":"a","payload":{"entityId":"e"},)"
        R"("deduplication":{"windowSeconds":10,"onDuplicate":"debounce"}})";
    const auto first = t.schedule(debounced);
    t.advance(8s);
    t.schedule(debounced);  // the window starts anew
    t.advance(10s);
    t.promote();
    t.take_one("a");
    const auto met = t.schedule(version(2, R"(,"deduplication":{"windowSeconds":15})"));
    ASSERT_EQ(met.successor_of, first.action.job.id);
    t.operate(Operation::cancel, met.action.job.id);
    EXPECT_EQ(t.schedule(version(3, R"(,"deduplication":{"windowSeconds":15})")).successor_of,
              first.action.job.id)
        << "10 s since it started anew, 18 s since the action was made";
}

TEST(Successor, ACancelledOneThatIsRetriedHasItsKeyAgain) {
    Tabletop t;
    t.schedule(version(1));
    const TakenJob running = t.take_one("a");
    const auto second = t.schedule(version(2, R"(,"delayMs":60000)"));
    ok(t.complete(running));
    t.operate(Operation::cancel, second.action.job.id);
    EXPECT_FALSE(code_of(t.operate(Operation::retry, second.action.job.id)).has_value());
    const auto third = t.schedule(version(3));
    EXPECT_EQ(third.action.job.id, second.action.job.id);
    EXPECT_TRUE(third.replaced);
}

TEST(Successor, RunNowDoesNotSkipThePredecessor) {
    Tabletop t;
    t.schedule(version(1));
    const TakenJob running = t.take_one("a");
    const auto second = t.schedule(version(2, R"(,"delayMs":60000)"));
    EXPECT_FALSE(code_of(t.operate(Operation::run_now, second.action.job.id)).has_value());
    EXPECT_TRUE(t.take({"a"}).empty());
    ok(t.complete(running));
    EXPECT_EQ(t.take({"a"}).size(), 1U);
}

TEST(Successor, HasItsOwnOptionsAndLockGroup) {
    Tabletop t;
    t.schedule(version(1, R"(,"lockGroup":"g")"));
    const TakenJob running = t.take_one("a");
    const auto other = t.schedule(R"({"type":"a","lockGroup":"g","payload":"other"})");
    const auto second = t.schedule(version(2, R"(,"lockGroup":"g","priority":9)"));
    EXPECT_EQ(second.action.job.place, Place::predecessor) << "outside every line";
    ok(t.complete(running));
    EXPECT_EQ(t.take_one("a").job.id, other.action.job.id);
    EXPECT_EQ(t.job(second.action.job.id).place, Place::waiting);
    EXPECT_EQ(t.job(second.action.job.id).priority, 9);
}

// Contract section 9, number 10: a payload that arrived as the worker started was acknowledged and
// never delivered, and an old retry delivered last. In every interleaving of requests, takes, ends
// and lost leases, the last acknowledged payload is executed, and executed last.
TEST(SeedDefects, N10_APayloadRacingTheTakeIsDeliveredAndLast) {
    // Nothing here fails for good: at most 4 leases in a row are lost.
    static const std::string kPatient =
        R"(,"maxRetries":100,"backoff":{"kind":"fixed","delayMs":10})";
    std::mt19937 random(10);
    for (int round = 0; round < 10'000; ++round) {
        Tabletop t;
        t.settings.window = 24h;
        int acknowledged = 0;
        std::string last_executed;
        std::optional<TakenJob> running;
        int lost = 0;
        const auto step = [&](unsigned choice) {
            if (choice < 4) {
                t.schedule(version(++acknowledged, kPatient));
            } else if (!running) {
                auto jobs = t.take({"a"});
                if (!jobs.empty()) running = jobs.front();
            } else if (choice < 7) {
                last_executed = running->payload;
                ok(t.complete(*running));
                running.reset();
            } else if (choice < 8) {
                ok(t.fail(*running));
                running.reset();
            } else if (choice < 9 || ++lost > 4) {
                ok(t.release(*running));
                running.reset();
            } else {
                t.advance(15s);
                t.rescue();
                running.reset();
            }
            t.advance(11ms);
            t.promote();
        };
        t.schedule(version(++acknowledged, kPatient));
        for (int i = 0; i < 12; ++i) step(static_cast<unsigned>(random() % 10));
        for (int i = 0; i < 20; ++i) step(5);  // drain
        ASSERT_EQ(last_executed, R"({"entityId":"e","v":)" + std::to_string(acknowledged) + "}")
            << "round " << round;
    }
}

}  // namespace
}  // namespace semel
