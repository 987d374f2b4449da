// Claims as people look for them: by id, and by the key as its caller wrote it.
#include "conformance/store_conformance.hpp"
#include "core/keys/dedup_key.hpp"

namespace semel::test {
namespace {

using testing::IsEmpty;
using testing::UnorderedElementsAre;

Claim claim_of(const std::string& tenant, const std::string& space,
               const std::vector<std::string>& parts) {
    const Key key = make_key(tenant, space, parts);
    Claim claim = sealed_fence(1);
    claim.id = key.claim;
    claim.tenant = tenant;
    claim.space = space;
    claim.full_key = key.full_key;
    return claim;
}

class FenceReads : public StoreConformance {
protected:
    void insert(const std::vector<Claim>& claims) {
        Changes changes;
        for (const Claim& claim : claims) changes.claims.push_back(inserted(claim));
        write(changes);
    }
    std::vector<std::string> spaces_of(const std::string& key,
                                       const std::optional<std::string>& space = {},
                                       const std::string& tenant = "acme") {
        std::vector<std::string> spaces;
        for (const Claim& claim : driver.find_claims(tenant, space, key)) {
            spaces.push_back(claim.space);
        }
        return spaces;
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, FenceReads, fence_stores(), name_of_store);

TEST_P(FenceReads, AClaimIsReadByItsIdWhereverItLies) {
    for (int i = 1; i <= 50; ++i) {
        insert({i % 2 == 0 ? held_fence(i) : full_claim(i)});
    }
    for (int i = 1; i <= 50; ++i) {
        EXPECT_EQ(driver.get_claim("acme", hash_of(i)), i % 2 == 0 ? held_fence(i) : full_claim(i))
            << i;
    }
    EXPECT_EQ(driver.get_claim("zeta", hash_of(1)), std::nullopt) << "tenants never meet";
    EXPECT_EQ(driver.get_claim("acme", hash_of(51)), std::nullopt);
    Changes changes;
    changes.claims = {deleted(full_claim(1)), deleted(held_fence(50))};
    write(changes);
    EXPECT_EQ(driver.get_claim("acme", hash_of(1)), std::nullopt);
    EXPECT_EQ(driver.get_claim("acme", hash_of(50)), std::nullopt);
}

TEST_P(FenceReads, WhoHoldsClaimsIsReadInTheirOrder) {
    insert({held_fence(1), sealed_fence(2), full_claim(3), held_fence(4)});
    using Holders = std::vector<std::optional<SourceHolder>>;
    const auto holders = [&](const std::vector<ClaimRef>& claims) {
        return driver
            .read<Holders>(
                [&](Reads& reads, Done<Holders> done) { reads.get_holds(claims, std::move(done)); })
            .value();
    };
    const auto holder = [](const Claim& claim) {
        return SourceHolder{claim.id, claim.token, claim.effect->lease_until};
    };
    EXPECT_EQ(holders({{"acme", hash_of(4)},
                       {"acme", hash_of(2)},
                       {"acme", hash_of(3)},
                       {"acme", hash_of(9)},
                       {"zeta", hash_of(1)},
                       {"acme", hash_of(1)},
                       {"acme", hash_of(4)}}),
              (Holders{holder(held_fence(4)), std::nullopt, std::nullopt, std::nullopt,
                       std::nullopt, holder(held_fence(1)), holder(held_fence(4))}));
    EXPECT_THAT(holders({}), IsEmpty());
}

TEST_P(FenceReads, AClaimIsFoundByItsKeyAsItWasWritten) {
    insert({claim_of("acme", "fences", {"k"}), claim_of("acme", "actions", {"mail", "key", "k"}),
            claim_of("acme", "api", {"tok", "POST", "/v1/actions", "other"}),
            claim_of("zeta", "fences", {"k"})});
    EXPECT_THAT(spaces_of("k"), UnorderedElementsAre("fences", "actions"));
    EXPECT_THAT(spaces_of("k", "actions"), UnorderedElementsAre("actions"));
    EXPECT_THAT(spaces_of("k", "chains"), IsEmpty());
    EXPECT_THAT(spaces_of("k", std::nullopt, "zeta"), UnorderedElementsAre("fences"));
    EXPECT_THAT(spaces_of("mail"), UnorderedElementsAre("actions"));
    EXPECT_THAT(spaces_of("othe"), IsEmpty()) << "a part of a key is another";
    EXPECT_EQ(driver.find_claims("acme", {}, "k", 1).size(), 1U);
    EXPECT_EQ(driver.find_claims("acme", "fences", "k").front(), claim_of("acme", "fences", {"k"}));
}

// More of them than one search looks at: it must look at its own tenant's.
TEST_P(FenceReads, OtherTenantsDoNotHideAClaim) {
    constexpr int kOthers = 10'500;
    constexpr int kAtOnce = 500;
    for (int first = 0; first < kOthers; first += kAtOnce) {
        std::vector<Claim> others;
        for (int i = first; i < first + kAtOnce; ++i) {
            others.push_back(claim_of("zeta", "fences", {"k", std::to_string(i)}));
        }
        insert(others);
    }
    insert({claim_of("acme", "fences", {"k"}), claim_of("acme", "actions", {"mail", "key", "k"})});
    EXPECT_THAT(spaces_of("k"), UnorderedElementsAre("fences", "actions"));
    EXPECT_THAT(spaces_of("k", "fences"), UnorderedElementsAre("fences"));
}

TEST_P(FenceReads, AKeyOfOddCharactersIsFoundToo) {
    for (const std::string& odd : {std::string("a\"b"), std::string("\\"), std::string("x\ny"),
                                   std::string("\xC3\xA4"), std::string(","), std::string("%")}) {
        insert({claim_of("acme", "fences", {odd})});
        EXPECT_THAT(spaces_of(odd), UnorderedElementsAre("fences")) << odd;
    }
}

}  // namespace
}  // namespace semel::test
