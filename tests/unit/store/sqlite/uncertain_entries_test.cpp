// Entries of uncertain claims: those of an older file, and those that do not fit their claims.
#include <gmock/gmock.h>

#include "store/sqlite/connection.hpp"
#include "store/sqlite/store_file.hpp"
#include "unit/store/sqlite/sqlite_fixture.hpp"

namespace semel::test {
namespace {

using testing::HasSubstr;
using testing::UnorderedElementsAre;

class UncertainEntries : public SqliteTest {
protected:
    // A fence and a guard that are uncertain, and claims that are not.
    void fill() {
        const auto store = SqliteTest::open(options);
        StoreDriver driver(*store);
        Claim fence = held_fence(1);
        fence.state = ClaimState::uncertain;
        fence.expires_at.reset();
        Claim guard = held_fence(2);
        guard.space = "guard.route";
        guard.state = ClaimState::uncertain;
        Changes changes;
        changes.claims = {inserted(fence), inserted(guard), inserted(held_fence(3)),
                          inserted(sealed_fence(4)), inserted(small_claim(5))};
        ASSERT_TRUE(driver.write(changes).has_value());
    }
    void execute(const std::string& sql) const {
        sqlite::ConnectionOptions writing;
        writing.path = options.path;
        const auto connection = std::move(sqlite::Connection::open(writing)).value();
        const auto done = connection->execute(sql);
        ASSERT_TRUE(done.has_value()) << done.error().message();
    }
    std::vector<ClaimId> list() {
        const auto store = SqliteTest::open(options);
        StoreDriver driver(*store);
        std::vector<ClaimId> ids;
        for (const Claim& claim : driver.list_uncertain_claims(
                 {.tenant = "acme", .limit = 10, .now = kStart - Millis(1)})) {
            ids.push_back(claim.id);
        }
        return ids;
    }
};

TEST_F(UncertainEntries, OfAnOlderFileAreMadeWhenItIsOpened) {
    fill();
    execute("drop table uncertain_claim; pragma user_version = 8");
    EXPECT_THAT(list(), UnorderedElementsAre(hash_of(1), hash_of(2)));
    EXPECT_TRUE(sqlite::inspect_store(options.path, {}).has_value());
}

TEST_F(UncertainEntries, ThatAreMissingOrTooManyAreDamage) {
    fill();
    EXPECT_TRUE(sqlite::inspect_store(options.path, {}).has_value());
    for (const char* sql :
         {"delete from uncertain_claim where claim = 1",
          "insert into uncertain_claim select 3, tenant, space, created_at, zeroblob(32) from "
          "uncertain_claim; insert into uncertain_claim select 1, tenant, space, created_at, id "
          "from uncertain_claim where claim = 2"}) {
        execute(sql);
        const auto polled = sqlite::inspect_store(options.path, {});
        ASSERT_FALSE(polled.has_value()) << sql;
        EXPECT_THAT(polled.error().message(), HasSubstr("the list of uncertain claims"));
    }
}

}  // namespace
}  // namespace semel::test
