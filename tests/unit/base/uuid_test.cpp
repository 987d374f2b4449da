#include "base/uuid.hpp"

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

namespace semel {
namespace {

constexpr std::int64_t kNow = 1'700'000'000'123;

std::int64_t ms_of(const Uuid& id) {
    std::int64_t ms = 0;
    for (std::size_t i = 0; i < 6; ++i) ms = ms * 256 + id.bytes[i];
    return ms;
}

UuidGenerator generator(std::uint64_t seed = 7) {
    return UuidGenerator([seed]() mutable { return seed = seed * 6364136223846793005ULL + 1; });
}

TEST(Uuid, IsWrittenAndReadInTheCanonicalForm) {
    const std::string text = "018bcfe5-687b-7abc-8def-0123456789ab";
    const auto id = Uuid::parse(text);
    ASSERT_TRUE(id);
    EXPECT_EQ(id->bytes[0], 0x01);
    EXPECT_EQ(id->bytes[15], 0xAB);
    EXPECT_EQ(id->to_string(), text);
    EXPECT_EQ(Uuid::parse("018BCFE5-687B-7ABC-8DEF-0123456789AB"), id);
    EXPECT_EQ(Uuid().to_string(), "00000000-0000-0000-0000-000000000000");
    EXPECT_TRUE(Uuid().is_nil());
    EXPECT_FALSE(id->is_nil());
}

TEST(Uuid, RefusesEveryOtherForm) {
    for (const char* text :
         {"", "018bcfe5687b7abc8def0123456789ab", "018bcfe5-687b-7abc-8def-0123456789a",
          "018bcfe5-687b-7abc-8def-0123456789abc", "{018bcfe5-687b-7abc-8def-0123456789ab}",
          "018bcfe5-687b-7abc-8def-0123456789ag", "018bcfe5_687b-7abc-8def-0123456789ab",
          "018bcfe-5687b-7abc-8def-0123456789ab", "018bcfe5-687b-7abc-8def-0123456789a ",
          " 18bcfe5-687b-7abc-8def-0123456789ab", "urn:uuid:018bcfe5-687b-7abc-8def-012"}) {
        EXPECT_FALSE(Uuid::parse(text)) << text;
    }
}

TEST(Uuid, OrdersAsBytesAndAsText) {
    const auto low = Uuid::parse("00000000-0000-0000-0000-0000000000ff");
    const auto high = Uuid::parse("00000000-0000-0000-0000-000000000100");
    EXPECT_LT(*low, *high);
    EXPECT_LT(low->to_string(), high->to_string());
}

TEST(UuidGenerator, GoesPastWhatAnotherMadeAndNeverBack) {
    UuidGenerator ids = generator();
    UuidGenerator other = generator(8);
    const Uuid ahead = other.next(from_ms(kNow + 10));
    ids.go_past(ahead);
    const Uuid next = ids.next(from_ms(kNow));
    EXPECT_GT(next, ahead);
    EXPECT_EQ(ms_of(next), kNow + 10);

    ids.go_past(generator(9).next(from_ms(kNow + 9)));
    ids.go_past(Uuid());
    EXPECT_GT(ids.next(from_ms(kNow)), next);
}

TEST(UuidGenerator, MakesVersionSeven) {
    UuidGenerator ids = generator();
    const Uuid id = ids.next(from_ms(kNow));
    EXPECT_EQ(ms_of(id), kNow);
    EXPECT_EQ(id.bytes[6] >> 4, 7);
    EXPECT_EQ(id.bytes[8] >> 6, 2);
    EXPECT_EQ(Uuid::parse(id.to_string()), id);
}

TEST(UuidGenerator, GrowsWithinOneMillisecond) {
    UuidGenerator ids = generator();
    Uuid last = ids.next(from_ms(kNow));
    for (int i = 0; i < 20'000; ++i) {  // more than the counter holds
        const Uuid id = ids.next(from_ms(kNow));
        ASSERT_LT(last, id) << i;
        ASSERT_EQ(id.bytes[6] >> 4, 7);
        ASSERT_EQ(id.bytes[8] >> 6, 2);
        last = id;
    }
    EXPECT_GT(ms_of(last), kNow);
    EXPECT_LE(ms_of(last), kNow + 6);
}

TEST(UuidGenerator, GrowsWhenTheClockGoesBack) {
    UuidGenerator ids = generator();
    const Uuid before = ids.next(from_ms(kNow));
    const Uuid back = ids.next(from_ms(kNow - 3'600'000));
    const Uuid zero = ids.next(from_ms(0));
    const Uuid after = ids.next(from_ms(kNow + 1));
    EXPECT_LT(before, back);
    EXPECT_LT(back, zero);
    EXPECT_LT(zero, after);
    EXPECT_EQ(ms_of(back), kNow);
    EXPECT_EQ(ms_of(after), kNow + 1);
}

TEST(UuidGenerator, GrowsWithTimeWhateverTheRandomBits) {
    for (const std::uint64_t bits : {std::uint64_t{0}, ~std::uint64_t{0}}) {
        UuidGenerator ids([bits] { return bits; });
        Uuid last = ids.next(from_ms(kNow));
        for (int i = 0; i < 5000; ++i) {
            const Uuid id = ids.next(from_ms(kNow + i / 3));
            ASSERT_LT(last, id);
            last = id;
        }
    }
}

TEST(UuidGenerator, TwoOfThemDiffer) {
    UuidGenerator one = generator(1);
    UuidGenerator two = generator(2);
    std::unordered_set<Uuid> seen;
    for (int i = 0; i < 1000; ++i) {
        EXPECT_TRUE(seen.insert(one.next(from_ms(kNow))).second);
        EXPECT_TRUE(seen.insert(two.next(from_ms(kNow))).second);
    }
}

}  // namespace
}  // namespace semel
