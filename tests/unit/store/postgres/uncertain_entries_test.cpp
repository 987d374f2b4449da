// Entries of uncertain claims that an older schema has: the migration makes them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/postgres/postgres_store.hpp"
#include "support/postgres_server.hpp"
#include "support/rows.hpp"
#include "support/store_driver.hpp"

namespace semel::test {
namespace {

using testing::UnorderedElementsAre;

constexpr const char* kBeforeTheList = R"(
delete from semel.migration where number >= 15;
drop table semel.uncertain_claim;
update semel.meta set works_from = 14;
alter table semel.commit_mark drop constraint commit_mark_known;
alter table semel.commit_mark add constraint commit_mark_known check (known >= 14) not valid;
)";

std::unique_ptr<Store> open(const std::string& url) {
    return std::move(open_postgres_store({.url = url})).value();
}

TEST(UncertainEntriesOnPostgres, OfAnOlderSchemaAreMadeWhenItIsOpened) {
    const std::string url = PostgresServer::shared().make_database();
    {
        const auto store = open(url);
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
    (void)ask_postgres(url, kBeforeTheList);
    const auto store = open(url);
    StoreDriver driver(*store);
    std::vector<ClaimId> ids;
    for (const Claim& claim :
         driver.list_uncertain_claims({.tenant = "acme", .limit = 10, .now = kStart - Millis(1)})) {
        ids.push_back(claim.id);
    }
    EXPECT_THAT(ids, UnorderedElementsAre(hash_of(1), hash_of(2)));
    EXPECT_EQ(ask_postgres(url, "select count(*) from semel.uncertain_claim"), "2");
}

}  // namespace
}  // namespace semel::test
