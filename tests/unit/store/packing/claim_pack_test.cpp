// Claims as bytes: nothing is lost, and what was stored before can be read.
#include <gtest/gtest.h>

#include "store/packing/packed.hpp"
#include "store/packing/row_pack.hpp"

namespace semel {
namespace {

Claim plain_claim() {
    Claim claim;
    claim.tenant = "acme";
    claim.space = "actions";
    claim.full_key = R"(["k"])";
    claim.token = Token{77};
    claim.created_at = from_ms(1'000);
    claim.owners = {{.job = Uuid::parse("0190a5f4-0000-7000-8000-000000000001").value(),
                     .window_from = from_ms(900),
                     .is_successor = true}};
    claim.fingerprint = sha256("content");
    claim.receipt = Receipt{422, ""};
    return claim;
}

Claim fence_claim() {
    Claim claim = plain_claim();
    claim.owners.clear();
    claim.space = "fences";
    claim.state = ClaimState::uncertain;
    claim.repeats = 1'000'000;
    Effect& effect = claim.effect.emplace();
    effect.id = "ch_1";
    effect.rule = "first";
    effect.lease_until = from_ms(61'000);
    effect.lease = Millis(60'000);
    effect.ttl = Millis(172'800'000);
    effect.sealed_at = from_ms(2'000);
    effect.source_type = "stripe";
    effect.source_id = "evt_1";
    effect.version = 5;
    effect.has_content = true;
    effect.ended_by = EndedBy{FenceVerb::uncertain, sha256("call")};
    effect.previous = Previous{"ch_0", from_ms(5), from_ms(9)};
    return claim;
}

Claim unpacked(const std::string& bytes) {
    Claim claim;
    EXPECT_TRUE(unpack_claim(bytes, claim));
    return claim;
}

TEST(PackedClaim, KeepsEveryField) {
    EXPECT_EQ(unpacked(pack_claim(plain_claim())), plain_claim());
    EXPECT_EQ(unpacked(pack_claim(fence_claim())), fence_claim());
    Claim bare = fence_claim();
    bare.effect = Effect{};
    bare.repeats = 0;
    EXPECT_EQ(unpacked(pack_claim(bare)), bare);
    Claim freed = plain_claim();
    freed.state = ClaimState::free;
    EXPECT_EQ(unpacked(pack_claim(freed)), freed);
}

TEST(PackedClaim, WithoutAnEffectIsWrittenAsBefore) {
    EXPECT_EQ(pack_claim(plain_claim())[0], 2);
    EXPECT_EQ(pack_claim(fence_claim())[0], 3);
    Claim counted = plain_claim();
    counted.repeats = 1;
    EXPECT_EQ(pack_claim(counted)[0], 3);
}

TEST(PackedClaim, HasItsTenantAndSpaceWhereAStoreLooksForThem) {
    for (const Claim& claim : {plain_claim(), fence_claim()}) {
        const std::string rest = pack_claim(claim).substr(kPackedClaimHead);
        EXPECT_EQ(rest.find(packed_claim_names("acme", std::nullopt)), 0U);
        EXPECT_EQ(rest.find(packed_claim_names("acme", claim.space)), 0U);
        EXPECT_EQ(rest.find(packed_claim_names("acm", std::nullopt)), std::string::npos);
        EXPECT_EQ(rest.find(packed_claim_names("acme", "api")), std::string::npos);
    }
}

TEST(PackedClaim, CutShortIsDamaged) {
    const std::string whole = pack_claim(fence_claim());
    for (std::size_t size = 0; size < whole.size(); ++size) {
        Claim claim;
        EXPECT_FALSE(unpack_claim(std::string_view(whole).substr(0, size), claim)) << size;
    }
    Claim claim;
    EXPECT_FALSE(unpack_claim(whole + "x", claim));
}

TEST(PackedDecision, KeepsTheEffectsNameAndWritesOthersAsBefore) {
    DecisionEntry entry;
    entry.effect = "ch_1";
    entry.reason = "why";
    DecisionEntry read;
    EXPECT_TRUE(unpack_decision(pack_decision(entry), read));
    EXPECT_EQ(read.effect, "ch_1");
    EXPECT_EQ(read.reason, "why");
    entry.effect.clear();
    EXPECT_EQ(pack_decision(entry)[0], 1);
}

}  // namespace
}  // namespace semel
