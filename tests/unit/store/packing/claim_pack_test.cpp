// Claims as bytes: nothing is lost, and what was stored before can be read.
#include <gtest/gtest.h>

#include "store/packing/packed.hpp"
#include "store/packing/response_pack.hpp"
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

// A key that has met a guard's answer, after a retry: every field is set.
Claim pass_claim() {
    Claim claim = fence_claim();
    claim.space = "key.message.api";
    claim.state = ClaimState::sealed;
    Pass& pass = claim.effect->pass.emplace();
    pass.effect = Uuid::parse("0190a5f4-0000-7000-8000-000000000001").value();
    pass.admitted_by = Uuid::parse("0190a5f4-0000-7000-8000-000000000002").value();
    pass.dispatched_at = from_ms(2'500);
    pass.attempt = 3;
    pass.remembered_until = from_ms(90'000);
    pass.twin = Twin{sha256("guard"), Token{78}};
    pass.sent_key = "k1";
    pass.principal = sha256("ann");
    KeptAnswer& answer = pass.answer.emplace();
    answer.status = 201;
    answer.headers = {{"content-type", "text/plain"}, {"etag", ""}};
    answer.response = pass.effect;
    answer.size = 1'048'576;
    answer.has_body = true;
    answer.note = "Sent 2 minutes ago.";
    answer.is_borrowed = true;
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
    EXPECT_EQ(unpacked(pack_claim(pass_claim())), pass_claim());
    Claim held = pass_claim();
    held.effect->pass.emplace().remembered_until = from_ms(1);
    EXPECT_EQ(unpacked(pack_claim(held)), held);
    Claim kept = pass_claim();
    kept.effect->pass->answer.emplace().status = 500;
    EXPECT_EQ(unpacked(pack_claim(kept)), kept);
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
    for (const Claim& stored : {fence_claim(), pass_claim()}) {
        const std::string whole = pack_claim(stored);
        for (std::size_t size = 0; size < whole.size(); ++size) {
            Claim claim;
            EXPECT_FALSE(unpack_claim(std::string_view(whole).substr(0, size), claim)) << size;
        }
        Claim claim;
        EXPECT_FALSE(unpack_claim(whole + "x", claim));
    }
}

TEST(PackedDecision, KeepsTheEffectsNameAndWritesOthersAsBefore) {
    DecisionEntry entry;
    entry.effect = "ch_1";
    entry.reason = "why";
    DecisionEntry read;
    EXPECT_TRUE(unpack_decision(pack_decision(entry), read));
    EXPECT_EQ(read.effect, "ch_1");
    EXPECT_EQ(read.reason, "why");
    EXPECT_EQ(pack_decision(entry)[0], 2);
    entry.other_claim = sha256("guard");
    EXPECT_TRUE(unpack_decision(pack_decision(entry), read));
    EXPECT_EQ(read.other_claim, entry.other_claim);
    entry.other_claim.reset();
    entry.effect.clear();
    EXPECT_EQ(pack_decision(entry)[0], 1);
}

TEST(PackedResponse, KeepsItsBytesAndRefusesAnUnknownFormat) {
    for (const std::string& body : {std::string(), std::string("\0x", 2)}) {
        EXPECT_EQ(unpack_response(pack_response(body)), body);
    }
    EXPECT_EQ(unpack_response(""), std::nullopt);
    EXPECT_EQ(unpack_response("\1x"), std::nullopt);
}

}  // namespace
}  // namespace semel
