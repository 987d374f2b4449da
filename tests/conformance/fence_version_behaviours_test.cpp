// Versions of a source, on every store: no effect of a lower one after a higher one.
#include <algorithm>
#include <map>
#include <random>

#include <fmt/format.h>

#include "conformance/fence_fixture.hpp"

namespace semel::test {
namespace {

using namespace std::chrono_literals;

class FenceVersionBehaviour : public FenceConformance {
protected:
    static std::string version(int number, const std::string& id = "evt") {
        return fmt::format(
            R"({{"parts":{{"sourceType":"s","sourceId":"{}","revision":"{}"}},"version":{}}})", id,
            number, number);
    }
};
INSTANTIATE_TEST_SUITE_P(Stores, FenceVersionBehaviour, fence_stores(), name_of_store);

TEST_P(FenceVersionBehaviour, LowerThanTheHighestSealedIsStaleAndEqualIsNot) {
    done(seal(own(version(5))));
    const FenceAnswer lower = claim(version(4));
    EXPECT_EQ(lower.decision, Decision::stale);
    EXPECT_EQ(lower.last_version, 5);
    EXPECT_EQ(decision(version(5)), Decision::duplicate) << "the key's own claim is judged first";
    const std::string equal =
        R"({"parts":{"sourceType":"s","sourceId":"evt","revision":"x"},"version":5})";
    EXPECT_EQ(decision(equal), Decision::new_);
    EXPECT_EQ(decision(version(1, "other")), Decision::new_);
    EXPECT_EQ(source("s", "evt")->highest, 5);
}

TEST_P(FenceVersionBehaviour, OneHoldsTheSourceUntilItIsSealedReleasedOrOver) {
    const Claim first = own(version(1));
    EXPECT_EQ(decision(version(2)), Decision::in_flight);
    done(release(first));
    EXPECT_EQ(source("s", "evt"), std::nullopt) << "nothing is left to be known of it";
    const Claim second = own(version(2));
    EXPECT_EQ(decision(version(3)), Decision::in_flight);
    done(seal(second));
    const Claim third = own(version(3));
    advance(60s);
    const Claim fourth = own(version(4));
    EXPECT_EQ(code_of(seal(third)), ProblemCode::stale_token) << "it lost its source";
    EXPECT_EQ(code_of(heartbeat(third)), ProblemCode::stale_token);
    done(seal(fourth));
    EXPECT_EQ(claim(version(3)).decision, Decision::stale);
}

TEST_P(FenceVersionBehaviour, AHeartbeatHoldsTheSourceToo) {
    const Claim owned = own(version(1));
    advance(50s);
    done(heartbeat(owned));
    advance(50s);
    EXPECT_EQ(decision(version(2)), Decision::in_flight);
    EXPECT_EQ(source("s", "evt")->holder->until, now() + 10s);
}

TEST_P(FenceVersionBehaviour, TwoVersionsInOneCommitAreOneHolder) {
    const auto replies = driver.run(command(version(2)), command(version(1)));
    const auto first = std::get<FenceAnswer>(std::get<0>(std::get<0>(replies)));
    const auto second = std::get<FenceAnswer>(std::get<0>(std::get<1>(replies)));
    EXPECT_EQ(first.decision, Decision::new_);
    EXPECT_EQ(second.decision, Decision::in_flight);
    EXPECT_EQ(source("s", "evt")->holder->claim, first.claim->id);
}

TEST_P(FenceVersionBehaviour, WhatAnOperatorSaysWasSealedCountsLikeASeal) {
    const Claim fifth = own(version(5));
    done(mark_uncertain(fifth));
    advance(60s);
    const Claim third = own(version(3));
    done(resolve(fifth, ClaimOutcome::sealed, "found"));
    EXPECT_EQ(source("s", "evt")->highest, 5);
    EXPECT_EQ(code_of(heartbeat(third)), ProblemCode::stale_token);
    EXPECT_EQ(code_of(seal(third)), ProblemCode::stale_token) << "a lower one after a higher one";
    EXPECT_EQ(claim(version(4)).last_version, 5);
    EXPECT_EQ(decision(version(4)), Decision::stale);
    done(release(third));
    EXPECT_EQ(decision(version(3)), Decision::stale);
    done(seal(own(version(6))));
}

TEST_P(FenceVersionBehaviour, AHigherVersionAtWorkKeepsItsSourceWhenALowerOneIsResolved) {
    const Claim second = own(version(2));
    done(mark_uncertain(second));
    advance(60s);
    const Claim third = own(version(3));
    done(resolve(second, ClaimOutcome::sealed, "found"));
    EXPECT_EQ(source("s", "evt")->highest, 2);
    done(heartbeat(third));
    done(seal(third));
    EXPECT_EQ(source("s", "evt")->highest, 3);
}

TEST_P(FenceVersionBehaviour, IsRememberedLongerThanItsKeyAndThenForgotten) {
    const Claim owned = own(version(5));
    done(seal(owned));
    advance(48h + 400 * 24h - 1ms);
    EXPECT_EQ(prune_sources().count, 0);
    EXPECT_EQ(decision(version(4)), Decision::stale);
    advance(1ms);
    EXPECT_EQ(prune_sources().count, 1);
    EXPECT_EQ(source("s", "evt"), std::nullopt);
    EXPECT_EQ(decision(version(4)), Decision::new_);
}

TEST_P(FenceVersionBehaviour, ShuffledWithRepeatsAndCrashesNeverGoesBack) {
    std::mt19937 dice(7);
    constexpr int kSources = 4;
    constexpr int kVersions = 8;
    std::vector<std::pair<int, int>> work;  // source, version; each twice
    for (int i = 0; i < kSources * kVersions * 2; ++i) {
        work.emplace_back(i % kSources, i / kSources % kVersions);
    }
    std::shuffle(work.begin(), work.end(), dice);
    std::map<int, int> last;  // effects that were sealed
    for (const auto& [number, wanted] : work) {
        const FenceAnswer answer = claim(version(wanted, fmt::format("s{}", number)));
        if (answer.decision == Decision::new_ && dice() % 3 != 0) {  // else its owner dies
            if (!code_of(seal(*answer.claim))) {
                EXPECT_GE(wanted, last[number]);
                last[number] = wanted;
            }
        }
        if (dice() % 4 == 0) advance(61s);
    }
    for (int i = 0; i < kSources; ++i) {
        const auto kept = source("s", fmt::format("s{}", i));
        EXPECT_EQ(kept ? kept->highest.value_or(0) : 0, last[i]);
    }
}

}  // namespace
}  // namespace semel::test
