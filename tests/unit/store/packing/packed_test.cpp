#include "store/packing/packed.hpp"

#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "store/packing/backoff_pack.hpp"
#include "store/packing/row_pack.hpp"
#include "store/sqlite/statement.hpp"

namespace semel {
namespace {

constexpr char kVersion = 7;

TEST(Packed, NumbersComeBack) {
    const std::vector<std::int64_t> numbers = {0,
                                               1,
                                               -1,
                                               63,
                                               64,
                                               -64,
                                               -65,
                                               1'800'000'000'000,
                                               std::numeric_limits<std::int64_t>::max(),
                                               std::numeric_limits<std::int64_t>::min()};
    Packer packer(kVersion);
    for (const std::int64_t number : numbers) packer.number(number);
    const std::string bytes = packer.take();
    Unpacker unpacker(bytes, kVersion);
    for (const std::int64_t number : numbers) EXPECT_EQ(unpacker.number(), number);
    EXPECT_FALSE(unpacker.is_damaged());
}

TEST(Packed, TextIdsAndHashesComeBack) {
    const Uuid id = *Uuid::parse("01890a5d-ac96-774b-bcce-b302099a8057");
    Packer packer(kVersion);
    packer.bytes("");
    packer.bytes(std::string(1000, '\0'));
    packer.id(id);
    packer.hash(sha256("x"));
    const std::string bytes = packer.take();
    Unpacker unpacker(bytes, kVersion);
    EXPECT_EQ(unpacker.string(), "");
    EXPECT_EQ(unpacker.string(), std::string(1000, '\0'));
    EXPECT_EQ(unpacker.id(), id);
    EXPECT_EQ(unpacker.hash(), sha256("x"));
    EXPECT_FALSE(unpacker.is_damaged());
}

TEST(Packed, SmallNumbersAreSmall) {
    Packer packer(kVersion);
    packer.number(3);
    packer.number(-3);
    EXPECT_EQ(packer.take().size(), 3U);
}

TEST(Packed, WhatIsLeftOverIsDamage) {
    Unpacker unpacker(std::string_view("\x07\x02\x04"), kVersion);
    EXPECT_EQ(unpacker.number(), 1);
    EXPECT_TRUE(unpacker.is_damaged());
    EXPECT_EQ(unpacker.number(), 2);
    EXPECT_FALSE(unpacker.is_damaged());
}

TEST(Packed, AnotherVersionIsDamage) {
    EXPECT_TRUE(Unpacker("\x08", kVersion).is_damaged());
    EXPECT_TRUE(Unpacker("", kVersion).is_damaged());
}

TEST(Packed, AnyBytesCanBeReadToTheirEnd) {
    std::mt19937 random(1);
    for (int i = 0; i < 100'000; ++i) {
        std::string bytes(random() % 60, '\0');
        for (char& byte : bytes) byte = static_cast<char>(random() % 4 == 0 ? 0xFF : random());
        if (!bytes.empty()) bytes[0] = kVersion;
        Unpacker unpacker(bytes, kVersion);
        for (int field = 0; field < 8; ++field) {
            switch (random() % 4) {
                case 0: (void)unpacker.number(); break;
                case 1: EXPECT_LE(unpacker.bytes().size(), bytes.size()); break;
                case 2: (void)unpacker.id(); break;
                default: (void)unpacker.hash(); break;
            }
        }
        (void)unpacker.is_damaged();
    }
}

// A row as it was before schedules had spent slots: without that bit, and nothing behind the spec.
TEST(PackedSchedule, ARowWithoutSpentSlotsIsRead) {
    Schedule schedule;
    schedule.last_slot = from_ms(3);
    schedule.spec.type = "a";
    schedule.spec.every = "PT1H";
    Packer packer(1);
    packer.number(0b00010);
    packer.time(schedule.created_at);
    packer.time(schedule.updated_at);
    packer.bytes("");
    packer.time(*schedule.last_slot);
    for (const char* text : {"a", "{}", "PT1H", "", ""}) packer.bytes(text);
    packer.number(0);
    packer.number(0);
    packer.bytes("");
    packer.number(schedule.spec.max_retries);
    pack(packer, schedule.spec.backoff);
    packer.number(0);
    const std::string bytes = packer.take();
    Schedule read;
    EXPECT_TRUE(unpack_schedule(bytes, read));
    EXPECT_EQ(read, schedule);
    EXPECT_EQ(pack_schedule(schedule), bytes) << "and written like this where there are none";
}

// As rows were before each spent slot was remembered by itself: one range behind the spec.
TEST(PackedSchedule, ARowWithOneRangeOfSpentSlotsIsRead) {
    Schedule schedule;
    std::string bytes = pack_schedule(schedule);
    bytes[1] = static_cast<char>(0b100000 << 1);  // the bit of `spent`, as a number
    Packer range(0);
    range.time(from_ms(5));
    range.time(from_ms(9));
    bytes += range.take().substr(1);
    Schedule read;
    EXPECT_TRUE(unpack_schedule(bytes, read));
    EXPECT_EQ(read.spent, SpentSlots({{from_ms(5), from_ms(9)}}));
    EXPECT_EQ(pack_schedule(read), bytes) << "and written like this where there is one";
}

TEST(PackedSchedule, EachSpentSlotComesBack) {
    Schedule schedule;
    for (const int ms : {5, 9, 70, 1}) {
        schedule.spent.add(from_ms(ms));
        Schedule read;
        EXPECT_TRUE(unpack_schedule(pack_schedule(schedule), read));
        EXPECT_EQ(read, schedule);
        EXPECT_FALSE(unpack_schedule(pack_schedule(schedule) + "x", read));
    }
}

TEST(Presence, BitsComeBackInTheirOrder) {
    Presence presence;
    presence.add(true);
    presence.add(false);
    presence.add(true);
    Presence read(presence.bits());
    EXPECT_TRUE(read.next());
    EXPECT_FALSE(read.next());
    EXPECT_TRUE(read.next());
    EXPECT_FALSE(read.next());
}

TEST(JobKey, OrdersAsTheBytesOfTheId) {
    const std::vector<std::string> ordered = {
        "00000000-0000-0000-0000-000000000000", "00000000-0000-0000-ffff-000000000000",
        "7fffffff-ffff-ffff-0000-000000000000", "80000000-0000-0000-0000-000000000000",
        "ffffffff-ffff-ffff-ffff-ffffffffffff"};
    std::optional<std::pair<std::int64_t, std::int64_t>> last;
    for (const std::string& text : ordered) {
        const Uuid id = *Uuid::parse(text);
        const sqlite::JobKey key(id);
        EXPECT_EQ(key.id(), id);
        const std::pair now(key.high, key.low);
        EXPECT_TRUE(!last || *last < now) << text;
        last = now;
    }
}

}  // namespace
}  // namespace semel
