// Claims are found whether they are new or old, kept or undone, and wherever a crash left them.
#include "store/sqlite/claim_table.hpp"

#include <gmock/gmock.h>
#include <sqlite3.h>

#include "store/sqlite/migrations.hpp"
#include "store/sqlite/store_file.hpp"
#include "unit/store/sqlite/sqlite_fixture.hpp"

namespace semel::test {
namespace {

using sqlite::ClaimTable;
using sqlite::Connection;
using sqlite::ConnectionOptions;
using sqlite::Rest;
using testing::HasSubstr;

constexpr std::size_t kSegment = 8;

Claim claim_with(int number, std::optional<Time> expires_at) {
    Claim claim = small_claim(number);
    claim.expires_at = expires_at;
    return claim;
}

class ClaimTableTest : public SqliteTest {
public:
    ClaimTableTest() {
        options.segment_claims = kSegment;
        (void)open();  // makes the file, with its schema
        ConnectionOptions writing;
        writing.path = options.path;
        connection = std::move(Connection::open(writing)).value();
        learn();
    }

    // As after a restart.
    void learn() {
        claims = std::make_unique<ClaimTable>(*connection, kSegment);
        const auto learned = claims->learn(Rest::seal);
        ASSERT_TRUE(learned.has_value()) << learned.error().message();
    }

    void change(const std::vector<Change<Claim>>& changes, bool is_kept = true) {
        ASSERT_TRUE(connection->execute("begin immediate").has_value());
        for (const auto& change : changes) claims->save(change);
        claims->seal_full_segments();
        ASSERT_TRUE(connection->outcome().has_value()) << connection->outcome().error().message();
        ASSERT_TRUE(connection->execute(is_kept ? "commit" : "rollback").has_value());
        is_kept ? claims->keep_new() : claims->forget_new();
    }
    void add(int from, int to) {
        std::vector<Change<Claim>> changes;
        for (int i = from; i <= to; ++i) changes.push_back(inserted(small_claim(i)));
        change(changes);
    }
    void expect_there(int from, int to) {
        for (int i = from; i <= to; ++i) {
            EXPECT_EQ(claims->find(hash_of(i)), small_claim(i)) << i;
        }
    }
    std::int64_t count(const std::string& table) {
        return connection->query_int("select count(*) from " + table).value();
    }

