// The list of uncertain claims, on every store that holds main rows: each of them once, newest
// first, from the commit that makes a claim uncertain to the one that ends that.
#include <algorithm>

#include "conformance/store_conformance.hpp"
#include "support/pass_calls.hpp"

namespace semel::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class UncertainClaims : public PassCalls<StoreConformance> {
protected:
    void advance(Millis by) { clock.now += by; }

    UncertainQuery query(int limit = 100) {
        return {.tenant = "default", .limit = limit, .now = clock.now};
    }
    std::vector<ClaimId> list(const UncertainQuery& asked) {
        std::vector<ClaimId> ids;
        for (const Claim& claim : driver.list_uncertain_claims(asked)) ids.push_back(claim.id);
        return ids;
    }
    std::vector<ClaimId> list() { return list(query()); }

    // A request with this key, of which nobody knows what became.
    PassAnswer doubt(const Asked& asked) {
        const PassAnswer pass = send(asked);
        settle(pass, PassEnd::doubt);
        return pass;
    }
    // A fence that its owner has marked.
    Claim uncertain_fence(int number, const std::string& tenant = "default") {
        Claim claim = sealed_fence(number);
        claim.tenant = tenant;
        claim.state = ClaimState::uncertain;
        claim.receipt.reset();
        claim.expires_at.reset();
        claim.created_at = kStart + Millis(number);
        return claim;
    }
    void insert(const Claim& claim) {
        Changes changes;
        changes.claims = {inserted(claim)};
        write(changes);
    }
};
INSTANTIATE_TEST_SUITE_P(Stores, UncertainClaims, all_stores(), name_of_store);

TEST_P(UncertainClaims, AreListedFromTheDoubtToItsEndNewestFirst) {
    own({.key = "held"});
    settle(send({.key = "sealed"}), PassEnd::seal);
    EXPECT_THAT(list(), IsEmpty());
    const PassAnswer first = doubt({.key = "k1"});
    advance(1s);
    const PassAnswer second = doubt({.key = "k2"});
    EXPECT_THAT(list(), ElementsAre(second.key->id, first.key->id));
    const auto shown = driver.list_uncertain_claims(query()).at(1);
    EXPECT_EQ(shown, driver.get_claim("default", first.key->id)) << "the whole row";
    std::ignore = resolve(*first.key, ClaimOutcome::released);
    EXPECT_THAT(list(), ElementsAre(second.key->id));
    std::ignore = resolve(*second.key, ClaimOutcome::sealed);
    EXPECT_THAT(list(), IsEmpty());
}

TEST_P(UncertainClaims, EndWithADeletionALateSealAndARetry) {
    const PassAnswer freed = doubt({.key = "k1"});
    const PassAnswer late = doubt({.key = "k2"});
    doubt({.key = "k3"});
    EXPECT_EQ(list().size(), 3U);
    erase(*freed.key);
    settle(late, PassEnd::seal);
    const PassAnswer again = own({.key = "k3", .dispatched = true, .retries = true});
    EXPECT_THAT(list(), IsEmpty());
    settle(again, PassEnd::doubt);
    EXPECT_THAT(list(), ElementsAre(again.key->id)) << "under its own entry again";
}

TEST_P(UncertainClaims, BothClaimsOfARequestAreListedAndEndTogether) {
    const PassAnswer pass = doubt({.key = "k1", .guard = "hello"});
    EXPECT_THAT(list(), UnorderedElementsAre(pass.key->id, pass.guard->id));
    EXPECT_THAT(driver.count_uncertain_claims(),
                ElementsAre(SpaceCount{"guard.message.api", 1}, SpaceCount{"key.message.api", 1}));
    std::ignore = resolve(*pass.guard, ClaimOutcome::released);
    EXPECT_THAT(list(), IsEmpty());
    EXPECT_THAT(driver.count_uncertain_claims(), IsEmpty());
}

TEST_P(UncertainClaims, ASentRequestWhoseLeaseIsOverIsListedBeforeAndAfterUpkeep) {
    const PassAnswer pass = send({.key = "k1", .guard = "hello"});
    own({.key = "never sent"});
    advance(kLease - 1ms);
    EXPECT_THAT(list(), IsEmpty());
    advance(1ms);
    const auto before = list();
    EXPECT_THAT(before, UnorderedElementsAre(pass.key->id, pass.guard->id));
    prune_claims();
    EXPECT_EQ(list(), before) << "in the same places";
    auto in_space = query();
    in_space.space = "guard.message.api";
    EXPECT_THAT(list(in_space), ElementsAre(pass.guard->id));
}

