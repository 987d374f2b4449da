// The retry of a pass whose outcome is unknown: the next request that names all that it had.
#include <gmock/gmock.h>

#include "support/pass_table.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::Asked;
using test::code_of;
using test::kBoth;
using test::PassTable;

Asked retrying(Asked asked) {
    asked.retries = true;
    return asked;
}

TEST(PassRetry, TakesOverBothClaimsWithTheSameEffectAndKey) {
    PassTable t;
    const PassAnswer first = t.send(kBoth);
    t.advance(PassTable::kLease);
    const PassAnswer next = t.own(retrying(kBoth));
    EXPECT_TRUE(next.takeover);
    for (const auto& [claim, before] :
         {std::pair(next.key, first.key), {next.guard, first.guard}}) {
        const Pass& pass = *claim->effect->pass;
        EXPECT_EQ(pass.effect, before->effect->pass->effect);
        EXPECT_EQ(pass.sent_key, "k1");
        EXPECT_EQ(pass.attempt, 2);
        EXPECT_GT(claim->token, before->token);
        EXPECT_EQ(claim->effect->rule, "retry");
    }
    EXPECT_TRUE(are_twins(*next.key, *next.guard));
    EXPECT_TRUE(t.settle(first, PassEnd::seal).is_key_stale);
    EXPECT_TRUE(t.settle(first, PassEnd::seal).is_guard_stale);
    EXPECT_FALSE(t.settle(t.settlement(first, PassEnd::seal, {})).key);
}

TEST(PassRetry, IsAdmittedAgainUnderItsOwnEffectId) {
    PassTable t;
    t.send(kBoth);
    t.advance(PassTable::kLease);
    const AdmitPass command = t.admission(retrying(kBoth));
    const PassAnswer first = t.admit(command);
    const PassAnswer again = t.admit(command);
    EXPECT_EQ(again.decision, Decision::new_);
    EXPECT_TRUE(again.takeover);
    EXPECT_EQ(*again.key, *first.key);
}

TEST(PassRetry, NeedsTheGuardThatThePassHad) {
    PassTable t;
    t.settle(t.send(kBoth), PassEnd::doubt);
    EXPECT_EQ(code_of(t.try_admit(retrying({.key = "k1"}))), ProblemCode::uncertain);
    EXPECT_EQ(code_of(t.try_admit(retrying({.key = "k1", .guard = "other"}))),
              ProblemCode::uncertain);
    EXPECT_EQ(code_of(t.try_admit(retrying({.guard = "hello"}))), ProblemCode::uncertain);
    EXPECT_EQ(code_of(t.try_admit(retrying({.key = "k2", .guard = "hello"}))),
              ProblemCode::uncertain);
    EXPECT_EQ(code_of(t.try_admit(kBoth)), ProblemCode::uncertain) << "the route does not retry";
    Asked other = retrying(kBoth);
    other.body = R"({"a":2})";
    EXPECT_EQ(code_of(t.try_admit(other)), ProblemCode::uncertain);
}

TEST(PassRetry, WorksAfterTheGuardsWindow) {
    PassTable t;
    t.settle(t.send(kBoth), PassEnd::doubt);
    t.advance(PassTable::kWindow);
    const PassAnswer next = t.own(retrying(kBoth));
    EXPECT_TRUE(are_twins(*next.key, *next.guard));
    EXPECT_EQ(next.guard->effect->pass->attempt, 2);
}

TEST(PassRetry, DoesNotTakeAGuardThatAnotherRequestHas) {
    PassTable t;
    t.settle(t.send(kBoth), PassEnd::doubt);
    t.advance(PassTable::kWindow);
    t.settle(t.send({.guard = "hello"}), PassEnd::doubt);
    EXPECT_EQ(code_of(t.try_admit(retrying(kBoth))), ProblemCode::uncertain);
}

TEST(PassRetry, OfAGuardAloneNeedsNoKeyAndTheSamePrincipal) {
    PassTable t;
    const PassAnswer first = t.send({.guard = "hello"});
    t.settle(first, PassEnd::doubt);
    EXPECT_EQ(code_of(t.try_admit(retrying({.key = "k1", .guard = "hello"}))),
              ProblemCode::uncertain)
        << "the first had no key";
    EXPECT_EQ(code_of(t.try_admit(retrying({.guard = "hello", .principal = "bob"}))),
              ProblemCode::uncertain);
    const PassAnswer next = t.own(retrying({.guard = "hello"}));
    EXPECT_EQ(next.guard->effect->pass->effect, first.guard->effect->pass->effect);
    EXPECT_EQ(next.guard->effect->pass->sent_key, first.guard->effect->pass->sent_key);
}

TEST(PassRetry, IsRememberedForItsOwnTtl) {
    PassTable t;
    t.settle(t.send({.key = "k1"}), PassEnd::doubt);
    t.advance(100 * 24h);
    t.settle(t.send(retrying({.key = "k1"})), PassEnd::seal);
    t.advance(PassTable::kTtl - 1ms);
    EXPECT_EQ(t.admit({.key = "k1"}).decision, Decision::duplicate);
}

}  // namespace
}  // namespace semel
