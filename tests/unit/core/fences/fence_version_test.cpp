// Versions of a source: no effect of a lower one after that of a higher.
#include <algorithm>
#include <map>
#include <tuple>

#include "support/fence_table.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::code_of;
using test::done;
using test::FenceTable;

std::string versioned(int version, const std::string& id = "doc", const std::string& more = "") {
    return R"({"parts":{"sourceType":"cms","sourceId":")" + id + R"(","revision":)" +
           std::to_string(version) + R"(},"version":)" + std::to_string(version) + more + "}";
}

TEST(FenceVersion, LowerThanTheHighestSealedIsStaleAndEqualIsNot) {
    FenceTable t;
    done(t.seal(t.own(versioned(5))));
    const FenceAnswer lower = t.claim(versioned(4));
    EXPECT_EQ(lower.decision, Decision::stale);
    EXPECT_EQ(lower.last_version, 5);
    EXPECT_EQ(lower.claim, nullptr);
    const std::string same =
        R"({"parts":{"sourceType":"cms","sourceId":"doc","revision":"other"},"version":5})";
    done(t.seal(t.own(same)));
    done(t.seal(t.own(versioned(6))));
    EXPECT_EQ(t.claim(same).decision, Decision::duplicate);  // its own claim is judged first
    EXPECT_EQ(t.claim(versioned(5)).decision, Decision::duplicate);
    EXPECT_EQ(t.claim(versioned(3)).last_version, 6);
}

// An uncertain version holds its source to the end of its lease, and may be resolved at any time.
TEST(FenceVersion, IsNotSealedAfterAnOperatorSealedAHigherOne) {
    FenceTable t;
    const Claim second = t.own(versioned(2));
    done(t.mark_uncertain(second));
    t.advance(60s);
    const Claim first = t.own(versioned(1));
    done(t.heartbeat(first));
    done(t.resolve(second, ClaimOutcome::sealed, "e2"));
    EXPECT_EQ(code_of(t.heartbeat(first)), ProblemCode::stale_token);
    EXPECT_EQ(code_of(t.seal(first)), ProblemCode::stale_token);
    EXPECT_EQ(t.row(first.id)->state, ClaimState::owned);
    done(t.release(first));
    EXPECT_EQ(t.claim(versioned(1)).last_version, 2);
    // One that is not lower goes on.
    const Claim fourth = t.own(versioned(4));
    done(t.mark_uncertain(fourth));
    t.advance(60s);
    const Claim fifth = t.own(versioned(5));
    done(t.resolve(fourth, ClaimOutcome::sealed, "e4"));
    done(t.seal(fifth));
}

TEST(FenceVersion, IsPerTenantAndSource) {
    FenceTable t;
    done(t.seal(t.own(versioned(5))));
    t.own(versioned(4, "another"));
    EXPECT_EQ(t.claim(versioned(4), "other").decision, Decision::new_);
    EXPECT_EQ(t.decision(R"({"parts":{"sourceType":"shop","sourceId":"doc"},"version":4})"),
              Decision::new_);
}

TEST(FenceVersion, OneVersionHoldsItsSourceWhileItsOwnerWorks) {
    FenceTable t;
    const Claim five = t.own(versioned(5));
    const FenceAnswer six = t.claim(versioned(6));
    EXPECT_EQ(six.decision, Decision::in_flight);
    EXPECT_EQ(six.retry_after, 1s);
    EXPECT_EQ(t.decision(versioned(4)), Decision::in_flight);
    t.advance(59s);
    done(t.heartbeat(five));
    t.advance(59s);
    EXPECT_EQ(t.decision(versioned(6)), Decision::in_flight);
    done(t.release(five));
    t.own(versioned(6));
}

TEST(FenceVersion, ASealThatLostItsSourceIsRefused) {
    FenceTable t;
    const Claim five = t.own(versioned(5));
    t.advance(60s);
    const Claim six = t.own(versioned(6));
    EXPECT_EQ(code_of(t.seal(five)), ProblemCode::stale_token);
    EXPECT_EQ(code_of(t.heartbeat(five)), ProblemCode::stale_token);
    done(t.release(six));
    EXPECT_EQ(code_of(t.seal(five)), ProblemCode::stale_token);  // somebody was at it since
    done(t.release(five));
    done(t.seal(t.own(versioned(5))));
}

TEST(FenceVersion, ALateSealIsAcceptedWhileNobodyHeldTheSourceSince) {
    FenceTable t;
    const Claim five = t.own(versioned(5));
    t.advance(2h);
    done(t.seal(five));
    EXPECT_EQ(t.decision(versioned(4)), Decision::stale);
}

TEST(FenceVersion, ATakeoverOfAnOldVersionIsStale) {
    FenceTable t;
    const Claim four = t.own(versioned(4));
    t.advance(60s);
    done(t.seal(t.own(versioned(5))));
    EXPECT_EQ(t.decision(versioned(4)), Decision::stale);
    EXPECT_EQ(code_of(t.seal(four)), ProblemCode::stale_token);
}

