// Fences that are sealed in a user's own transaction.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "cluster/outbox_fixture.hpp"
#include "support/fence_calls.hpp"

namespace semel::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr const char* kStale = "SM001";
const std::string kPay = R"({"key":"pay-1","content":{"amount":5}})";

class OutboxFence : public FenceCalls<Outbox> {
protected:
    static std::string seal_sql(const Claim& owned, const std::string& key = "pay-1",
                                const std::string& receipt = "null") {
        return fmt::format("select semel.seal_fence('{}', {}, 'ch_1', {})", key,
                           to_int(owned.token), receipt);
    }
    static std::string version(int number) {
        return fmt::format(
            R"({{"parts":{{"sourceType":"s","sourceId":"i","revision":"{0}"}},"version":{0}}})",
            number);
    }
    Claim row(const ClaimId& id) { return driver.get_claim("default", id).value_or(Claim{}); }
    // Whether a batch with the command had to leave it for a later one.
    template <typename Command>
    bool is_postponed(const Command& command) {
        LoadSpec spec;
        name_rows(command, spec);
        std::mt19937_64 engine(1);
        const std::function<std::uint64_t()> random = [&] { return engine(); };
        UuidGenerator ids(random);
        const Settings settings;
        Workspace workspace(driver.look(std::move(spec)), settings, ids, random);
        workspace.savepoint();
        (void)decide(command, workspace);
        return workspace.met_locked();
    }
};

TEST_F(OutboxFence, ASealCommitsWithTheUsersRows) {
    const Claim owned = own(kPay);
    user.ask("create table orders (id int)");
    user.ask("begin; insert into orders values (1);" + seal_sql(owned, "pay-1", "'{\"n\": 1.0}'"));
    EXPECT_EQ(drain().count, 0);
    user.ask("commit");
    EXPECT_TRUE(row(owned.id).effect->settling);
    EXPECT_EQ(drain().count, 1);
    const Claim sealed = row(owned.id);
    EXPECT_EQ(sealed.state, ClaimState::sealed);
    EXPECT_FALSE(sealed.effect->settling);
    EXPECT_EQ(sealed.effect->id, "ch_1");
    EXPECT_EQ(sealed.receipt->body, "{\"n\": 1.0}");
    EXPECT_EQ(*claim(kPay).claim, sealed);
    EXPECT_EQ(user.refusal_of(seal_sql(owned)).state, kStale) << "it is sealed";
}

TEST_F(OutboxFence, ASealIsRolledBackWithTheUsersRows) {
    const Claim owned = own(kPay);
    user.ask("begin");
    user.ask(seal_sql(owned));
    user.ask("rollback");
    EXPECT_EQ(drain().count, 0);
    EXPECT_EQ(row(owned.id), owned);
    EXPECT_EQ(done(seal(owned)).state, ClaimState::sealed);
}

TEST_F(OutboxFence, WhoeverWasTakenOverIsStale) {
    const Claim dead = own(kPay);
    now = now.load() + 60s;
    const Claim next = own(kPay);
    const auto stale = user.refusal_of(seal_sql(dead));
    EXPECT_EQ(stale.state, kStale);
    EXPECT_THAT(stale.message, HasSubstr("does not hold the key \"pay-1\""));
    EXPECT_EQ(user.refusal_of(seal_sql(next, "pay-2")).state, kStale) << "there is no such key";
    done(release(next));
    EXPECT_EQ(user.refusal_of(seal_sql(next)).state, kStale);
    EXPECT_EQ(drain().count, 0);
}

TEST_F(OutboxFence, WhatIsSettlingIsNeitherTakenOverNorPruned) {
    const Claim owned = own(kPay);
    user.ask(seal_sql(owned));
    now = now.load() + 100 * 24h;
    EXPECT_TRUE(is_postponed(command(kPay)));
    EXPECT_TRUE(is_postponed(DeleteClaim{"default", owned.id, "wrong"}));
    EXPECT_EQ(prune_claims().count, 0);
    EXPECT_EQ(user.refusal_of(seal_sql(owned)).state, kStale) << "once is enough";
    EXPECT_EQ(drain().count, 1);
    EXPECT_EQ(claim(kPay).decision, Decision::duplicate) << "however late the drain is";
}

TEST_F(OutboxFence, TheSameCallAgainOverHttpGetsTheSameAnswer) {
    const Claim owned = own(kPay);
    user.ask(seal_sql(owned, "pay-1", "'[1]'"));
    drain();
    EXPECT_EQ(done(seal(owned, "ch_1", "[1]")), row(owned.id));
    EXPECT_TRUE(std::holds_alternative<Problem>(seal(owned, "ch_2", "[1]")));
}

TEST_F(OutboxFence, AVersionSealsItsSource) {
    const Claim owned = own(version(2));
    user.ask(seal_sql(owned, std::get<FenceRequest>(fence_request(version(2))).key));
    EXPECT_TRUE(is_postponed(command(version(3)))) << "it will be seen what the highest is";
    EXPECT_EQ(drain().count, 1);
    const auto sources = driver.look({.sources = {{"default", "s", "i"}}}).sources;
    ASSERT_EQ(sources.size(), 1U);
    EXPECT_EQ(sources.front().highest, 2);
    EXPECT_FALSE(sources.front().settling);
    EXPECT_EQ(sources.front().holder, std::nullopt);
    EXPECT_EQ(claim(version(1)).decision, Decision::stale);
}