TEST_P(UncertainClaims, AGuardLeavesTheListWithItsWindowEvenIfUpkeepIsLate) {
    const PassAnswer pass = doubt({.key = "k1", .guard = "hello"});
    advance(kWindow - 1ms);
    EXPECT_EQ(list().size(), 2U);
    advance(1ms);
    EXPECT_THAT(list(), ElementsAre(pass.key->id));
    EXPECT_EQ(prune_claims().count, 1);
    EXPECT_THAT(list(), ElementsAre(pass.key->id));
    EXPECT_EQ(driver.count_uncertain_claims().size(), 1U);
}

TEST_P(UncertainClaims, OfATenantAndASpaceOnly) {
    insert(uncertain_fence(1));
    insert(uncertain_fence(2, "zeta"));
    const PassAnswer pass = doubt({.key = "k1"});
    auto asked = query();
    EXPECT_THAT(list(), UnorderedElementsAre(hash_of(1), pass.key->id));
    asked.space = "fences";
    EXPECT_THAT(list(asked), ElementsAre(hash_of(1)));
    asked.space = "key.message";
    EXPECT_THAT(list(asked), IsEmpty());
    asked = query();
    asked.tenant = "zeta";
    EXPECT_THAT(list(asked), ElementsAre(hash_of(2)));
    asked.tenant = "nobody";
    EXPECT_THAT(list(asked), IsEmpty());
    EXPECT_THAT(driver.count_uncertain_claims(),
                ElementsAre(SpaceCount{"fences", 2}, SpaceCount{"key.message.api", 1}))
        << "of all tenants";
}

// Claims of one instant, in both halves of the list: written, and not written yet.
TEST_P(UncertainClaims, AWalkMeetsEachOnceAlthoughOthersComeAndGo) {
    std::vector<ClaimId> expected;
    for (int i = 0; i < 7; ++i) {
        expected.push_back(doubt({.key = "w" + std::to_string(i)}).key->id);
        expected.push_back(send({.key = "s" + std::to_string(i)}).key->id);
        if (i % 2 == 0) advance(1ms);
    }
    const PassAnswer resolved = doubt({.key = "gone"});
    advance(kLease);
    std::vector<ClaimId> met;
    UncertainQuery asked = query(3);
    for (auto page = driver.list_uncertain_claims(asked); !page.empty();
         page = driver.list_uncertain_claims(asked)) {
        for (const Claim& claim : page) met.push_back(claim.id);
        asked.before = position_of(page.back());
        advance(1ms);
        if (met.size() == 3) std::ignore = resolve(*resolved.key, ClaimOutcome::released);
        if (met.size() == 6) prune_claims();
        doubt({.key = "new" + std::to_string(met.size())});
    }
    std::erase(met, resolved.key->id);
    EXPECT_THAT(met, testing::UnorderedElementsAreArray(expected));
}

// A row that is uncertain before and after a batch, with another time between.
TEST_P(UncertainClaims, AnEntryMovesWithItsClaim) {
    const Claim before = uncertain_fence(1);
    insert(before);
    Claim after = before;
    after.created_at += 1h;
    Changes changes;
    changes.claims = {Change<Claim>{before, after}};
    write(changes);
    UncertainQuery asked = query();
    EXPECT_THAT(list(asked), ElementsAre(before.id));
    asked.before = position_of(after);
    EXPECT_THAT(list(asked), IsEmpty());
    changes.claims = {deleted(after)};
    write(changes);
    EXPECT_THAT(list(), IsEmpty());
}

TEST_P(UncertainClaims, ManyOtherExpiredClaimsDoNotHideTheNewestDoubt) {
    for (int i = 0; i < 3; ++i) settle(send({.key = "old" + std::to_string(i)}), PassEnd::seal);
    advance(kTtl);  // not pruned yet
    const PassAnswer pass = send({.key = "k1"});
    advance(kLease);
    EXPECT_THAT(list(), ElementsAre(pass.key->id));
}

}  // namespace
}  // namespace semel::test