TEST(FenceVersion, ADeletedAndAResolvedClaimLetTheSourceGo) {
    FenceTable t;
    const Claim five = t.own(versioned(5));
    done(t.delete_claim(five.id));
    const Claim six = t.own(versioned(6));
    done(t.mark_uncertain(six));
    EXPECT_EQ(t.decision(versioned(7)), Decision::in_flight);
    done(t.resolve(six, ClaimOutcome::released));
    const Claim seven = t.own(versioned(7));
    done(t.mark_uncertain(seven));
    done(t.resolve(seven, ClaimOutcome::sealed, "e"));
    EXPECT_EQ(t.claim(versioned(6)).last_version, 7);
}

TEST(FenceVersion, WhatAnOperatorSaysOfAnOldVersionLowersNothing) {
    FenceTable t;
    const Claim five = t.own(versioned(5));
    done(t.mark_uncertain(five));
    t.advance(60s);
    done(t.seal(t.own(versioned(9))));
    done(t.resolve(five, ClaimOutcome::sealed, "e"));
    EXPECT_EQ(t.claim(versioned(8)).last_version, 9);
}

TEST(FenceVersion, IsRememberedLongerThanItsKey) {
    FenceTable t;
    done(t.seal(t.own(versioned(5))));
    t.advance(48h + 399 * 24h);
    t.prune_claims();
    EXPECT_EQ(t.prune_sources().count, 0);
    EXPECT_EQ(t.decision(versioned(4)), Decision::stale);
    t.advance(24h);
    EXPECT_EQ(t.decision(versioned(4)), Decision::new_);  // judged by now, not by a sweeper
    EXPECT_EQ(t.prune_sources().count, 0);                // it is held again
}

TEST(FenceVersion, ASourceOfWhichNothingIsKnownGoes) {
    FenceTable t;
    t.own(versioned(5));
    t.advance(400 * 24h);
    EXPECT_EQ(t.prune_sources().count, 1);
    EXPECT_EQ(t.prune_sources().count, 0);
}

// Versions of some sources, shuffled, with repeats, late owners and crashes.
class Shuffle {
public:
    explicit Shuffle(unsigned seed) : random_(seed) {}

    void run() {
        // Neighbours overtake each other; all of them at once would soon be stale.
        std::vector<std::tuple<int, std::string, int>> work;
        for (const char* id : {"a", "b", "c"}) {
            for (int version = 1; version <= 30; ++version) {
                for (int i = 0; i < 3; ++i) work.emplace_back(version + below(8), id, version);
            }
        }
        std::shuffle(work.begin(), work.end(), random_);
        std::stable_sort(work.begin(), work.end(), [](const auto& one, const auto& other) {
            return std::get<0>(one) < std::get<0>(other);
        });
        for (const auto& [turn, id, version] : work) {
            ask(id, version);
            table_.advance(Millis(below(20'000)));
            if (below(5) == 0) settle_one();
        }
        while (!open_.empty()) settle_one();
        EXPECT_EQ(highest_.size(), 3U);
    }

    int stale() const { return stale_; }
    int late() const { return late_; }

private:
    struct Open {
        Claim claim;
        std::string source;
        int version;
    };

    int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

    void ask(const std::string& id, int version) {
        const FenceAnswer answer = table_.claim(versioned(version, id));
        if (answer.decision == Decision::new_) {
            EXPECT_GE(version, highest_[id]);
            if (below(4) == 0) return;  // it dies: nobody will seal this
            open_.push_back({*answer.claim, id, version});
        } else if (answer.decision == Decision::stale) {
            ++stale_;
            EXPECT_LT(version, highest_[id]);
            EXPECT_EQ(answer.last_version, highest_[id]);
        }
    }

    void settle_one() {
        if (open_.empty()) return;
        const auto at = open_.begin() + below(static_cast<int>(open_.size()));
        const Open open = *at;
        open_.erase(at);
        if (below(5) == 0) {
            (void)table_.release(open.claim);
            return;
        }
        const auto reply = table_.seal(open.claim);
        if (code_of(reply)) {
            EXPECT_EQ(code_of(reply), ProblemCode::stale_token);
            ++late_;
            return;
        }
        EXPECT_GE(open.version, highest_[open.source]) << open.source;
        highest_[open.source] = open.version;
    }

    std::mt19937 random_;
    FenceTable table_;
    std::vector<Open> open_;
    std::map<std::string, int> highest_;  // sealed so far
    int stale_ = 0;
    int late_ = 0;
};

TEST(FenceVersion, ShuffledVersionsNeverGoBack) {
    int stale = 0;
    int late = 0;
    for (unsigned seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(seed);
        Shuffle shuffle(seed);
        shuffle.run();
        stale += shuffle.stale();
        late += shuffle.late();
    }
    EXPECT_GT(stale, 100);
    EXPECT_GT(late, 20);
}

}  // namespace
}  // namespace semel