TEST_F(OutboxFence, AVersionThatLostItsSourceIsStale) {
    const Claim first = own(version(1));
    now = now.load() + 60s;
    own(version(2));
    const std::string key = std::get<FenceRequest>(fence_request(version(1))).key;
    EXPECT_EQ(user.refusal_of(seal_sql(first, key)).state, kStale);
    EXPECT_FALSE(row(first.id).effect->settling);
}

TEST_F(OutboxFence, AVersionIsStaleOnceAnOperatorSealedAHigherOne) {
    const Claim second = own(version(2));
    done(mark_uncertain(second));
    now = now.load() + 60s;
    const Claim first = own(version(1));
    done(resolve(second, ClaimOutcome::sealed, "e2"));
    const std::string key = std::get<FenceRequest>(fence_request(version(1))).key;
    const auto refusal = user.refusal_of(seal_sql(first, key));
    EXPECT_EQ(refusal.state, kStale);
    EXPECT_THAT(refusal.message, HasSubstr("version 2 of its source is sealed"));
    EXPECT_FALSE(row(first.id).effect->settling);
}

TEST_F(OutboxFence, AHigherVersionIsNotResolvedPastASealThatIsOnItsWay) {
    const Claim second = own(version(2));
    done(mark_uncertain(second));
    now = now.load() + 60s;
    const Claim first = own(version(1));
    user.ask(seal_sql(first, std::get<FenceRequest>(fence_request(version(1))).key));
    const ResolveClaim resolution{.tenant = "default",
                                  .claim = second.id,
                                  .outcome = ClaimOutcome::sealed,
                                  .effect_id = "e2",
                                  .reason = "looked"};
    EXPECT_TRUE(is_postponed(resolution));
    EXPECT_EQ(drain().count, 1);
    EXPECT_EQ(row(first.id).state, ClaimState::sealed);
    EXPECT_EQ(done(resolve(second, ClaimOutcome::sealed, "e2")).state, ClaimState::sealed);
}

TEST_F(OutboxFence, TheTokenCountsAndNotTheLease) {
    const Claim owned = own(kPay);
    now = now.load() + 60s;
    user.ask(seal_sql(owned));
    EXPECT_EQ(drain().count, 1);
    EXPECT_EQ(row(owned.id).state, ClaimState::sealed);
}

TEST_F(OutboxFence, WhatNobodyOwnsIsNotSealed) {
    const auto refuses = [&](const Claim& claim, const char* why) {
        EXPECT_EQ(user.refusal_of(seal_sql(claim)).state, kStale) << why;
        EXPECT_EQ(user.refusal_of("select semel.seal_fence('pay-1', null, 'e')").state, kStale)
            << why;
    };
    const Claim released = own(kPay);
    done(release(released));
    refuses(released, "released");
    const Claim unsure = own(kPay);
    done(mark_uncertain(unsure));
    refuses(unsure, "uncertain");
    const Claim resolved = done(resolve(unsure, ClaimOutcome::sealed, "e"));
    refuses(resolved, "sealed");
    now = now.load() + 48h;
    EXPECT_EQ(prune_claims().count, 1);
    refuses(resolved, "a tombstone");
    const Claim deleted = own(kPay);
    done(delete_claim(deleted.id));
    refuses(deleted, "deleted");
    EXPECT_EQ(drain().count, 0);
}

TEST_F(OutboxFence, RefusesBadArgumentsAtOnce) {
    const Claim owned = own(kPay);
    const std::string token = std::to_string(to_int(owned.token));
    for (const std::string& arguments :
         {"null, " + token + ", 'e'", "'', " + token + ", 'e'", "'pay-1', " + token + ", ''",
          "'pay-1', " + token + ", null", "'pay-1', " + token + ", 'e', '1', ''"}) {
        const auto refusal = user.refusal_of("select semel.seal_fence(" + arguments + ")");
        EXPECT_NE(refusal.state, "") << arguments;
        EXPECT_NE(refusal.state, kStale) << arguments;
    }
    EXPECT_EQ(user.refusal_of("select semel.seal_fence('pay-1', null, 'e')").state, kStale);
    EXPECT_EQ(row(owned.id), owned);
}

TEST_F(OutboxFence, IsForTheTenantThatIsNamed) {
    const Claim theirs = own(kPay, "other");
    EXPECT_EQ(user.refusal_of(seal_sql(theirs)).state, kStale);
    user.ask(fmt::format("select semel.seal_fence('pay-1', {}, 'e', null, 'other')",
                         to_int(theirs.token)));
    EXPECT_EQ(drain().count, 1);
    EXPECT_EQ(driver.get_claim("other", theirs.id)->state, ClaimState::sealed);
}

}  // namespace
}  // namespace semel::test