    std::unique_ptr<Connection> connection;
    std::unique_ptr<ClaimTable> claims;
};

TEST_F(ClaimTableTest, FindsNewAndOld) {
    for (int i = 1; i <= 100; i += 5) add(i, i + 4);
    EXPECT_EQ(count("claim_segment"), 100 / static_cast<int>(kSegment));
    expect_there(1, 100);
    EXPECT_FALSE(claims->find(hash_of(101)).has_value());
    learn();
    expect_there(1, 100);
    EXPECT_FALSE(claims->find(hash_of(101)).has_value());
}

TEST_F(ClaimTableTest, OneCommitMayFillSeveralSegments) {
    add(1, 3 * static_cast<int>(kSegment) + 1);
    EXPECT_EQ(count("claim_segment"), 3);
    expect_there(1, 3 * static_cast<int>(kSegment) + 1);
}

TEST_F(ClaimTableTest, WhatIsRolledBackIsAsItWas) {
    add(1, 7);
    change({inserted(small_claim(8)), inserted(small_claim(9)), deleted(small_claim(1))}, false);
    EXPECT_EQ(count("claim_segment"), 0);
    expect_there(1, 7);
    EXPECT_FALSE(claims->find(hash_of(8)).has_value());
    add(8, 9);
    expect_there(1, 9);
    learn();
    expect_there(1, 9);
}

TEST_F(ClaimTableTest, ChangesAClaimWhereverItLies) {
    add(1, 9);
    Claim sealed = full_claim(1);
    Claim newest = full_claim(9);
    change({changed(small_claim(1), sealed), changed(small_claim(9), newest)});
    learn();
    EXPECT_EQ(claims->find(hash_of(1)), sealed);
    EXPECT_EQ(claims->find(hash_of(9)), newest);
    Claim forgetful = sealed;
    forgetful.receipt.reset();
    change({changed(sealed, forgetful)});
    EXPECT_EQ(claims->find(hash_of(1)), forgetful);
    EXPECT_EQ(count("receipt"), 1);
}

TEST_F(ClaimTableTest, ASegmentGoesWithTheLastOfItsClaims) {
    add(1, 16);
    std::vector<Change<Claim>> first;
    for (int i = 1; i <= static_cast<int>(kSegment); ++i) first.push_back(deleted(small_claim(i)));
    change(first, false);
    EXPECT_EQ(count("claim_segment"), 2);
    expect_there(1, 16);
    change(first);
    EXPECT_EQ(count("claim_segment"), 1);
    EXPECT_EQ(count("claim_place"), static_cast<int>(kSegment));
    EXPECT_FALSE(claims->find(hash_of(1)).has_value());
    expect_there(9, 16);
    add(17, 24);  // in its place in memory
    expect_there(9, 24);
    EXPECT_FALSE(claims->find(hash_of(1)).has_value());
}

TEST_F(ClaimTableTest, AKeyMayComeAgainWhenItsClaimIsGone) {
    add(1, 8);
    change({deleted(small_claim(3))});
    EXPECT_FALSE(claims->find(hash_of(3)).has_value());
    change({inserted(small_claim(3))});
    expect_there(1, 8);
    learn();
    expect_there(1, 8);
}

// The rules of the engine do not let it come to that.
TEST_F(ClaimTableTest, AChangeOfWhatIsNotThereAndAnInsertionOfWhatIsFail) {
    add(1, 9);
    for (const auto& wrong : {changed(small_claim(10), full_claim(10)), deleted(small_claim(10)),
                              inserted(small_claim(1)), inserted(small_claim(9))}) {
        ASSERT_TRUE(connection->execute("begin immediate").has_value());
        claims->save(wrong);
        EXPECT_FALSE(connection->outcome().has_value());
        connection->clear_failure();
        ASSERT_TRUE(connection->execute("rollback").has_value());
        claims->forget_new();
    }
    expect_there(1, 9);
}

TEST_F(ClaimTableTest, ExpiredOnesComeInTheOrderOfTheirExpiry) {
    change({inserted(claim_with(1, kStart + Millis(3))), inserted(claim_with(2, std::nullopt)),
            inserted(claim_with(3, kStart + Millis(1))),
            inserted(claim_with(4, kStart + Millis(4)))});
    EXPECT_EQ(claims->expired(kStart + Millis(3), 10),
              (std::vector<ClaimId>{hash_of(3), hash_of(1)}));
    EXPECT_EQ(claims->expired(kStart + Millis(3), 1), std::vector<ClaimId>{hash_of(3)});
}

// As in a file of the schema before, whose claims were all taken over at once.
TEST_F(ClaimTableTest, WhatLiesBehindTheLastSegmentIsSealedAtOpening) {
    claims = std::make_unique<ClaimTable>(*connection, 1000);
    ASSERT_TRUE(claims->learn(Rest::seal).has_value());
    add(1, 20);
    EXPECT_EQ(count("claim_segment"), 0);
    learn();
    EXPECT_EQ(count("claim_segment"), 2);
    expect_there(1, 20);
}

TEST_F(ClaimTableTest, AFileFromBeforeSegmentsIsBroughtToThem) {
    add(1, 20);
    change({changed(small_claim(3), full_claim(3)), changed(small_claim(20), full_claim(20))});
    ASSERT_TRUE(connection->execute(kBackToVersion4).has_value());
    ASSERT_TRUE(connection->execute(kBackToVersion3).has_value());
    ASSERT_TRUE(sqlite::migrate(*connection).has_value());
    learn();
    EXPECT_EQ(count("claim_segment"), 2);
    for (int i = 1; i <= 20; ++i) {
        EXPECT_EQ(claims->find(hash_of(i)), i == 3 || i == 20 ? full_claim(i) : small_claim(i));
    }
    EXPECT_EQ(count("receipt"), 2);
}

TEST_F(ClaimTableTest, ALookAtTheFileNoticesAClaimThatIsNotFound) {
    add(1, 9);
    claims.reset();
    ASSERT_TRUE(connection->execute("delete from claim_place where number = 2").has_value());
    connection.reset();
    const auto polled = sqlite::inspect_store(options.path, {});
    ASSERT_FALSE(polled.has_value());
    EXPECT_THAT(polled.error().message(), HasSubstr("is not found where it lies"));
}

TEST_F(ClaimTableTest, ALookAtTheFileNoticesTwoClaimsOfOneKey) {
    add(1, 3);
    claims.reset();
    ASSERT_TRUE(connection
                    ->execute("insert into claim (id, data) select id, data from claim "
                              "where number = 2")
                    .has_value());
    connection.reset();
    ASSERT_FALSE(sqlite::inspect_store(options.path, {}).has_value());
}

TEST_F(ClaimTableTest, AFilterOfAnotherSizeIsDamage) {
    add(1, 8);
    ASSERT_TRUE(connection->execute("update claim_segment set filter = x'00'").has_value());
    ClaimTable again(*connection, kSegment);
    const auto learned = again.learn(Rest::seal);
    ASSERT_FALSE(learned.has_value());
    EXPECT_EQ(learned.error().code(), ErrorCode::corrupt);
}

// ---- filters ----------------------------------------------------------------------------------

TEST(ClaimFilters, NameTheSegmentThatHoldsAnId) {
    constexpr int kSegments = 200;  // more than one word, and twice wider
    constexpr int kEach = 50;
    sqlite::ClaimFilters filters;
    for (int segment = 0; segment < kSegments; ++segment) {
        std::vector<ClaimId> ids;
        ids.reserve(kEach);
        for (int i = 0; i < kEach; ++i) ids.push_back(hash_of(segment * kEach + i));
        EXPECT_EQ(filters.add(sqlite::make_filter(ids)), static_cast<std::size_t>(segment));
    }
    for (int i = 0; i < kSegments * kEach; ++i) {
        EXPECT_THAT(filters.candidates(hash_of(i)),
                    testing::Contains(static_cast<std::size_t>(i / kEach)));
    }
}

TEST(ClaimFilters, SeldomNameOneThatDoesNot) {
    sqlite::ClaimFilters filters;
    std::vector<ClaimId> ids;
    ids.reserve(4096);
    for (int i = 0; i < 4096; ++i) ids.push_back(hash_of(i));
    filters.add(sqlite::make_filter(ids));
    int wrong = 0;
    for (int i = 4096; i < 54'096; ++i)
        wrong += static_cast<int>(filters.candidates(hash_of(i)).size());
    EXPECT_LE(wrong, 15) << "of 50 000; 3 are to be expected";
}

TEST(ClaimFilters, AColumnThatWasRemovedIsEmptyForTheNext) {
    sqlite::ClaimFilters filters;
    const std::size_t first = filters.add(sqlite::make_filter({hash_of(1)}));
    filters.remove(first);
    EXPECT_TRUE(filters.candidates(hash_of(1)).empty());
    EXPECT_EQ(filters.add(sqlite::make_filter({hash_of(2)})), first);
    EXPECT_TRUE(filters.candidates(hash_of(1)).empty());
    EXPECT_EQ(filters.candidates(hash_of(2)), std::vector<std::size_t>{first});
}

}  // namespace
}  // namespace semel::test
